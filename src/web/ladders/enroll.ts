// How accounts get onto ladders, for routes and tools alike.

import { SECOND_MS } from "#base/units/time.ts";
import { secretKind } from "#core/accounts/secret.ts";
import { entranceOf, isShut } from "#core/ladder/enrollment.ts";
import type {
  Entrance,
  EnrollmentRefusal,
  EnrollmentState,
  Shown,
} from "#core/ladder/enrollment.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { AccountLadder } from "#core/resources/account.ts";
import type { AccountId, LadderId } from "#core/words/ids.ts";
import { DAY_S } from "#core/words/limit-row.ts";
import { FIXED } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { MemberStep, StepOutcome } from "#data/store/member.ts";
import { toLadder } from "#web/api/ladder.ts";
import { admitted } from "#web/auth/auth.ts";
import { personOf } from "#web/auth/entry.ts";
import type { Caller } from "#web/auth/people.ts";

import type { LadderDeps } from "./door.ts";
import { dismissing, movedTo, settling, stepOf } from "./ladder-member.ts";
import { noteOf } from "./ladder-parts.ts";

type Limit = "enrollments_per_day" | "enrollment_guesses" | "passwords_waiting";
type Limited = { limit: Limit; waitS: number; text: string };

export type Enrolled =
  | { ladders: AccountLadder[] }
  | { refused: EnrollmentRefusal; text?: string }
  | Limited;

/** The visible ladders, those that the account has to do with, and the one that is named. */
export async function laddersFor(
  { store, ladders, events, clock }: LadderDeps,
  accountId: AccountId,
  named: LadderId,
): Promise<AccountLadder[]> {
  const now = clock().toISOString();
  const own = await membershipsOf(store, accountId);
  const isListed = ({ id, visible }: LadderDefinition) => visible || id === named || own.has(id);
  return ladders
    .all()
    .filter(isListed)
    .map((ladder) => ({
      ...toLadder(ladder, now, events),
      membership: own.get(ladder.id) ?? null,
    }));
}

/** At present; everybody is on public. */
async function membershipsOf(
  store: LadderDeps["store"],
  accountId: AccountId,
): Promise<ReadonlyMap<LadderId, EnrollmentState>> {
  const rows = await store.members.ofAccount(accountId);
  const present = rows.filter(({ until }) => until === null);
  const own = present.map(({ ladderId, state }) => [ladderId, state] as const);
  return new Map<LadderId, EnrollmentState>([[DEFAULT_LADDER, "active"], ...own]);
}

/** Passwords are looked at before its turn comes: that takes long. */
export async function enroll(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  shown: Shown,
): Promise<Enrolled> {
  const { id } = caller.account;
  const membership = (await membershipsOf(deps.store, id)).get(ladder.id) ?? null;
  const entrance = entranceOf(ladder, deps.clock().toISOString(), membership, shown);
  const admission = await admissionOf(deps, caller, ladder, entrance);
  if (admission === null) {
    await deps.door.inTurn(() => recall(deps, id, ladder.id));
    return { ladders: await laddersFor(deps, id, ladder.id) };
  }
  if (!("step" in admission)) return admission;
  const refused = await deps.door.inTurn(async () => {
    const present = deps.ladders.byId(ladder.id) ?? ladder;
    return present === ladder ? enter(deps, caller, ladder.id, admission) : { present };
  });
  if (refused === null) return { ladders: await laddersFor(deps, id, ladder.id) };
  if (typeof refused === "string") return refusedAs(refused);
  // Meanwhile it may have another way in, or another password.
  return "present" in refused ? enroll(deps, caller, refused.present, shown) : refused;
}

/** The store may have let somebody in without an answer: it knows more than memory then. */
async function recall(deps: LadderDeps, accountId: AccountId, ladderId: LadderId): Promise<void> {
  const membership = (await membershipsOf(deps.store, accountId)).get(ladderId);
  if (membership === "active") deps.ladders.admit(accountId, ladderId);
}

/** What is left to be done, and which of the account's guesses let it in. */
type Admission = { step: Extract<Entrance, { kind: "enters" | "invitation" }>; nth: number };
type Refused = Exclude<Enrolled, { ladders: unknown }>;

const CLOSED = "This ladder is closed or disabled: nobody enrolls on it now.";

const refusedAs = (refused: EnrollmentRefusal): Refused =>
  refused === "ladder_closed" ? { refused, text: CLOSED } : { refused };

/** How somebody gets in, or why not; null for who is in already. */
async function admissionOf(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  entrance: Entrance,
): Promise<Admission | Refused | null> {
  switch (entrance.kind) {
    case "member":
      return null;
    case "refused":
      return refusedAs(entrance.code);
    case "enters":
      return { step: entrance, nth: 0 };
    case "invitation":
      // Guessing gains nothing where the door is open.
      if (ladder.access === "open") return { step: entrance, nth: 0 };
      return guess(deps, caller, ladder, entrance);
    case "password":
      return guess(deps, caller, ladder, entrance);
  }
}

const { enrollment_guesses: GUESSES } = FIXED;
const TRIED = `An account tries ${GUESSES} passwords or invitations of a ladder in an hour.`;
const BUSY = "Too many passwords wait. Try again in a moment.";

/** A guess is counted before it is looked at, and given back only if nobody could look. */
async function guess(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  entrance: Extract<Entrance, { kind: "invitation" | "password" }>,
): Promise<Admission | Refused> {
  const { id } = caller.account;
  const { guesses } = deps.door;
  const counted = guesses.count(id, ladder.id);
  if ("waitS" in counted) return { limit: "enrollment_guesses", ...counted, text: TRIED };
  if (entrance.kind === "invitation") return { step: entrance, ...counted };
  const isRight = await isPassword(deps, caller, ladder, entrance.password);
  if (isRight === true) return { step: { kind: "enters", to: "active" }, ...counted };
  if (isRight === null) {
    guesses.takeBack(id, ladder.id);
    return { limit: "passwords_waiting", waitS: 1, text: BUSY };
  }
  await noteGuess(deps, caller, ladder, counted.nth);
  return refusedAs("wrong_password");
}

async function isPassword(
  { store, accounts }: LadderDeps,
  { account }: Caller,
  { id }: LadderDefinition,
  text: string,
) {
  const hash = await store.ladders.passwordHash(id);
  return admitted(accounts).passwords.verify(text, hash, account.id);
}

/** The last wrong guess that an account has is told to operators. */
async function noteGuess(deps: LadderDeps, caller: Caller, ladder: LadderDefinition, nth: number) {
  if (nth !== GUESSES) return;
  await deps.store.audit.add([noteOf(deps, caller, "member.guessed", ladder, affecting(caller))]);
}

const affecting = ({ account }: Caller) => ({ person: personOf(account) });

/** As the ladder is now; null when that is done. */
async function enter(
  deps: LadderDeps,
  caller: Caller,
  ladderId: LadderId,
  { step: way, nth }: Admission,
): Promise<EnrollmentRefusal | Limited | null> {
  const { store, ladders, clock } = deps;
  const ladder = ladders.byId(ladderId);
  if (ladder === null || isShut(ladder, clock().toISOString())) return "ladder_closed";
  const tooOften = await entersTooOften(deps, caller.account.id, ladderId);
  if (tooOften !== null) return tooOften;
  const by = way.kind === "enters" ? ladder.access : "invitation";
  const to = way.kind === "enters" ? way.to : "active";
  const detail = { by, ...(await movedTo(deps, ladder, caller.account, to)) };
  const about = { detail, ...affecting(caller) };
  const enrolled = noteOf(deps, caller, "member.enrolled", ladder, about);
  const step = stepOf(deps, ladder, caller.account, enrolled);
  const outcome = await settling(deps, step, () =>
    way.kind === "enters"
      ? store.members.enroll(step, way.to, enrolled)
      : useInvitation(deps, caller, ladder, { step, enrolled, code: way.code }),
  );
  if (outcome === "invalid_invitation") {
    await noteGuess(deps, caller, ladder, nth);
    const to = withoutInvitation(ladder);
    return to === null ? outcome : enter(deps, caller, ladderId, { step: to, nth });
  }
  if (outcome === null) return "ladder_closed";
  if (outcome.state === "active") ladders.admit(caller.account.id, ladder.id);
  return outcome.state === "revoked" ? "enrollment_revoked" : null;
}

const { enrollments_per_day: ENTRIES } = FIXED;
const ENTERED = `An account enters a ladder, or asks to, ${ENTRIES} times in 24 hours.`;

/** Every membership stays in the store: who leaves and comes back all the time has to wait. */
async function entersTooOften(
  { store, clock }: LadderDeps,
  accountId: AccountId,
  ladderId: LadderId,
): Promise<Limited | null> {
  const all = await store.members.ofAccount(accountId);
  const own = all.filter((row) => row.ladderId === ladderId);
  if (own.some(({ until }) => until === null)) return null;
  const begun = own.filter(({ state }) => state !== "revoked");
  const { since } = begun.at(-ENTRIES) ?? {};
  if (since === undefined) return null;
  const waitS = DAY_S - Math.floor((clock().getTime() - Date.parse(since)) / SECOND_MS);
  if (waitS <= 0) return null;
  return { limit: "enrollments_per_day", waitS: Math.min(waitS, DAY_S), text: ENTERED };
}

/** What an account gets that brings no invitation; null where one is needed, or a password. */
function withoutInvitation({ access }: LadderDefinition): Admission["step"] | null {
  if (access === "open") return { kind: "enters", to: "active" };
  return access === "approval" ? { kind: "enters", to: "pending" } : null;
}

type Use = { step: MemberStep; enrolled: AuditEntry; code: string };

async function useInvitation(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  { step, enrolled, code }: Use,
): Promise<StepOutcome | "invalid_invitation"> {
  if (secretKind(code) !== "invitation") return "invalid_invitation";
  const used = noteOf(deps, caller, "invitation.used", ladder, affecting(caller));
  return deps.store.invitations.use(hashToken(code), step, { used, enrolled });
}

/** Ends a membership, or the wish for one. Who was shown out stays so. */
export async function withdraw(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
): Promise<void> {
  await deps.door.inTurn(async () => {
    const detail = await movedTo(deps, ladder, caller.account, null);
    const about = { detail, ...affecting(caller) };
    const note = noteOf(deps, caller, "member.withdrew", ladder, about);
    const step = stepOf(deps, ladder, caller.account, note);
    await dismissing(deps, step, () => deps.store.members.withdraw(step, note));
  });
}
