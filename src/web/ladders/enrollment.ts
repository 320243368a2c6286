// Enrollment of accounts on ladders. Account routes and MCP tools call this.

import { SECOND_MS } from "#base/util/time.ts";
import { secretKindOf } from "#core/accounts/secret-prefix.ts";
import type { AccountLadder } from "#core/api/account.ts";
import type { AccountId, LadderId } from "#core/ids/ids.ts";
import { nextEnrollmentStep, isEnrollmentClosed } from "#core/ladder/enrollment.ts";
import type {
  EnrollmentStep,
  EnrollmentRefusal,
  EnrollmentState,
  EnrollmentCredentials,
} from "#core/ladder/enrollment.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { DAY_S } from "#core/limits/limit-row.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { hashToken } from "#data/credentials/token.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { MembershipChange, MembershipOutcome } from "#data/store/member.ts";
import { toLadder } from "#web/api/ladder.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { auditPerson } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";

import {
  withDismissal,
  membershipChange,
  withMembershipReconciliation,
  memberStep,
} from "./ladder-member.ts";
import type { LadderDeps } from "./ladder-mutex.ts";
import { ladderAuditEntry } from "./ladder-route-helpers.ts";

type Limit = "enrollments_per_day" | "enrollment_guesses" | "passwords_waiting";
type EnrollmentLimited = { limit: Limit; waitS: number; text: string };

export type EnrollResult =
  | { ladders: AccountLadder[] }
  | { refused: EnrollmentRefusal; text?: string }
  | EnrollmentLimited;

/**
 * Returns the visible ladders, the ladders on which the account has a membership, and the ladder
 * the request names.
 */
export async function laddersFor(
  { store, ladders, events, clock }: LadderDeps,
  accountId: AccountId,
  requestedId: LadderId,
): Promise<AccountLadder[]> {
  const now = clock().toISOString();
  const memberships = await membershipsOf(store, accountId);
  const isListed = ({ id, visible }: LadderDefinition) =>
    visible || id === requestedId || memberships.has(id);
  return ladders
    .list()
    .filter(isListed)
    .map((ladder) => ({
      ...toLadder(ladder, now, events),
      membership: memberships.get(ladder.id) ?? null,
    }));
}

/**
 * Returns the account's current memberships. Includes public, of which every account is a member.
 */
async function membershipsOf(
  store: LadderDeps["store"],
  accountId: AccountId,
): Promise<ReadonlyMap<LadderId, EnrollmentState>> {
  const rows = await store.members.listByAccount(accountId);
  const currentRows = rows.filter(({ until }) => until === null);
  const memberships = currentRows.map(({ ladderId, state }) => [ladderId, state] as const);
  return new Map<LadderId, EnrollmentState>([[DEFAULT_LADDER, "active"], ...memberships]);
}

/** Enrolls an account. Checks the password before entering the mutex, because hashing is slow. */
export async function enrollOnLadder(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  credentials: EnrollmentCredentials,
): Promise<EnrollResult> {
  const { id } = caller.account;
  const membership = (await membershipsOf(deps.store, id)).get(ladder.id) ?? null;
  const entrance = nextEnrollmentStep(ladder, deps.clock().toISOString(), membership, credentials);
  const permission = await checkEntrance(deps, caller, ladder, entrance);
  if (permission === null) {
    await deps.mutex.run(() => reloadMembership(deps, id, ladder.id));
    return { ladders: await laddersFor(deps, id, ladder.id) };
  }
  if (!("step" in permission)) return permission;
  const refused = await deps.mutex.run(async () => {
    const present = deps.ladders.byId(ladder.id) ?? ladder;
    return present === ladder ? enter(deps, caller, ladder.id, permission) : { present };
  });
  if (refused === null) return { ladders: await laddersFor(deps, id, ladder.id) };
  if (typeof refused === "string") return toEnrollmentRefused(refused);
  // The ladder's access or password may have changed since the check.
  return "present" in refused
    ? enrollOnLadder(deps, caller, refused.present, credentials)
    : refused;
}

/**
 * Syncs memory with the store, because the account may have been enrolled even though the response
 * was lost.
 */
async function reloadMembership(
  deps: LadderDeps,
  accountId: AccountId,
  ladderId: LadderId,
): Promise<void> {
  const membership = (await membershipsOf(deps.store, accountId)).get(ladderId);
  if (membership === "active") deps.ladders.addMember(accountId, ladderId);
}

/** The step that remains, and the number of the attempt (0 if no attempt was needed). */
type EntryPermission = {
  step: Extract<EnrollmentStep, { kind: "enters" | "invitation" }>;
  attemptNumber: number;
};
type EnrollmentRefused = Exclude<EnrollResult, { ladders: unknown }>;

const CLOSED_TEXT = "This ladder is closed or disabled, so it can't be joined now.";

const toEnrollmentRefused = (refused: EnrollmentRefusal): EnrollmentRefused =>
  refused === "ladder_closed" ? { refused, text: CLOSED_TEXT } : { refused };

/** Returns how the account may join, or the refusal. Null for a member. */
async function checkEntrance(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  entrance: EnrollmentStep,
): Promise<EntryPermission | EnrollmentRefused | null> {
  switch (entrance.kind) {
    case "member":
      return null;
    case "refused":
      return toEnrollmentRefused(entrance.code);
    case "enters":
      return { step: entrance, attemptNumber: 0 };
    case "invitation":
      // On an open ladder a guessed code gains nothing, so it isn't counted.
      if (ladder.access === "open") return { step: entrance, attemptNumber: 0 };
      return attemptEntrance(deps, caller, ladder, entrance);
    case "password":
      return attemptEntrance(deps, caller, ladder, entrance);
  }
}

const { enrollment_guesses: MAX_ATTEMPTS } = FIXED_LIMITS;
const ATTEMPTS_TEXT = `An account can try ${MAX_ATTEMPTS} passwords or invitations per ladder per hour.`;
const BUSY_TEXT = "Too many password checks are queued. Try again in a moment.";

/** Counts the attempt before checking it. Removes the attempt only if it couldn't be checked. */
async function attemptEntrance(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  entrance: Extract<EnrollmentStep, { kind: "invitation" | "password" }>,
): Promise<EntryPermission | EnrollmentRefused> {
  const { id } = caller.account;
  const { passwordAttempts } = deps.mutex;
  const attempt = passwordAttempts.count(id, ladder.id);
  if ("waitS" in attempt) return { limit: "enrollment_guesses", ...attempt, text: ATTEMPTS_TEXT };
  if (entrance.kind === "invitation") return { step: entrance, ...attempt };
  const isCorrect = await verifyPassword(deps, caller, ladder, entrance.password);
  if (isCorrect === true) return { step: { kind: "enters", to: "active" }, ...attempt };
  if (isCorrect === null) {
    passwordAttempts.undo(id, ladder.id);
    return { limit: "passwords_waiting", waitS: 1, text: BUSY_TEXT };
  }
  await auditLastAttempt(deps, caller, ladder, attempt.attemptNumber);
  return toEnrollmentRefused("wrong_password");
}

async function verifyPassword(
  { store, accounts }: LadderDeps,
  { account }: Caller,
  { id }: LadderDefinition,
  text: string,
) {
  const hash = await store.ladders.passwordHash(id);
  return assertAuthenticated(accounts).passwords.verify(text, hash, account.id);
}

/** Adds an audit entry for the last allowed wrong attempt. */
async function auditLastAttempt(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  attemptNumber: number,
) {
  if (attemptNumber !== MAX_ATTEMPTS) return;
  await deps.store.audit.add([
    ladderAuditEntry(deps, caller, "member.guessed", ladder, affectedAccount(caller)),
  ]);
}

const affectedAccount = ({ account }: Caller) => ({ person: auditPerson(account) });

async function enter(
  deps: LadderDeps,
  caller: Caller,
  ladderId: LadderId,
  { step: entranceStep, attemptNumber }: EntryPermission,
): Promise<EnrollmentRefusal | EnrollmentLimited | null> {
  const { store, ladders, clock } = deps;
  const ladder = ladders.byId(ladderId);
  if (ladder === null || isEnrollmentClosed(ladder, clock().toISOString())) return "ladder_closed";
  const limited = await checkEnrollmentLimit(deps, caller.account.id, ladderId);
  if (limited !== null) return limited;
  const by = entranceStep.kind === "enters" ? ladder.access : "invitation";
  const to = entranceStep.kind === "enters" ? entranceStep.to : "active";
  const detail = { by, ...(await membershipChange(deps, ladder, caller.account, to)) };
  const details = { detail, ...affectedAccount(caller) };
  const enrolled = ladderAuditEntry(deps, caller, "member.enrolled", ladder, details);
  const step = memberStep(deps, ladder, caller.account, enrolled);
  const outcome = await withMembershipReconciliation(deps, step, () =>
    entranceStep.kind === "enters"
      ? store.members.enroll(step, entranceStep.to, enrolled)
      : useInvitation(deps, caller, ladder, { step, enrolled, code: entranceStep.code }),
  );
  if (outcome === "invalid_invitation") {
    await auditLastAttempt(deps, caller, ladder, attemptNumber);
    const to = withoutInvitation(ladder);
    return to === null ? outcome : enter(deps, caller, ladderId, { step: to, attemptNumber });
  }
  if (outcome === null) return "ladder_closed";
  if (outcome.state === "active") ladders.addMember(caller.account.id, ladder.id);
  return outcome.state === "revoked" ? "enrollment_revoked" : null;
}

const { enrollments_per_day: MAX_ENROLLMENTS } = FIXED_LIMITS;
const ENROLLMENTS_TEXT = `An account can join a ladder, or request to, ${MAX_ENROLLMENTS} times in 24 hours.`;

/** Limits enrollments, because every membership remains in the store. */
async function checkEnrollmentLimit(
  { store, clock }: LadderDeps,
  accountId: AccountId,
  ladderId: LadderId,
): Promise<EnrollmentLimited | null> {
  const rows = await store.members.listByAccount(accountId);
  const ladderRows = rows.filter((row) => row.ladderId === ladderId);
  if (ladderRows.some(({ until }) => until === null)) return null;
  const entries = ladderRows.filter(({ state }) => state !== "revoked");
  const { since } = entries.at(-MAX_ENROLLMENTS) ?? {};
  if (since === undefined) return null;
  const waitS = DAY_S - Math.floor((clock().getTime() - Date.parse(since)) / SECOND_MS);
  if (waitS <= 0) return null;
  return { limit: "enrollments_per_day", waitS: Math.min(waitS, DAY_S), text: ENROLLMENTS_TEXT };
}

/**
 * Returns the step for an account without an invitation. Null if the ladder requires an invitation
 * or password.
 */
function withoutInvitation({ access }: LadderDefinition): EntryPermission["step"] | null {
  if (access === "open") return { kind: "enters", to: "active" };
  return access === "approval" ? { kind: "enters", to: "pending" } : null;
}

type Use = { step: MembershipChange; enrolled: AuditEntry; code: string };

async function useInvitation(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  { step, enrolled, code }: Use,
): Promise<MembershipOutcome | "invalid_invitation"> {
  if (secretKindOf(code) !== "invitation") return "invalid_invitation";
  const used = ladderAuditEntry(deps, caller, "invitation.used", ladder, affectedAccount(caller));
  return deps.store.invitations.redeem(hashToken(code), step, {
    usedEntry: used,
    enrolledEntry: enrolled,
  });
}

/** Ends a membership or cancels a pending request. A revoked membership remains revoked. */
export async function withdrawFromLadder(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
): Promise<void> {
  await deps.mutex.run(async () => {
    const detail = await membershipChange(deps, ladder, caller.account, null);
    const details = { detail, ...affectedAccount(caller) };
    const auditEntry = ladderAuditEntry(deps, caller, "member.withdrew", ladder, details);
    const step = memberStep(deps, ladder, caller.account, auditEntry);
    await withDismissal(deps, step, () => deps.store.members.withdraw(step, auditEntry));
  });
}
