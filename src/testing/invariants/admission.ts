// Bots play only on ladders that admit them. A game is rated only if both bots remained admitted
// from start to end. Otherwise, it is unrated for the first reason that applies.

import type { AccountId, BotId, LadderId, MatchId } from "#core/ids/ids.ts";
import type { UnratedReason } from "#core/ids/match-modes.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { FinishedMatch } from "#data/store/match.ts";

import {
  isAllowedOn,
  isOpenAt,
  acceptsMatchesAt,
  hasNoPendingChange,
  registerMemberKey,
  createLadderRegister,
  dependencyKeys,
} from "./ladder-register.ts";
import type { LadderRegister } from "./ladder-register.ts";
import type { Moment, Watch } from "./watch.ts";

type Owner = { owner: string; accountId: AccountId | null };

type RunningMatch = {
  ladderId: LadderId;
  botIds: readonly BotId[];
  owners: readonly Owner[];
  hasLeft: boolean;
};

type AdmissionFacts = LadderRegister & {
  running: Map<MatchId, RunningMatch>;
  /**
   * Expected unrated reason of each finished match; null if it should be rated. Matches for which
   * the watch can't tell are absent.
   */
  reasons: Map<MatchId, UnratedReason | null>;
};

export function watchAdmission(): Watch {
  const register = createLadderRegister();
  const facts: AdmissionFacts = { ...register, running: new Map(), reasons: new Map() };
  return {
    name: "bots play only where they are admitted",
    on: {
      ...register.on,
      member: (notice, moment) => {
        if (!notice.isActive) markLeft(facts, notice);
        register.on.member?.(notice, moment);
      },
      started: ({ matchId, ladderId, botIds }, moment) =>
        checkStart(facts, matchId, { ladderId, botIds }, moment),
      ended: ({ matchId }, moment) => recordExpectedReason(facts, matchId, moment),
      stored: ({ match }) => checkStored(facts, match),
      killed: () => {
        facts.running.clear();
        facts.reasons.clear();
      },
    },
  };
}

type MembershipKey = { ladderId: LadderId; accountId: AccountId };

function markLeft(
  { running, members }: AdmissionFacts,
  { ladderId, accountId }: MembershipKey,
): void {
  if (!members.has(registerMemberKey(ladderId, accountId))) return;
  for (const match of running.values())
    if (match.ladderId === ladderId && match.owners.some((owner) => owner.accountId === accountId))
      match.hasLeft = true;
}

function checkStart(
  facts: AdmissionFacts,
  matchId: MatchId,
  { ladderId, botIds }: Pick<RunningMatch, "ladderId" | "botIds">,
  { wall }: Moment,
): string | null {
  const bots = botIds.flatMap((id) => facts.bots.get(id) ?? []);
  const owners = bots.map(({ owner, accountId }) => ({ owner, accountId }));
  facts.running.set(matchId, { ladderId, botIds, owners, hasLeft: false });
  const ladder = facts.ladders.get(ladderId);
  if (!hasNoPendingChange(facts, [ladderId])) return null;
  if (ladder === undefined) return `${matchId} starts on ${ladderId}, which does not exist`;
  if (!acceptsMatchesAt(facts, ladder, wall))
    return `${matchId} starts on ${ladderId}, which is not open`;
  const unadmittedBot = bots.find(
    (bot) =>
      !isAllowedOn(facts, ladder, bot) && hasNoPendingChange(facts, dependencyKeys(bot, ladderId)),
  );
  return unadmittedBot === undefined
    ? null
    : `${unadmittedBot.name} plays on ${ladderId} without being admitted`;
}

/** Records nothing while a relevant change is pending, because any reason may then be right. */
function recordExpectedReason(facts: AdmissionFacts, matchId: MatchId, { wall }: Moment): void {
  const { running, reasons, bots } = facts;
  const match = running.get(matchId);
  if (match === undefined) return;
  running.delete(matchId);
  const ties = match.botIds.flatMap((id, seat) => [
    id,
    registerMemberKey(match.ladderId, match.owners[seat]?.accountId ?? ""),
    ...(bots.has(id) ? dependencyKeys(bots.get(id)!, match.ladderId) : []),
  ]);
  if (hasNoPendingChange(facts, [match.ladderId, ...ties]))
    reasons.set(matchId, expectedReason(facts, match, wall));
}

function expectedReason(
  facts: AdmissionFacts,
  match: RunningMatch,
  wall: number,
): UnratedReason | null {
  const { ladderId, botIds, owners, hasLeft } = match;
  const ladder = facts.ladders.get(ladderId);
  if (ladderId === DEFAULT_LADDER || ladder === undefined) return null;
  const isOwnerChanged = botIds.some((id, seat) =>
    hasOwnerChanged(facts.bots.get(id), owners[seat]),
  );
  if (isOwnerChanged) return "account_changed";
  if (hasLeft) return "enrollment_changed";
  if (!ladder.enabled) return "ladder_disabled";
  return isOpenAt(ladder, wall) && !facts.finishedAt.has(ladderId) ? null : "window_closed";
}

const hasOwnerChanged = (now: Owner | undefined, then: Owner | undefined): boolean =>
  now?.accountId !== then?.accountId || now?.owner !== then?.owner;

function checkStored({ reasons }: AdmissionFacts, match: FinishedMatch): string | null {
  const { id, rated, voided, unratedReason, mode } = match;
  const expectedUnratedReason = reasons.get(id);
  reasons.delete(id);
  if (mode !== "ranked") return null;
  if (rated !== (unratedReason === null))
    return `${id} is rated with a reason, or unrated without one`;
  if (voided || expectedUnratedReason === undefined) return null;
  if (unratedReason === expectedUnratedReason) return null;
  return `${id} is stored as ${unratedReason ?? "rated"}, expected ${expectedUnratedReason ?? "rated"}`;
}
