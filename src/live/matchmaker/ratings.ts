// Ratings and pairing of all ladders: the state and the answers of the matchmaker's thread.

import { bothOf, sure } from "#base/units/sure.ts";
import type { Competition } from "#core/ladder/season.ts";
import { recordGame, recordResults, unrecordGame } from "#core/pairing/matchups.ts";
import {
  addGame,
  addResults,
  games,
  removeGame,
  setAnchors,
  tally,
} from "#core/rating/competition-results.ts";
import { ratingDifference } from "#core/rating/difference.ts";
import { exactRatings } from "#core/rating/exact.ts";
import { rating, refit } from "#core/rating/fit.ts";
import type { BotId } from "#core/words/ids.ts";

import {
  anchorsOf,
  beginCompetition,
  begunState,
  forgetPlayed,
  notePlayed,
  stateOf,
} from "./competition.ts";
import type { CompetitionState, Competitions } from "./competition.ts";
import type {
  CompetitionHistory,
  PairComparison,
  PlayedGame,
  RatingChange,
  VersionPair,
} from "./matchmaker.ts";

/** Begins a competition from its earlier games; from now on it is its ladder's live one. */
export function loadCompetition(competitions: Competitions, history: CompetitionHistory): void {
  const { ladderId, season, anchorBots } = history;
  const state = beginCompetition(competitions, { ladderId, season }, anchorBots);
  const { scope, matchups, seatSurplus } = state;
  for (const { first, second, map, wins, draws, losses } of history.pairs) {
    addResults(scope, first, second, { wins, draws, losses });
    recordResults(matchups, { version: first, opponent: second, map, wins, draws, losses });
  }
  for (const { versionId, botId, lastPlayed, lastMatchId, seatBalance } of history.activity) {
    notePlayed(state, versionId, botId, { lastPlayed, lastMatchId });
    seatSurplus.set(botId, (seatSurplus.get(botId) ?? 0) + seatBalance);
  }
  setAnchors(scope, anchorsOf(state));
  refit(scope);
}

export function rateGame(competitions: Competitions, game: PlayedGame): RatingChange {
  const state = begunState(competitions, game);
  const { scope } = state;
  const [first, second] = game.versionIds;
  const before = [Math.round(rating(scope, first)), Math.round(rating(scope, second))] as const;
  const played = [games(tally(scope, first)), games(tally(scope, second))] as const;
  addGame(scope, first, second, game.score);
  recordGame(state.matchups, matchupGame(game));
  for (const [seat, versionId] of game.versionIds.entries()) {
    const last = { lastPlayed: game.ended, lastMatchId: game.matchId };
    const botId = sure(game.botIds[seat], "bot");
    notePlayed(state, versionId, botId, last);
    state.unread.add(versionId);
    countSeat(state, botId, seat === 0 ? 1 : -1);
  }
  refitAfter(state, game);
  state.sequence += 1;
  const exact = bothOf(exactRatings(scope, game.versionIds));
  const after = [Math.round(exact[0].rating), Math.round(exact[1].rating)] as const;
  return { sequence: state.sequence, before, after, exact, games: played };
}

const matchupGame = ({ versionIds: [version, opponent], map, score }: PlayedGame) => {
  return { version, opponent, map, score };
};

function countSeat({ seatSurplus }: CompetitionState, botId: BotId, by: number): void {
  seatSurplus.set(botId, (seatSurplus.get(botId) ?? 0) + by);
}

/** The anchor follows the version that its bot plays. Setting it discards the fit's warm start. */
function refitAfter(state: CompetitionState, { botIds }: PlayedGame): void {
  state.canonical = null;
  if (botIds.some((botId) => state.anchorBots.has(botId))) {
    const anchors = anchorsOf(state);
    if (anchors.join() !== state.scope.anchors.join()) setAnchors(state.scope, anchors);
  }
  refit(state.scope);
}

export function unrateGame(competitions: Competitions, game: PlayedGame): void {
  const state = begunState(competitions, game);
  const [first, second] = game.versionIds;
  removeGame(state.scope, first, second, game.score);
  unrecordGame(state.matchups, matchupGame(game));
  countSeat(state, game.botIds[0], -1);
  countSeat(state, game.botIds[1], 1);
  for (const versionId of game.versionIds) {
    forgetPlayed(state, versionId, game.matchId);
    state.unread.add(versionId);
  }
  refitAfter(state, game);
}

/** One solution of the fit's equations, whatever the number of games. */
export function compareVersions(
  competitions: Competitions,
  competition: Competition,
  [first, second]: VersionPair,
): PairComparison {
  const { scope } = stateOf(competitions, competition);
  return {
    games: [games(tally(scope, first)), games(tally(scope, second))],
    ratings: ratingDifference(scope, first, second),
  };
}
