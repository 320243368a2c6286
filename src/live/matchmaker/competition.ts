// What is known about one competition: a ladder or, on public, one of its seasons.

import type { Competition } from "#core/ladder/season.ts";
import { createMatchups } from "#core/pairing/matchups.ts";
import type { Matchups } from "#core/pairing/matchups.ts";
import { createCompetitionResults } from "#core/rating/competition-results.ts";
import type { CompetitionResults } from "#core/rating/types.ts";
import type { BotId, LadderId, MatchId, VersionId } from "#core/words/ids.ts";

export type LastGame = { lastPlayed: string; lastMatchId: string };

/** `former` is the previous `last`, kept in case the last game is taken back. */
type Played = { botId: BotId; last: LastGame; former: LastGame | null };

export type CompetitionState = {
  readonly competition: Competition;
  readonly scope: CompetitionResults;
  readonly matchups: Matchups;
  /** By version id. */
  readonly played: Map<string, Played>;
  /** By bot id: games on seat 0 minus games on seat 1. */
  readonly seatSurplus: Map<string, number>;
  /** The version that each of these bots last played with anchors the scale. */
  readonly anchorBots: ReadonlySet<string>;
  sequence: number;
  /** Versions that have played since the board was last read. */
  readonly unread: Set<string>;
  /** The same counts in canonical order, fitted from nothing; null once a count has changed. */
  canonical: CompetitionResults | null;
};

/** In the order in which competitions were loaded. */
export type Competitions = Map<string, CompetitionState>;

const keyOf = ({ ladderId, season }: Competition): string => `${ladderId} ${season ?? ""}`;

/** For reading: an unknown competition is empty and is not kept. */
export function stateOf(competitions: Competitions, competition: Competition): CompetitionState {
  return competitions.get(keyOf(competition)) ?? emptyState(competition, []);
}

/** For counting: an unknown competition begins. */
export function begunState(competitions: Competitions, competition: Competition): CompetitionState {
  return competitions.get(keyOf(competition)) ?? beginCompetition(competitions, competition, []);
}

/** A ladder's live competition, where its bots are paired: the one begun last. */
export function liveState(competitions: Competitions, ladderId: LadderId): CompetitionState {
  const states = [...competitions.values()].filter((one) => one.competition.ladderId === ladderId);
  return states.at(-1) ?? emptyState({ ladderId, season: null }, []);
}

/** Discards what was known and begins again, as the last competition. */
export function beginCompetition(
  competitions: Competitions,
  competition: Competition,
  anchorBots: readonly string[],
): CompetitionState {
  const state = emptyState(competition, anchorBots);
  competitions.delete(keyOf(competition));
  competitions.set(keyOf(competition), state);
  return state;
}

function emptyState(competition: Competition, anchorBots: readonly string[]): CompetitionState {
  return {
    competition,
    scope: createCompetitionResults(),
    matchups: createMatchups(),
    played: new Map(),
    seatSurplus: new Map(),
    anchorBots: new Set(anchorBots),
    sequence: 0,
    unread: new Set(),
    canonical: null,
  };
}

export function forgetCompetition(competitions: Competitions, competition: Competition): void {
  competitions.delete(keyOf(competition));
}

/** Notes when a version played; a game that ended before the noted one changes nothing. */
export function notePlayed(
  { played }: CompetitionState,
  versionId: VersionId,
  botId: BotId,
  game: LastGame,
): void {
  const known = played.get(versionId)?.last ?? null;
  if (known === null || ageKey(game) > ageKey(known))
    played.set(versionId, { botId, last: game, former: known });
}

/** A version plays one match at a time, so a game that is taken back is its last one. */
export function forgetPlayed(
  { played }: CompetitionState,
  versionId: VersionId,
  matchId: MatchId,
): void {
  const known = played.get(versionId);
  if (known?.last.lastMatchId !== matchId) return;
  if (known.former === null) played.delete(versionId);
  else played.set(versionId, { botId: known.botId, last: known.former, former: null });
}

/** The store's order: by end, then by id. */
const ageKey = ({ lastPlayed, lastMatchId }: LastGame): string => `${lastPlayed} ${lastMatchId}`;

/** The version that each anchor bot last played with, sorted. It follows from what is stored. */
export function anchorsOf({ played, anchorBots }: CompetitionState): string[] {
  const current = new Map<string, { version: string; age: string }>();
  for (const [version, { botId, last }] of played) {
    if (!anchorBots.has(botId)) continue;
    const age = ageKey(last);
    if (age > (current.get(botId)?.age ?? "")) current.set(botId, { version, age });
  }
  return [...current.values()].map(({ version }) => version).toSorted();
}
