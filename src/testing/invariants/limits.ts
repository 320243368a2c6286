// No limit on starts is exceeded: the interval, concurrent matches of the server and of an owner,
// and the hourly and daily quotas.

import { SECOND } from "#base/units/time.ts";
import { ownerFold } from "#core/accounts/name.ts";
import { DEFAULT_LADDER, PUBLIC, capacityOf } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { BotId, LadderId, MatchId } from "#core/words/ids.ts";
import type { Limits } from "#core/words/limits.ts";
import { NO_BOUNDS } from "#core/words/settings.ts";

import type { BotFacts, Moment, Watch } from "./watch.ts";

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

type Started = Moment & { ladderId: LadderId; botIds: readonly BotId[] };

type Facts = {
  limits: Limits;
  ladders: Map<LadderId, LadderDefinition>;
  bots: Map<string, BotFacts>;
  running: Map<string, Started>;
  /** The starts of each bot's last hour, of a house bot by ladder, and each owner's last day. */
  byBot: Map<string, Moment[]>;
  byOwner: Map<string, Moment[]>;
};

export function watchLimits(limits: Limits): Watch {
  const facts: Facts = {
    limits,
    ladders: new Map([[DEFAULT_LADDER, PUBLIC]]),
    bots: new Map(),
    running: new Map(),
    byBot: new Map(),
    byOwner: new Map(),
  };
  return {
    name: "no limit passed",
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
      killed: () => forgetRunning(facts),
      booted: (_, { wall }) => forgetOld(facts, wall),
    },
  };
}

/** Matches that die with the server do not count as starts. */
function forgetRunning(facts: Facts): void {
  for (const { botIds, ladderId, at } of facts.running.values())
    for (const id of botIds) {
      remove(facts.byBot, keyOf(facts, id, ladderId), at);
      remove(facts.byOwner, ownerOf(facts, id), at);
    }
  facts.running.clear();
}

function remove(lists: Map<string, Moment[]>, key: string, at: number): void {
  const list = lists.get(key) ?? [];
  const place = list.findLastIndex((start) => start.at === at);
  if (place !== -1) list.splice(place, 1);
}

/** A new process knows earlier starts only by their wall times, right or wrong. */
function forgetOld({ byBot, byOwner }: Facts, wall: number): void {
  for (const [lists, window] of [
    [byBot, HOUR_S],
    [byOwner, DAY_S],
  ] as const)
    for (const [key, list] of lists)
      lists.set(
        key,
        list.filter((start) => start.wall > wall - window * 1000),
      );
}

const keyOf = ({ bots }: Facts, id: BotId, ladderId: LadderId): string =>
  bots.get(id)?.house === true ? `${id} ${ladderId}` : id;

const ownerOf = ({ bots }: Facts, id: string): string => ownerFold(bots.get(id)?.owner ?? id);

function start(facts: Facts, matchId: MatchId, started: Started): string | null {
  const { limits, running } = facts;
  const { ladderId } = started;
  running.set(matchId, started);
  if (running.size > limits.max_concurrent) return `${running.size} matches run at once`;
  const house = withHouse(facts);
  if (house > limits.house_concurrency) return `${house} matches with a house bot run at once`;
  const here = runningOn(facts, ladderId).length;
  if (here > boundsOf(facts, ladderId).maxConcurrent)
    return `${here} matches run at once on ${ladderId}`;
  for (const id of started.botIds) {
    const complaint = startOf(facts, id, started);
    if (complaint !== null) return complaint;
  }
  return null;
}

function withHouse({ running, bots }: Facts): number {
  const hasHouse = ({ botIds }: Started) => botIds.some((id) => bots.get(id)?.house === true);
  return [...running.values()].filter(hasHouse).length;
}

const runningOn = ({ running }: Facts, ladderId: LadderId): Started[] =>
  [...running.values()].filter((started) => started.ladderId === ladderId);

const boundsOf = ({ ladders, limits }: Facts, ladderId: LadderId) =>
  capacityOf(ladders.get(ladderId) ?? PUBLIC, limits, NO_BOUNDS);

function startOf(facts: Facts, id: string, { ladderId, at, wall }: Started): string | null {
  const { limits, bots, byBot } = facts;
  const name = bots.get(id)?.name ?? id;
  const isHouse = bots.get(id)?.house === true;
  const key = keyOf(facts, id, ladderId);
  const interval = (at - (byBot.get(key)?.at(-1)?.at ?? -Infinity)) / SECOND;
  const hour = count(byBot, key, { at, wall }, HOUR_S);
  if (interval < limits.match_interval_s) return `${name} starts again after ${interval} s`;
  if (isHouse) return null;
  const owner = ownerOf(facts, id);
  const atOnce = seatsOf(facts, owner, [...facts.running.values()]);
  const here = seatsOf(facts, owner, runningOn(facts, ladderId));
  if (atOnce > limits.owner_concurrency) return `${owner} has ${atOnce} matches at once`;
  if (here > boundsOf(facts, ladderId).ownerConcurrency)
    return `${owner} has ${here} matches at once on ${ladderId}`;
  if (hour > limits.hourly_quota) return `${name} starts ${hour} matches in an hour`;
  const day = count(facts.byOwner, owner, { at, wall }, DAY_S);
  if (day > limits.owner_daily_quota) return `${owner} starts ${day} matches in a day`;
  return null;
}

function seatsOf(facts: Facts, owner: string, running: readonly Started[]): number {
  let seats = 0;
  for (const { botIds } of running)
    for (const id of botIds) if (ownerOf(facts, id) === owner) seats += 1;
  return seats;
}

/** Adds a start and counts those in the window that ends with it. */
function count(lists: Map<string, Moment[]>, key: string, start: Moment, seconds: number): number {
  const since = start.at - seconds * SECOND;
  const recent = lists.get(key) ?? [];
  while (recent.length > 0 && recent[0]!.at <= since) recent.shift();
  recent.push(start);
  lists.set(key, recent);
  return recent.length;
}
