// Final standings are written once, when the last match on a closed ladder has been stored, and
// never change. Final standings and daily places include only bots on the ladder's leaderboard.

import { isDeepStrictEqual } from "node:util";

import { MINUTE_US } from "#base/util/time.ts";
import type { BotId, LadderId, MatchId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import type { FinalStanding } from "#data/store/season.ts";

import {
  isAllowedOn,
  isOpenAt,
  hasNoPendingChange,
  createLadderRegister,
} from "./ladder-register.ts";
import type { LadderRegister } from "./ladder-register.ts";
import { toStoredStanding } from "./stored-standing.ts";
import type { StoredStanding } from "./stored-standing.ts";
import type { ObservedState, Moment, Watch } from "./watch.ts";

/**
 * Maximum time until a closed ladder must have final standings if nothing fails in the meantime, in
 * µs.
 */
const OVERDUE_LIMIT = MINUTE_US;
/** Maximum age of the leaderboard when places are written, in µs. */
const LIST_AGE_LIMIT = 3 * MINUTE_US;

type LadderEndFacts = LadderRegister & {
  running: Map<MatchId, LadderId>;
  storedStandings: Map<LadderId, readonly StoredStanding[]>;
  dueSince: Map<LadderId, number>;
  /** By ladder and bot: the time since which the ladder hasn't admitted the bot, in µs. */
  outSince: Map<string, number>;
  /** µs. */
  checkedAt: number;
};

export function watchEndings(): Watch {
  const register = createLadderRegister();
  const facts: LadderEndFacts = {
    ...register,
    running: new Map(),
    storedStandings: new Map(),
    dueSince: new Map(),
    outSince: new Map(),
    checkedAt: 0,
  };
  const clearDue = () => facts.dueSince.clear();
  return {
    name: "ladders finish once",
    on: {
      ...register.on,
      started: ({ matchId, ladderId }) => void facts.running.set(matchId, ladderId),
      stored: ({ match }) => {
        facts.running.delete(match.id);
        const isLate = match.mode === "ranked" && facts.storedStandings.has(match.ladderId);
        return isLate ? `${match.id} is stored on ${match.ladderId}, which has finished` : null;
      },
      ladder_finished: (notice, moment) => {
        const complaint = checkFinish(facts, notice, moment);
        register.on.ladder_finished?.(notice, moment);
        return complaint;
      },
      noted: ({ places: { ladderId, botIds } }, { at }) =>
        findOutsider(facts, ladderId, botIds, at),
      finals: ({ byLadder }) => checkUnchanged(facts, byLadder),
      killed: () => facts.running.clear(),
      booted: clearDue,
      stalled: clearDue,
      looked: (looked, moment) => {
        if (moment.at - facts.checkedAt >= MINUTE_US) updateOutSince(facts, moment.at);
        return checkOverdue(facts, looked, moment);
      },
      finished: () => {
        const [overdueLadder] = facts.dueSince.keys();
        return overdueLadder === undefined
          ? null
          : `${overdueLadder} is over but has no final standings`;
      },
    },
  };
}

type LadderFinish = { ladderId: LadderId; places: readonly FinalStanding[] };

function checkFinish(
  facts: LadderEndFacts,
  { ladderId, places }: LadderFinish,
  { at, wall }: Moment,
): string | null {
  const { storedStandings, running, ladders } = facts;
  const ladder = ladders.get(ladderId);
  if (storedStandings.has(ladderId)) return `${ladderId} finished twice`;
  storedStandings.set(ladderId, places.map(toStoredStanding));
  if (running.values().some((id) => id === ladderId)) return `${ladderId} finished during a match`;
  const isOver = ladder !== undefined && !isOpenAt(ladder, wall);
  if (!isOver && hasNoPendingChange(facts, [ladderId]))
    return `${ladderId} finished before it was over`;
  return findOutsider(
    facts,
    ladderId,
    places.map(({ botId }) => botId),
    at,
  );
}

/** Finds a bot that has a place even though the ladder stopped admitting it long ago. */
function findOutsider(
  { bots, outSince }: LadderEndFacts,
  ladderId: LadderId,
  botIds: readonly BotId[],
  at: number,
): string | null {
  const outsiderId = botIds.find(
    (id) => at - (outSince.get(`${ladderId} ${id}`) ?? at) > LIST_AGE_LIMIT,
  );
  return outsiderId === undefined
    ? null
    : `${bots.get(outsiderId)?.name} has a place on ${ladderId} but is not admitted`;
}

function updateOutSince(facts: LadderEndFacts, at: number): void {
  facts.checkedAt = at;
  for (const ladder of facts.ladders.values())
    for (const bot of facts.bots.values()) {
      const key = `${ladder.id} ${bot.id}`;
      if (bot.house || isAllowedOn(facts, ladder, bot)) facts.outSince.delete(key);
      else if (!facts.outSince.has(key)) facts.outSince.set(key, at);
    }
}

type FinalStandings = ReadonlyMap<LadderId, readonly FinalStanding[]>;

function checkUnchanged(
  { storedStandings }: LadderEndFacts,
  byLadder: FinalStandings,
): string | null {
  for (const [ladderId, places] of byLadder)
    if (!isDeepStrictEqual(storedStandings.get(ladderId), places.map(toStoredStanding)))
      return `the final standings of ${ladderId} differ from those written`;
  const missingLadder = storedStandings.keys().find((ladderId) => !byLadder.has(ladderId));
  return missingLadder === undefined ? null : `the final standings of ${missingLadder} are missing`;
}

function checkOverdue(
  facts: LadderEndFacts,
  { storeFails }: ObservedState,
  { at, wall }: Moment,
): string | null {
  const { ladders, storedStandings, running, dueSince } = facts;
  for (const ladder of ladders.values()) {
    const { id, closesAt } = ladder;
    const isOver = closesAt !== null && wall >= Date.parse(closesAt);
    const isRunning = running.values().some((other) => other === id);
    const isDue =
      isOver && !hasSeasons(id) && !storedStandings.has(id) && !isRunning && !storeFails;
    if (!isDue) dueSince.delete(id);
    else if (at - dueSince.getOrInsert(id, at) > OVERDUE_LIMIT)
      return `${id} is over but never finished`;
  }
  return null;
}
