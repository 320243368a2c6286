// How accounts get onto ladders and off them: on their own, by invitations, and by operators.

import { hasSeasons, phaseAt } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { LadderId } from "#core/words/ids.ts";
import { hashToken } from "#data/access/token.ts";
import type { MemberState, StepOutcome } from "#data/store/member.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";
import type { Life } from "#testing/simulation/server-life.ts";
import { notice } from "#testing/simulation/world.ts";
import type { World } from "#testing/simulation/world.ts";

import { entryNow, idNow, memberKey, perform } from "./deed.ts";
import type { AccountHolder } from "./population.ts";

/** One account and one ladder. */
type Tie = {
  world: World;
  dice: SeededDice;
  account: AccountHolder;
  ladderId: LadderId;
  /** What the account last heard; null for out. */
  state: MemberState | null;
};

/** Mean hours until somebody who is in this state does something about it. */
const HOURS = { out: 0.3, pending: 0.3, active: 4, revoked: 1 };
/** Of those who are active: leave by themselves rather than being shown out. */
const SHARE_WITHDRAWS = 0.6;
const SHARE_INVITED = 0.2;
/** ms until an invitation runs out. */
const INVITATION_LASTS = 14 * 86_400_000;

/** From now on the account comes and goes there; a short run has as much of it as a day. */
export function joinLadder(world: World, account: AccountHolder, ladderId: LadderId): void {
  if (hasSeasons(ladderId)) return;
  const dice = world.dice.branch(`${account.handle} on ${ladderId}`);
  wait({ world, dice, account, ladderId, state: null });
}

function wait(tie: Tie): void {
  const { world, dice, state } = tie;
  const hours = HOURS[state ?? "out"] * Math.min(1, world.options.days);
  world.timeline.after(dice.exponential(hours * 3_600_000), () => {
    if (!world.isCalm && !tie.account.hasLeft) step(tie);
  });
}

function step(tie: Tie): void {
  const { dice, state } = tie;
  switch (state) {
    case null:
      enter(tie);
      break;
    case "pending":
    case "revoked":
      approve(tie);
      break;
    case "active":
      if (dice.chance(SHARE_WITHDRAWS)) withdraw(tie);
      else revoke(tie);
  }
}

/** One change of the membership, and what comes of it. */
function change(tie: Tie, act: (life: Life) => Promise<MemberState | null>): void {
  const { world, account, ladderId } = tie;
  const about = [memberKey(ladderId, account.id)];
  const deed = {
    about,
    act: async (life: Life) => {
      tie.state = await act(life);
    },
  };
  perform(world, deed, () => wait(tie));
}

const stepOf = ({ world, account, ladderId }: Tie) => ({
  id: idNow(world),
  ladderId,
  accountId: account.id,
  at: world.timeline.wall().toISOString(),
});

function admit({ world, account, ladderId }: Tie, { deps }: Life): void {
  deps.ladders.admit(account.id, ladderId);
  notice(world, { type: "member", ladderId, accountId: account.id, isActive: true });
}

function dismiss({ world, account, ladderId }: Tie, { deps, arena }: Life): void {
  deps.ladders.dismiss(account.id, ladderId);
  arena.laddersChanged();
  notice(world, { type: "member", ladderId, accountId: account.id, isActive: false });
}

function enter(tie: Tie): void {
  const { world, dice, ladderId, account } = tie;
  const isInvited = dice.chance(SHARE_INVITED);
  change(tie, async (life) => {
    const ladder = life.deps.ladders.byId(ladderId);
    if (ladder === null || isShut(world, ladder)) return null;
    // An earlier try may have been stored, without an answer.
    const rows = await life.store.members.ofAccount(account.id);
    const own = rows.find((row) => row.until === null && row.ladderId === ladderId);
    const known = own?.state ?? null;
    const state = known ?? (await enrolled(tie, life, ladder, isInvited));
    if (state === "active") admit(tie, life);
    return state;
  });
}

function isShut({ timeline }: World, ladder: LadderDefinition): boolean {
  return !ladder.enabled || phaseAt(ladder, timeline.wall().toISOString()) === "closed";
}

async function enrolled(
  tie: Tie,
  { store }: Life,
  { access }: LadderDefinition,
  isInvited: boolean,
): Promise<MemberState | null> {
  if (isInvited || access === "invite") return invited(tie, store);
  const to = access === "approval" ? "pending" : "active";
  const outcome = await store.members.enroll(
    stepOf(tie),
    to,
    entryNow(tie.world, "member.enrolled"),
  );
  return outcome?.state ?? null;
}

/** An operator invites, for this account alone or whom it may concern. */
async function invited(tie: Tie, store: Life["store"]): Promise<MemberState | null> {
  const { world, dice, account, ladderId } = tie;
  const id = idNow(world);
  const [hash, now] = [hashToken(id), world.timeline.wall().getTime()];
  const invitation = {
    id,
    ladderId,
    accountId: dice.chance(0.5) ? account.id : null,
    created: new Date(now).toISOString(),
    createdBy: null,
    expiresAt: new Date(now + INVITATION_LASTS).toISOString(),
    usedAt: null,
    usedBy: null,
    revokedAt: null,
    label: dice.chance(0.5) ? `for ${account.id}` : null,
  };
  const audit = entryNow(world, "invitation.created");
  await store.invitations.add([{ invitation, hash, audit }]);
  const outcome = await store.invitations.use(hash, stepOf(tie), {
    used: entryNow(world, "invitation.used"),
    enrolled: entryNow(world, "member.enrolled"),
  });
  return outcome === "invalid_invitation" ? null : outcome.state;
}

function approve(tie: Tie): void {
  change(tie, async (life) => {
    const entry = entryNow(tie.world, "member.approved");
    const outcome = await life.store.members.approve(stepOf(tie), entry);
    if (outcome === "account_banned") return tie.state;
    return admitted(tie, life, outcome);
  });
}

function admitted(tie: Tie, life: Life, outcome: StepOutcome | null): MemberState | null {
  if (outcome === null) return null;
  admit(tie, life);
  return outcome.state;
}

function revoke(tie: Tie): void {
  change(tie, async (life) => {
    const entry = entryNow(tie.world, "member.revoked", "a reason");
    const outcome = await life.store.members.revoke(stepOf(tie), entry);
    dismiss(tie, life);
    return outcome?.state ?? null;
  });
}

function withdraw(tie: Tie): void {
  change(tie, async (life) => {
    const entry = entryNow(tie.world, "member.withdrew");
    const { id: _, ...step } = stepOf(tie);
    await life.store.members.withdraw(step, entry);
    dismiss(tie, life);
    return null;
  });
}
