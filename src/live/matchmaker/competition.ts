// State of one competition: a ladder, or a season of the public ladder.

import type { BotId, LadderId, MatchId, VersionId } from "#core/ids/ids.ts";
import type { Competition } from "#core/ladder/season.ts";
import { createMatchups } from "#core/pairing/matchups.ts";
import type { Matchups } from "#core/pairing/matchups.ts";
import { createCompetitionResults } from "#core/rating/competition-results.ts";
import type { CompetitionResults } from "#core/rating/types.ts";

export type LastRatedMatch = { lastPlayed: string; lastMatchId: string };

/** `previous` is the match before `last`. It is restored if `last` is reverted. */
type PlayedVersion = { botId: BotId; last: LastRatedMatch; previous: LastRatedMatch | null };

export type CompetitionState = {
  readonly competition: Competition;
  readonly results: CompetitionResults;
  readonly matchups: Matchups;
  readonly playedVersions: Map<string, PlayedVersion>;
  /** By bot id: number of matches on seat 0 minus number of matches on seat 1. */
  readonly seatSurplus: Map<string, number>;
  /** The rating scale is anchored at the last played version of each anchor bot. */
  readonly anchorBots: ReadonlySet<string>;
  sequence: number;
  /** Versions that have played since the board was last read. */
  readonly unreadVersions: Set<string>;
  /** The same counts fitted from scratch in canonical order; null after a count changes. */
  canonical: CompetitionResults | null;
};

/** In the order in which the competitions were loaded. */
export type Competitions = Map<string, CompetitionState>;

const competitionKey = ({ ladderId, season }: Competition): string => `${ladderId} ${season ?? ""}`;

/**
 * Returns a competition's state for reading. For an unknown competition, returns an empty state
 * without storing it.
 */
export function stateOf(competitions: Competitions, competition: Competition): CompetitionState {
  return competitions.get(competitionKey(competition)) ?? emptyState(competition, []);
}

export function ensureState(
  competitions: Competitions,
  competition: Competition,
): CompetitionState {
  return (
    competitions.get(competitionKey(competition)) ?? beginCompetition(competitions, competition, [])
  );
}

/** Returns the ladder's live competition, which pairing uses. It is the one loaded last. */
export function liveState(competitions: Competitions, ladderId: LadderId): CompetitionState {
  const states = [...competitions.values()].filter(
    (state) => state.competition.ladderId === ladderId,
  );
  return states.at(-1) ?? emptyState({ ladderId, season: null }, []);
}

export function beginCompetition(
  competitions: Competitions,
  competition: Competition,
  anchorBots: readonly string[],
): CompetitionState {
  const state = emptyState(competition, anchorBots);
  competitions.delete(competitionKey(competition));
  competitions.set(competitionKey(competition), state);
  return state;
}

function emptyState(competition: Competition, anchorBots: readonly string[]): CompetitionState {
  return {
    competition,
    results: createCompetitionResults(),
    matchups: createMatchups(),
    playedVersions: new Map(),
    seatSurplus: new Map(),
    anchorBots: new Set(anchorBots),
    sequence: 0,
    unreadVersions: new Set(),
    canonical: null,
  };
}

export function dropCompetition(competitions: Competitions, competition: Competition): void {
  competitions.delete(competitionKey(competition));
}

/** Records a version's match. Has no effect if the recorded last match is newer. */
export function recordPlayed(
  { playedVersions }: CompetitionState,
  versionId: VersionId,
  botId: BotId,
  lastMatch: LastRatedMatch,
): void {
  const existing = playedVersions.get(versionId)?.last ?? null;
  if (existing === null || recencyKey(lastMatch) > recencyKey(existing))
    playedVersions.set(versionId, { botId, last: lastMatch, previous: existing });
}

/**
 * Reverts a version's last match. A version plays one match at a time, so a reverted match is
 * always its last.
 */
export function unrecordPlayed(
  { playedVersions }: CompetitionState,
  versionId: VersionId,
  matchId: MatchId,
): void {
  const existing = playedVersions.get(versionId);
  if (existing?.last.lastMatchId !== matchId) return;
  if (existing.previous === null) playedVersions.delete(versionId);
  else
    playedVersions.set(versionId, {
      botId: existing.botId,
      last: existing.previous,
      previous: null,
    });
}

/** Sorts as in the store: by end time, then by id. */
const recencyKey = ({ lastPlayed, lastMatchId }: LastRatedMatch): string =>
  `${lastPlayed} ${lastMatchId}`;

/**
 * Returns the last played version of each anchor bot, sorted. The result depends only on stored
 * matches.
 */
export function anchorVersionsOf({ playedVersions, anchorBots }: CompetitionState): string[] {
  const latestByBot = new Map<string, { version: string; recency: string }>();
  for (const [version, { botId, last }] of playedVersions) {
    if (!anchorBots.has(botId)) continue;
    const recency = recencyKey(last);
    if (recency > (latestByBot.get(botId)?.recency ?? ""))
      latestByBot.set(botId, { version, recency });
  }
  return [...latestByBot.values()].map(({ version }) => version).toSorted();
}
