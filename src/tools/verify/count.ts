// The games of a competition, counted from its list of matches and nothing else.

import { bothOf } from "#base/units/sure.ts";
import type { BotId } from "#core/words/ids.ts";
import type { Results } from "#core/words/results.ts";

import type { ListedMatch } from "./answers.ts";

/** Matches are ordered by their end, then by id. */
export type EndMoment = { ended: string; id: string };

/** Rated games of one version. */
export type VersionGames = Results & { botId: BotId; label: string; last: EndMoment };

/** A bot, named as in its newest match. */
type KnownBot = { name: string; house: boolean; last: EndMoment };

export type Count = {
  /** By version key. */
  readonly versions: Map<string, VersionGames>;
  /** By two version keys, the lesser one first; results are those of the first. */
  readonly pairs: Map<string, Map<string, Results>>;
  /** By bot id. */
  readonly bots: Map<string, KnownBot>;
  games: number;
  voided: number;
  /** Neither void nor rated. */
  unrated: number;
};

export function createCount(): Count {
  return {
    versions: new Map(),
    pairs: new Map(),
    bots: new Map(),
    games: 0,
    voided: 0,
    unrated: 0,
  };
}

/** Labels have no `@`. */
export function versionKey(botId: BotId, label: string): string {
  return `${botId}@${label}`;
}

/** Whether a match states a rating change for both bots. */
export function isRated({ bots }: ListedMatch): boolean {
  return bots.every((bot) => bot.rating_before !== undefined && bot.rating_after !== undefined);
}

export function isLater(one: EndMoment, other: EndMoment): boolean {
  return one.ended === other.ended ? one.id > other.id : one.ended > other.ended;
}

/** Adds these matches to those counted before, without changing that count. */
export function countMore(before: Count, matches: Iterable<ListedMatch>): Count {
  const count = structuredClone(before);
  for (const match of matches) countMatch(count, match);
  return count;
}

export function countMatch(count: Count, match: ListedMatch): void {
  for (const { id, name, house } of match.bots) {
    const known = count.bots.get(id);
    if (known === undefined || isLater(match, known.last))
      count.bots.set(id, { name, house, last: momentOf(match) });
  }
  const results = resultsOf(match);
  if (match.voided) count.voided += 1;
  else if (results === null || !isRated(match)) count.unrated += 1;
  else countGame(count, match, results);
}

const momentOf = ({ ended, id }: ListedMatch): EndMoment => ({ ended, id });

/** Results of the first bot; null if somebody else won, or if both bots are the same. */
function resultsOf({ winner, bots }: ListedMatch): Results | null {
  const [first, second] = bothOf(bots);
  if (first.id === second.id || ![first.id, second.id, null].includes(winner)) return null;
  return {
    wins: Number(winner === first.id),
    losses: Number(winner === second.id),
    draws: Number(winner === null),
  };
}

function countGame(count: Count, match: ListedMatch, results: Results): void {
  const [first, second] = bothOf(match.bots.map(({ id, version }) => versionKey(id, version)));
  countVersion(count, match, 0, results);
  countVersion(count, match, 1, mirrored(results));
  if (first < second) countPair(count, first, second, results);
  else countPair(count, second, first, mirrored(results));
  count.games += 1;
}

function countVersion({ versions }: Count, match: ListedMatch, seat: 0 | 1, more: Results): void {
  const { id: botId, version: label } = bothOf(match.bots)[seat];
  const key = versionKey(botId, label);
  const last = momentOf(match);
  const known = versions.get(key);
  if (known === undefined) versions.set(key, { botId, label, last, ...more });
  else {
    addResults(known, more);
    if (isLater(last, known.last)) known.last = last;
  }
}

function countPair({ pairs }: Count, first: string, second: string, more: Results): void {
  const row = pairs.get(first) ?? new Map<string, Results>();
  pairs.set(first, row);
  const known = row.get(second);
  if (known === undefined) row.set(second, { ...more });
  else addResults(known, more);
}

function mirrored({ wins, losses, draws }: Results): Results {
  return { wins: losses, losses: wins, draws };
}

function addResults(sum: Results, more: Results): void {
  sum.wins += more.wins;
  sum.losses += more.losses;
  sum.draws += more.draws;
}
