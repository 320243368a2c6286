// Simulated accounts join and leave ladders on their own, by invitation, or through an operator.

import type { LadderId } from "#core/ids/ids.ts";
import { hasSeasons, phaseAt } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { hashToken } from "#data/credentials/token.ts";
import type { MemberState, MembershipOutcome } from "#data/store/member.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";
import type { SimulatedServer } from "#testing/simulation/simulated-server.ts";
import { emitNotice } from "#testing/simulation/world.ts";
import type { World } from "#testing/simulation/world.ts";

import { createAuditEntry, createId, membershipKey, applyMutation } from "./mutation.ts";
import type { AccountHolder } from "./population.ts";

type SimulatedMembership = {
  world: World;
  dice: SeededDice;
  account: AccountHolder;
  ladderId: LadderId;
  /** Last known state; null if the account isn't a member. */
  state: MemberState | null;
};

/** Mean number of hours until an account in this state changes its membership. */
const MEAN_HOURS = { out: 0.3, pending: 0.3, active: 4, revoked: 1 };
/**
 * Share of departing members who leave on their own. Operators remove all other departing members.
 */
const SHARE_WITHDRAWN = 0.6;
const SHARE_INVITED = 0.2;
const INVITATION_LIFETIME_MS = 14 * 86_400_000;

/** Starts changing the account's membership. Short runs include as many changes as a full day. */
export function simulateMembership(world: World, account: AccountHolder, ladderId: LadderId): void {
  if (hasSeasons(ladderId)) return;
  const dice = world.dice.branch(`${account.handle} on ${ladderId}`);
  scheduleStep({ world, dice, account, ladderId, state: null });
}

function scheduleStep(membership: SimulatedMembership): void {
  const { world, dice, state } = membership;
  const hours = MEAN_HOURS[state ?? "out"] * Math.min(1, world.options.days);
  world.timeline.after(dice.exponential(hours * 3_600_000), () => {
    if (!world.isCalm && !membership.account.hasLeft) takeStep(membership);
  });
}

function takeStep(membership: SimulatedMembership): void {
  const { dice, state } = membership;
  switch (state) {
    case null:
      join(membership);
      break;
    case "pending":
    case "revoked":
      approve(membership);
      break;
    case "active":
      if (dice.chance(SHARE_WITHDRAWN)) withdraw(membership);
      else revoke(membership);
  }
}

function changeMembership(
  membership: SimulatedMembership,
  apply: (server: SimulatedServer) => Promise<MemberState | null>,
): void {
  const { world, account, ladderId } = membership;
  const about = [membershipKey(ladderId, account.id)];
  const mutation = {
    about,
    apply: async (server: SimulatedServer) => {
      membership.state = await apply(server);
    },
  };
  applyMutation(world, mutation, () => scheduleStep(membership));
}

const createStep = ({ world, account, ladderId }: SimulatedMembership) => ({
  id: createId(world),
  ladderId,
  accountId: account.id,
  at: world.timeline.wall().toISOString(),
});

function admit({ world, account, ladderId }: SimulatedMembership, { deps }: SimulatedServer): void {
  deps.ladders.addMember(account.id, ladderId);
  emitNotice(world, { type: "member", ladderId, accountId: account.id, isActive: true });
}

function dismiss(
  { world, account, ladderId }: SimulatedMembership,
  { deps, arena }: SimulatedServer,
): void {
  deps.ladders.removeMember(account.id, ladderId);
  arena.onLaddersChanged();
  emitNotice(world, { type: "member", ladderId, accountId: account.id, isActive: false });
}

function join(membership: SimulatedMembership): void {
  const { world, dice, ladderId, account } = membership;
  const isInvited = dice.chance(SHARE_INVITED);
  changeMembership(membership, async (server) => {
    const ladder = server.deps.ladders.byId(ladderId);
    if (ladder === null || isClosed(world, ladder)) return null;
    // An earlier attempt may have been stored even though its response was lost.
    const rows = await server.store.members.listByAccount(account.id);
    const currentRow = rows.find((row) => row.until === null && row.ladderId === ladderId);
    const currentState = currentRow?.state ?? null;
    const state = currentState ?? (await enrollAccount(membership, server, ladder, isInvited));
    if (state === "active") admit(membership, server);
    return state;
  });
}

function isClosed({ timeline }: World, ladder: LadderDefinition): boolean {
  return !ladder.enabled || phaseAt(ladder, timeline.wall().toISOString()) === "closed";
}

async function enrollAccount(
  membership: SimulatedMembership,
  { store }: SimulatedServer,
  { access }: LadderDefinition,
  isInvited: boolean,
): Promise<MemberState | null> {
  if (isInvited || access === "invite") return enrollByInvitation(membership, store);
  const initialState = access === "approval" ? "pending" : "active";
  const outcome = await store.members.enroll(
    createStep(membership),
    initialState,
    createAuditEntry(membership.world, "member.enrolled"),
  );
  return outcome?.state ?? null;
}

/** An operator invites this account, or creates a code that anyone can use. */
async function enrollByInvitation(
  membership: SimulatedMembership,
  store: SimulatedServer["store"],
): Promise<MemberState | null> {
  const { world, dice, account, ladderId } = membership;
  const id = createId(world);
  const [hash, now] = [hashToken(id), world.timeline.wall().getTime()];
  const invitation = {
    id,
    ladderId,
    accountId: dice.chance(0.5) ? account.id : null,
    created: new Date(now).toISOString(),
    createdBy: null,
    expiresAt: new Date(now + INVITATION_LIFETIME_MS).toISOString(),
    usedAt: null,
    usedBy: null,
    revokedAt: null,
    label: dice.chance(0.5) ? `for ${account.id}` : null,
  };
  const audit = createAuditEntry(world, "invitation.created");
  await store.invitations.add([{ invitation, hash, audit }]);
  const outcome = await store.invitations.redeem(hash, createStep(membership), {
    usedEntry: createAuditEntry(world, "invitation.used"),
    enrolledEntry: createAuditEntry(world, "member.enrolled"),
  });
  return outcome === "invalid_invitation" ? null : outcome.state;
}

function approve(membership: SimulatedMembership): void {
  changeMembership(membership, async (server) => {
    const auditEntry = createAuditEntry(membership.world, "member.approved");
    const outcome = await server.store.members.approve(createStep(membership), auditEntry);
    if (outcome === "account_banned") return membership.state;
    return admitApproved(membership, server, outcome);
  });
}

function admitApproved(
  membership: SimulatedMembership,
  server: SimulatedServer,
  outcome: MembershipOutcome | null,
): MemberState | null {
  if (outcome === null) return null;
  admit(membership, server);
  return outcome.state;
}

function revoke(membership: SimulatedMembership): void {
  changeMembership(membership, async (server) => {
    const auditEntry = createAuditEntry(membership.world, "member.revoked", "a reason");
    const outcome = await server.store.members.revoke(createStep(membership), auditEntry);
    dismiss(membership, server);
    return outcome?.state ?? null;
  });
}

function withdraw(membership: SimulatedMembership): void {
  changeMembership(membership, async (server) => {
    const auditEntry = createAuditEntry(membership.world, "member.withdrew");
    const { id: _, ...step } = createStep(membership);
    await server.store.members.withdraw(step, auditEntry);
    dismiss(membership, server);
    return null;
  });
}
