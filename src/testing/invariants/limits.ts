// Match starts respect the match interval, the concurrency limits per server and owner, and the
// hourly and daily quotas.

import { SECOND_US } from "#base/util/time.ts";
import { normalizeOwner } from "#core/accounts/name-rules.ts";
import type { BotId, LadderId, MatchId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER, PUBLIC_LADDER, ladderCapacity } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Limits } from "#core/limits/limits.ts";
import { NO_BOUNDS } from "#core/limits/settings.ts";

import type { BotFacts, Moment, Watch } from "./watch.ts";

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

type MatchStart = Moment & { ladderId: LadderId; botIds: readonly BotId[] };

type LimitFacts = {
  limits: Limits;
  ladders: Map<LadderId, LadderDefinition>;
  bots: Map<string, BotFacts>;
  running: Map<string, MatchStart>;
  /**
   * Starts in the last hour by bot (for house bots, by bot and ladder), and in the last day by
   * owner.
   */
  byBot: Map<string, Moment[]>;
  byOwner: Map<string, Moment[]>;
};

export function watchLimits(limits: Limits): Watch {
  const facts: LimitFacts = {
    limits,
    ladders: new Map([[DEFAULT_LADDER, PUBLIC_LADDER]]),
    bots: new Map(),
    running: new Map(),
    byBot: new Map(),
    byOwner: new Map(),
  };
  return {
    name: "no limit exceeded",
    on: {
      registered: ({ bot }) => void facts.bots.set(bot.id, bot),
      owned: ({ bot }) => void facts.bots.set(bot.id, bot),
      ladder: ({ ladder }) => void facts.ladders.set(ladder.id, ladder),
      recalled: ({ ladders }) => {
        for (const ladder of ladders) facts.ladders.set(ladder.id, ladder);
      },
      started: ({ matchId, ladderId, botIds }, moment) =>
        start(facts, matchId, { ladderId, botIds, ...moment }),
      confirmed: ({ matchId }) => void facts.running.delete(matchId),
      killed: () => dropRunning(facts),
      booted: (_, { wall }) => dropOldStarts(facts, wall),
    },
  };
}

/** Matches lost in a server crash don't count as starts. */
function dropRunning(facts: LimitFacts): void {
  for (const { botIds, ladderId, at } of facts.running.values())
    for (const id of botIds) {
      removeStart(facts.byBot, startKey(facts, id, ladderId), at);
      removeStart(facts.byOwner, ownerKey(facts, id), at);
    }
  facts.running.clear();
}

function removeStart(startsByKey: Map<string, Moment[]>, key: string, at: number): void {
  const list = startsByKey.get(key) ?? [];
  const index = list.findLastIndex((start) => start.at === at);
  if (index !== -1) list.splice(index, 1);
}

/** A restarted server knows earlier starts only by wall-clock time, which may be wrong. */
function dropOldStarts({ byBot, byOwner }: LimitFacts, wall: number): void {
  for (const [startsByKey, window] of [
    [byBot, HOUR_S],
    [byOwner, DAY_S],
  ] as const)
    for (const [key, list] of startsByKey)
      startsByKey.set(
        key,
        list.filter((start) => start.wall > wall - window * 1000),
      );
}

const startKey = ({ bots }: LimitFacts, id: BotId, ladderId: LadderId): string =>
  bots.get(id)?.house === true ? `${id} ${ladderId}` : id;

const ownerKey = ({ bots }: LimitFacts, id: string): string =>
  normalizeOwner(bots.get(id)?.owner ?? id);

function start(facts: LimitFacts, matchId: MatchId, started: MatchStart): string | null {
  const { limits, running } = facts;
  const { ladderId } = started;
  running.set(matchId, started);
  if (running.size > limits.max_concurrent) return `${running.size} matches run concurrently`;
  const houseCount = countHouseMatches(facts);
  if (houseCount > limits.house_concurrency)
    return `${houseCount} matches with a house bot run concurrently`;
  const ladderCount = runningOn(facts, ladderId).length;
  if (ladderCount > ladderBounds(facts, ladderId).maxConcurrent)
    return `${ladderCount} matches run concurrently on ${ladderId}`;
  for (const id of started.botIds) {
    const complaint = checkBotStart(facts, id, started);
    if (complaint !== null) return complaint;
  }
  return null;
}

function countHouseMatches({ running, bots }: LimitFacts): number {
  const hasHouse = ({ botIds }: MatchStart) => botIds.some((id) => bots.get(id)?.house === true);
  return [...running.values()].filter(hasHouse).length;
}

const runningOn = ({ running }: LimitFacts, ladderId: LadderId): MatchStart[] =>
  [...running.values()].filter((started) => started.ladderId === ladderId);

const ladderBounds = ({ ladders, limits }: LimitFacts, ladderId: LadderId) =>
  ladderCapacity(ladders.get(ladderId) ?? PUBLIC_LADDER, limits, NO_BOUNDS);

function checkBotStart(
  facts: LimitFacts,
  id: string,
  { ladderId, at, wall }: MatchStart,
): string | null {
  const { limits, bots, byBot } = facts;
  const name = bots.get(id)?.name ?? id;
  const isHouse = bots.get(id)?.house === true;
  const key = startKey(facts, id, ladderId);
  const interval = (at - (byBot.get(key)?.at(-1)?.at ?? -Infinity)) / SECOND_US;
  const startsInHour = addAndCount(byBot, key, { at, wall }, HOUR_S);
  if (interval < limits.match_interval_s) return `${name} starts again after ${interval} s`;
  if (isHouse) return null;
  const owner = ownerKey(facts, id);
  const ownerCount = countSeats(facts, owner, [...facts.running.values()]);
  const ladderCount = countSeats(facts, owner, runningOn(facts, ladderId));
  if (ownerCount > limits.owner_concurrency) return `${owner} has ${ownerCount} concurrent matches`;
  if (ladderCount > ladderBounds(facts, ladderId).ownerConcurrency)
    return `${owner} has ${ladderCount} concurrent matches on ${ladderId}`;
  if (startsInHour > limits.hourly_quota)
    return `${name} starts ${startsInHour} matches in an hour`;
  const startsInDay = addAndCount(facts.byOwner, owner, { at, wall }, DAY_S);
  if (startsInDay > limits.owner_daily_quota)
    return `${owner} starts ${startsInDay} matches in a day`;
  return null;
}

function countSeats(facts: LimitFacts, owner: string, running: readonly MatchStart[]): number {
  let seats = 0;
  for (const { botIds } of running)
    for (const id of botIds) if (ownerKey(facts, id) === owner) seats += 1;
  return seats;
}

function addAndCount(
  startsByKey: Map<string, Moment[]>,
  key: string,
  start: Moment,
  seconds: number,
): number {
  const since = start.at - seconds * SECOND_US;
  const recent = startsByKey.get(key) ?? [];
  while (recent.length > 0 && recent[0]!.at <= since) recent.shift();
  recent.push(start);
  startsByKey.set(key, recent);
  return recent.length;
}
