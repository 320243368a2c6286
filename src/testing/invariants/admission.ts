// Bots play where they belong, and a game is rated only if they belonged there from its start to
// its end: else it says the first reason why not.

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { AccountId, BotId, LadderId, MatchId } from "#core/words/ids.ts";
import type { UnratedReason } from "#core/words/rated.ts";
import type { FinishedMatch } from "#data/store/match.ts";

import {
  belongs,
  isOpenAt,
  isPlayedAt,
  isSettled,
  memberOf,
  openRegister,
  tiesOf,
} from "./register.ts";
import type { Register } from "./register.ts";
import type { Moment, Watch } from "./watch.ts";

type Owner = { owner: string; accountId: AccountId | null };

type Running = {
  ladderId: LadderId;
  botIds: readonly BotId[];
  /** Whose they were. */
  owners: readonly Owner[];
  /** Whether somebody's membership has ended since. */
  hasLeft: boolean;
};

type Facts = Register & {
  running: Map<MatchId, Running>;
  /** Why matches that are over are unrated, as far as that is known outside; null for no reason. */
  reasons: Map<MatchId, UnratedReason | null>;
};

export function watchAdmission(): Watch {
  const register = openRegister();
  const facts: Facts = { ...register, running: new Map(), reasons: new Map() };
  return {
    name: "nobody plays where it does not belong",
    on: {
      ...register.on,
      member: (notice, moment) => {
        if (!notice.isActive) noteLeft(facts, notice);
        register.on.member?.(notice, moment);
      },
      started: ({ matchId, ladderId, botIds }, moment) =>
        start(facts, matchId, { ladderId, botIds }, moment),
      ended: ({ matchId }, moment) => end(facts, matchId, moment),
      stored: ({ match }) => keep(facts, match),
      killed: () => {
        facts.running.clear();
        facts.reasons.clear();
      },
    },
  };
}

type LeftNotice = { ladderId: LadderId; accountId: AccountId };

function noteLeft({ running, members }: Facts, { ladderId, accountId }: LeftNotice): void {
  if (!members.has(memberOf(ladderId, accountId))) return;
  for (const match of running.values())
    if (match.ladderId === ladderId && match.owners.some((owner) => owner.accountId === accountId))
      match.hasLeft = true;
}

function start(
  facts: Facts,
  matchId: MatchId,
  { ladderId, botIds }: Pick<Running, "ladderId" | "botIds">,
  { wall }: Moment,
): string | null {
  const bots = botIds.flatMap((id) => facts.bots.get(id) ?? []);
  const owners = bots.map(({ owner, accountId }) => ({ owner, accountId }));
  facts.running.set(matchId, { ladderId, botIds, owners, hasLeft: false });
  const ladder = facts.ladders.get(ladderId);
  if (!isSettled(facts, [ladderId])) return null;
  if (ladder === undefined) return `${matchId} starts on ${ladderId}, which is no ladder`;
  if (!isPlayedAt(facts, ladder, wall))
    return `${matchId} starts on ${ladderId}, which is not open`;
  const stranger = bots.find(
    (bot) => !belongs(facts, ladder, bot) && isSettled(facts, tiesOf(bot, ladderId)),
  );
  return stranger === undefined
    ? null
    : `${stranger.name} plays on ${ladderId}, and is not admitted`;
}

/** Where somebody is just changing what it hangs on, any reason may be right. */
function end(facts: Facts, matchId: MatchId, { wall }: Moment): void {
  const { running, reasons, bots } = facts;
  const match = running.get(matchId);
  if (match === undefined) return;
  running.delete(matchId);
  const ties = match.botIds.flatMap((id, seat) => [
    id,
    memberOf(match.ladderId, match.owners[seat]?.accountId ?? ""),
    ...(bots.has(id) ? tiesOf(bots.get(id)!, match.ladderId) : []),
  ]);
  if (isSettled(facts, [match.ladderId, ...ties]))
    reasons.set(matchId, reasonOf(facts, match, wall));
}

function reasonOf(facts: Facts, match: Running, wall: number): UnratedReason | null {
  const { ladderId, botIds, owners, hasLeft } = match;
  const ladder = facts.ladders.get(ladderId);
  if (ladderId === DEFAULT_LADDER || ladder === undefined) return null;
  const isMoved = botIds.some((id, seat) => isOther(facts.bots.get(id), owners[seat]));
  if (isMoved) return "account_changed";
  if (hasLeft) return "enrollment_changed";
  if (!ladder.enabled) return "ladder_disabled";
  return isOpenAt(ladder, wall) && !facts.finished.has(ladderId) ? null : "window_closed";
}

const isOther = (now: Owner | undefined, then: Owner | undefined): boolean =>
  now?.accountId !== then?.accountId || now?.owner !== then?.owner;

function keep({ reasons }: Facts, match: FinishedMatch): string | null {
  const { id, rated, voided, unratedReason, mode } = match;
  const known = reasons.get(id);
  reasons.delete(id);
  if (mode !== "ranked") return null;
  if (rated !== (unratedReason === null)) return `${id} is rated and unrated`;
  if (voided || known === undefined) return null;
  if (unratedReason === known) return null;
  return `${id} is stored as ${unratedReason ?? "rated"}, and is ${known ?? "rated"}`;
}
