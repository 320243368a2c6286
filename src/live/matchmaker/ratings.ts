import { firstTwo, assertDefined } from "#base/util/assert-defined.ts";
import type { BotId } from "#core/ids/ids.ts";
import type { Competition } from "#core/ladder/season.ts";
import { recordGame, recordResults, unrecordGame } from "#core/pairing/matchups.ts";
import {
  addRatedGame,
  addPairResults,
  gamesPlayed,
  removeRatedGame,
  setAnchors,
  versionResults,
} from "#core/rating/competition-results.ts";
import { exactRatings } from "#core/rating/exact-ratings.ts";
import { ratingOf, refit } from "#core/rating/fit.ts";
import { ratingDifference } from "#core/rating/rating-difference.ts";

import {
  anchorVersionsOf,
  beginCompetition,
  ensureState,
  unrecordPlayed,
  recordPlayed,
  stateOf,
} from "./competition.ts";
import type { CompetitionState, Competitions } from "./competition.ts";
import type {
  CompetitionHistory,
  PairComparison,
  RatedMatch,
  RatingChange,
  VersionPair,
} from "./matchmaker.ts";

/** Loads a competition from its earlier matches and makes it the ladder's live competition. */
export function loadCompetition(competitions: Competitions, history: CompetitionHistory): void {
  const { ladderId, season, anchorBots } = history;
  const state = beginCompetition(competitions, { ladderId, season }, anchorBots);
  const { results, matchups, seatSurplus } = state;
  for (const { first, second, map, wins, draws, losses } of history.pairs) {
    addPairResults(results, first, second, { wins, draws, losses });
    recordResults(matchups, { version: first, opponent: second, map, wins, draws, losses });
  }
  for (const { versionId, botId, lastPlayed, lastMatchId, seatBalance } of history.activity) {
    recordPlayed(state, versionId, botId, { lastPlayed, lastMatchId });
    seatSurplus.set(botId, (seatSurplus.get(botId) ?? 0) + seatBalance);
  }
  setAnchors(results, anchorVersionsOf(state));
  refit(results);
}

export function rateMatch(competitions: Competitions, match: RatedMatch): RatingChange {
  const state = ensureState(competitions, match);
  const { results } = state;
  const [first, second] = match.versionIds;
  const before = [
    Math.round(ratingOf(results, first)),
    Math.round(ratingOf(results, second)),
  ] as const;
  const gamesBefore = [
    gamesPlayed(versionResults(results, first)),
    gamesPlayed(versionResults(results, second)),
  ] as const;
  addRatedGame(results, first, second, match.score);
  recordGame(state.matchups, matchupOf(match));
  for (const [seat, versionId] of match.versionIds.entries()) {
    const last = { lastPlayed: match.ended, lastMatchId: match.matchId };
    const botId = assertDefined(match.botIds[seat], "bot");
    recordPlayed(state, versionId, botId, last);
    state.unreadVersions.add(versionId);
    addSeatSurplus(state, botId, seat === 0 ? 1 : -1);
  }
  refitAfterMatch(state, match);
  state.sequence += 1;
  const exact = firstTwo(exactRatings(results, match.versionIds));
  const after = [Math.round(exact[0].rating), Math.round(exact[1].rating)] as const;
  return { sequence: state.sequence, before, after, exact, games: gamesBefore };
}

const matchupOf = ({ versionIds: [version, opponent], map, score }: RatedMatch) => {
  return { version, opponent, map, score };
};

function addSeatSurplus({ seatSurplus }: CompetitionState, botId: BotId, delta: number): void {
  seatSurplus.set(botId, (seatSurplus.get(botId) ?? 0) + delta);
}

/**
 * Anchors follow the current versions of their bots. Changing an anchor discards the fit's warm
 * start, so it only happens when necessary.
 */
function refitAfterMatch(state: CompetitionState, { botIds }: RatedMatch): void {
  state.canonical = null;
  if (botIds.some((botId) => state.anchorBots.has(botId))) {
    const anchors = anchorVersionsOf(state);
    if (anchors.join() !== state.results.anchors.join()) setAnchors(state.results, anchors);
  }
  refit(state.results);
}

export function unrateMatch(competitions: Competitions, match: RatedMatch): void {
  const state = ensureState(competitions, match);
  const [first, second] = match.versionIds;
  removeRatedGame(state.results, first, second, match.score);
  unrecordGame(state.matchups, matchupOf(match));
  addSeatSurplus(state, match.botIds[0], -1);
  addSeatSurplus(state, match.botIds[1], 1);
  for (const versionId of match.versionIds) {
    unrecordPlayed(state, versionId, match.matchId);
    state.unreadVersions.add(versionId);
  }
  refitAfterMatch(state, match);
}

/** Solves the fit's equations once, regardless of the number of matches. */
export function compareVersions(
  competitions: Competitions,
  competition: Competition,
  [first, second]: VersionPair,
): PairComparison {
  const { results } = stateOf(competitions, competition);
  return {
    games: [
      gamesPlayed(versionResults(results, first)),
      gamesPlayed(versionResults(results, second)),
    ],
    ratings: ratingDifference(results, first, second),
  };
}
