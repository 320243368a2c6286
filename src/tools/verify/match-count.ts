// Counts the matches in a competition using only its match list.

import { firstTwo } from "#base/util/assert-defined.ts";
import type { BotId } from "#core/ids/ids.ts";
import type { Results } from "#core/ids/results.ts";

import type { ListedMatch } from "./response-schemas.ts";

/** Matches are ordered by end time, then by id. */
export type MatchEndTime = { ended: string; id: string };

export type VersionGames = Results & { botId: BotId; label: string; lastEnd: MatchEndTime };

/** A bot, with its name as of its newest match. */
type KnownBot = { name: string; house: boolean; lastEnd: MatchEndTime };

export type MatchCount = {
  /** By version key. */
  readonly versions: Map<string, VersionGames>;
  /**
   * By two version keys, the smaller key first. Results are from the first version's perspective.
   */
  readonly pairs: Map<string, Map<string, Results>>;
  readonly bots: Map<string, KnownBot>;
  games: number;
  voided: number;
  /** Neither void nor rated. */
  unrated: number;
};

export function createMatchCount(): MatchCount {
  return {
    versions: new Map(),
    pairs: new Map(),
    bots: new Map(),
    games: 0,
    voided: 0,
    unrated: 0,
  };
}

/** Labels never contain `@`. */
export function botVersionKey(botId: BotId, label: string): string {
  return `${botId}@${label}`;
}

export function hasRatings({ bots }: ListedMatch): boolean {
  return bots.every((bot) => bot.rating_before !== undefined && bot.rating_after !== undefined);
}

export function endedLater(a: MatchEndTime, b: MatchEndTime): boolean {
  return a.ended === b.ended ? a.id > b.id : a.ended > b.ended;
}

/** Returns the counts including these matches. Doesn't change `previous`. */
export function withMatches(previous: MatchCount, matches: Iterable<ListedMatch>): MatchCount {
  const count = structuredClone(previous);
  for (const match of matches) addMatchToCount(count, match);
  return count;
}

export function addMatchToCount(count: MatchCount, match: ListedMatch): void {
  for (const { id, name, house } of match.bots) {
    const existing = count.bots.get(id);
    if (existing === undefined || endedLater(match, existing.lastEnd))
      count.bots.set(id, { name, house, lastEnd: endTimeOf(match) });
  }
  const results = firstBotResults(match);
  if (match.voided) count.voided += 1;
  else if (results === null || !hasRatings(match)) count.unrated += 1;
  else countGame(count, match, results);
}

const endTimeOf = ({ ended, id }: ListedMatch): MatchEndTime => ({ ended, id });

/**
 * Returns the first bot's results; null if neither bot is the winner, or if both bots are the same.
 */
function firstBotResults({ winner, bots }: ListedMatch): Results | null {
  const [first, second] = firstTwo(bots);
  if (first.id === second.id || ![first.id, second.id, null].includes(winner)) return null;
  return {
    wins: Number(winner === first.id),
    losses: Number(winner === second.id),
    draws: Number(winner === null),
  };
}

function countGame(count: MatchCount, match: ListedMatch, results: Results): void {
  const [first, second] = firstTwo(match.bots.map(({ id, version }) => botVersionKey(id, version)));
  countVersion(count, match, 0, results);
  countVersion(count, match, 1, mirrorResults(results));
  if (first < second) countPair(count, first, second, results);
  else countPair(count, second, first, mirrorResults(results));
  count.games += 1;
}

function countVersion(
  { versions }: MatchCount,
  match: ListedMatch,
  seat: 0 | 1,
  added: Results,
): void {
  const { id: botId, version: label } = firstTwo(match.bots)[seat];
  const key = botVersionKey(botId, label);
  const lastEnd = endTimeOf(match);
  const existing = versions.get(key);
  if (existing === undefined) versions.set(key, { botId, label, lastEnd, ...added });
  else {
    addResults(existing, added);
    if (endedLater(lastEnd, existing.lastEnd)) existing.lastEnd = lastEnd;
  }
}

function countPair({ pairs }: MatchCount, first: string, second: string, added: Results): void {
  const row = pairs.get(first) ?? new Map<string, Results>();
  pairs.set(first, row);
  const existing = row.get(second);
  if (existing === undefined) row.set(second, { ...added });
  else addResults(existing, added);
}

function mirrorResults({ wins, losses, draws }: Results): Results {
  return { wins: losses, losses: wins, draws };
}

function addResults(total: Results, added: Results): void {
  total.wins += added.wins;
  total.losses += added.losses;
  total.draws += added.draws;
}
