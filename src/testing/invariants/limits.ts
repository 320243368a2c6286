// No limit on starts is exceeded: the interval, concurrent matches of the server and of an owner,
// and the hourly and daily quotas.

import { SECOND } from "#base/units/time.ts";
import { ownerFold } from "#core/accounts/name.ts";
import type { BotId, MatchId } from "#core/words/ids.ts";
import type { Limits } from "#core/words/limits.ts";

import type { BotFacts, Moment, Watch } from "./watch.ts";

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

type Started = Moment & { botIds: readonly BotId[] };

type Facts = {
  limits: Limits;
  bots: Map<string, BotFacts>;
  running: Map<string, Started>;
  /** The starts of each bot's last hour and each owner's last day. */
  byBot: Map<string, Moment[]>;
  byOwner: Map<string, Moment[]>;
};

export function watchLimits(limits: Limits): Watch {
  const facts: Facts = {
    limits,
    bots: new Map(),
    running: new Map(),
    byBot: new Map(),
    byOwner: new Map(),
  };
  return {
    name: "no limit passed",
    on: {
      registered: ({ bot }) => void facts.bots.set(bot.id, bot),
      started: ({ matchId, botIds }, moment) => start(facts, matchId, { botIds, ...moment }),
      confirmed: ({ matchId }) => void facts.running.delete(matchId),
      killed: () => forgetRunning(facts),
      booted: (_, { wall }) => forgetOld(facts, wall),
    },
  };
}

/** Matches that die with the server do not count as starts. */
function forgetRunning(facts: Facts): void {
  for (const { botIds, at } of facts.running.values())
    for (const id of botIds) {
      remove(facts.byBot, id, at);
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

const ownerOf = ({ bots }: Facts, id: string): string => ownerFold(bots.get(id)?.owner ?? id);

function start(facts: Facts, matchId: MatchId, started: Started): string | null {
  const { limits, running } = facts;
  running.set(matchId, started);
  if (running.size > limits.max_concurrent) return `${running.size} matches run at once`;
  for (const id of started.botIds) {
    const complaint = startOf(facts, id, started);
    if (complaint !== null) return complaint;
  }
  return null;
}

function startOf(facts: Facts, id: string, { at, wall }: Started): string | null {
  const { limits, bots, byBot } = facts;
  const name = bots.get(id)?.name ?? id;
  const interval = (at - (byBot.get(id)?.at(-1)?.at ?? -Infinity)) / SECOND;
  const hour = count(byBot, id, { at, wall }, HOUR_S);
  if (interval < limits.match_interval_s) return `${name} starts again after ${interval} s`;
  if (bots.get(id)?.house === true) return null;
  const owner = ownerOf(facts, id);
  const atOnce = runningOf(facts, owner);
  if (atOnce > limits.owner_concurrency) return `${owner} has ${atOnce} matches at once`;
  if (hour > limits.hourly_quota) return `${name} starts ${hour} matches in an hour`;
  const day = count(facts.byOwner, owner, { at, wall }, DAY_S);
  if (day > limits.owner_daily_quota) return `${owner} starts ${day} matches in a day`;
  return null;
}

function runningOf(facts: Facts, owner: string): number {
  let seats = 0;
  for (const { botIds } of facts.running.values())
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
