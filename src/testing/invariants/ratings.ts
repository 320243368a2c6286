// Every rating equals a refit of all games from scratch. Checked on leaderboards, in final
// standings, and before and after sampled games.

import { isDeepStrictEqual } from "node:util";

import { isScaleAnchor } from "#core/ids/house-bots.ts";
import type { VersionId } from "#core/ids/ids.ts";
import type { Results } from "#core/ids/results.ts";
import { seasonCompetition } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import {
  addRatedGame,
  addPairResults,
  createCompetitionResults,
  gamesPlayed,
  removeRatedGame,
  setAnchors,
  versionResults,
} from "#core/rating/competition-results.ts";
import { exactRatings } from "#core/rating/exact-ratings.ts";
import type { ExactRating } from "#core/rating/exact-ratings.ts";
import { ratingOf, refit } from "#core/rating/fit.ts";
import { exactScore } from "#core/rating/score.ts";
import type { CompetitionResults } from "#core/rating/types.ts";
import type { BoardPage, RatedMatch, RatingChange } from "#live/matchmaker/matchmaker.ts";
import { denseFit } from "#testing/fixtures/dense-rating-fit.ts";

import type { Watch } from "./watch.ts";

/** Tolerance between two fits of the same games, in points. */
const RATING_TOLERANCE = 1e-5;
/**
 * Tolerance for deviations, in points. Boards with more than a few hundred versions recompute
 * deviations in turn, so some may be slightly outdated.
 */
const DEVIATION_TOLERANCE = 1;
/** Tolerance between the rating change sent for a game and a dense fit, in points. */
const REPORTED_TOLERANCE = 1e-6;
/**
 * One in this many refits is checked against a dense fit, whose running time is cubic in the number
 * of versions.
 */
const REFITS_PER_DENSE_FIT = 20;
const DEVIATIONS_CHECKED = 5;

/** Rated games in one competition that haven't been reverted. */
type CompetitionState = { scope: CompetitionResults; anchors: Set<string> };

type RatingFacts = {
  /** For one in this many rated games, ratings are refitted before and after the game. */
  refitEvery: number;
  anchorBots: Set<string>;
  competitions: Map<string, CompetitionState>;
  unsavedGames: Map<string, RatedMatch>;
  countGame: number;
};

export function watchRatings(refitEvery: number): Watch {
  const facts: RatingFacts = {
    refitEvery,
    anchorBots: new Set(),
    competitions: new Map(),
    unsavedGames: new Map(),
    countGame: 0,
  };
  return {
    name: "every rating matches a refit",
    on: {
      registered: ({ bot }) => {
        if (isScaleAnchor(bot)) facts.anchorBots.add(bot.id);
      },
      rated: ({ game, change }) => countGame(facts, game, change),
      taken_back: ({ game }) => uncountGame(facts, game),
      stored: ({ match }) => void facts.unsavedGames.delete(match.id),
      killed: () => {
        for (const game of facts.unsavedGames.values()) uncountGame(facts, game);
      },
      board: (boards) =>
        compareBoard(facts, boards.competition, boards.page.lines) ??
        compareReloaded(facts, boards),
      archived: ({ season, places }) => checkArchived(facts, seasonCompetition(season), places),
      ladder_finished: ({ ladderId, places }) =>
        checkArchived(facts, { ladderId, season: null }, places),
    },
  };
}

function stateOf(
  { competitions }: RatingFacts,
  { ladderId, season }: Competition,
): CompetitionState {
  const key = `${ladderId} ${season}`;
  const known = competitions.get(key) ?? { scope: createCompetitionResults(), anchors: new Set() };
  competitions.set(key, known);
  return known;
}

function countGame(facts: RatingFacts, game: RatedMatch, change: RatingChange): string | null {
  const played = stateOf(facts, game);
  const { scope } = played;
  const { versionIds, matchId, score } = game;
  facts.countGame += 1;
  const isSampled = facts.countGame % facts.refitEvery === 0;
  const before = isSampled ? roundedRatings(scope, game) : change.before;
  const previousCounts = versionIds.map((id) => gamesPlayed(versionResults(scope, id)));
  addAnchors(facts, played, game);
  facts.unsavedGames.set(matchId, game);
  addRatedGame(scope, versionIds[0], versionIds[1], score);
  const after = isSampled ? roundedRatings(scope, game) : change.after;
  if (!isDeepStrictEqual(previousCounts, [...change.games]))
    return `${matchId}: games ${previousCounts.join(" ")} are taken for ${change.games.join(" ")}`;
  if (!isDeepStrictEqual([before, after].flat(), [change.before, change.after].flat())) {
    const reported = `${change.before.join(" ")} became ${change.after.join(" ")}`;
    return `${matchId}: ${reported}, a refit gives ${before.join(" ")} and ${after.join(" ")}`;
  }
  const isFittedDensely = facts.countGame % (facts.refitEvery * REFITS_PER_DENSE_FIT) === 0;
  return isFittedDensely ? compareWithDenseFit(played, game, change) : null;
}

function compareWithDenseFit(
  { scope, anchors }: CompetitionState,
  { matchId, versionIds }: RatedMatch,
  { exact }: RatingChange,
): string | null {
  const { pairs } = scope;
  const pairResults = Array.from({ length: pairs.count }, (_, pair) => {
    const points = pairs.wins[pair]! + pairs.draws[pair]! / 2;
    const gameCount = pairs.wins[pair]! + pairs.draws[pair]! + pairs.losses[pair]!;
    return [pairs.first[pair]!, pairs.second[pair]!, points, gameCount] as const;
  });
  const anchorIds = [...anchors].filter((id) => gamesPlayed(versionResults(scope, id)) > 0);
  const dense = denseFit(
    scope.versions.length,
    pairResults,
    anchorIds.map((id) => scope.indices.get(id)!),
  );
  for (const [seat, reported] of exact.entries()) {
    const index = scope.indices.get(versionIds[seat]!)!;
    const [rated, deviation] = [dense.ratings[index]!, dense.deviations[index]!];
    const expected = { rating: rated, deviation, score: exactScore(rated, deviation) };
    if (!isClose(reported, expected))
      return `${matchId}: seat ${seat} received ${formatRating(reported)}, a dense fit gives ${formatRating(expected)}`;
  }
  return null;
}

const isClose = (a: ExactRating, b: ExactRating): boolean =>
  Math.abs(a.rating - b.rating) <= REPORTED_TOLERANCE &&
  Math.abs(a.deviation - b.deviation) <= REPORTED_TOLERANCE &&
  Math.abs(a.score - b.score) <= 3 * REPORTED_TOLERANCE;

const formatRating = (reported: ExactRating): string => JSON.stringify(reported);

function roundedRatings(scope: CompetitionResults, { versionIds }: RatedMatch): number[] {
  return versionIds.map((id) => Math.round(ratingOf(scope, id)));
}

/** A house version becomes an anchor with its first game. */
function addAnchors(
  { anchorBots }: RatingFacts,
  { scope, anchors }: CompetitionState,
  game: RatedMatch,
): void {
  for (const [seat, id] of game.versionIds.entries())
    if (anchorBots.has(game.botIds[seat]!) && !anchors.has(id))
      setAnchors(scope, [...anchors.add(id)]);
}

function uncountGame(facts: RatingFacts, game: RatedMatch): void {
  const { matchId, versionIds, score } = game;
  if (!facts.unsavedGames.delete(matchId)) return;
  removeRatedGame(stateOf(facts, game).scope, versionIds[0], versionIds[1], score);
}

type RatedLine = Results & { versionId: VersionId; rating: number; deviation: number };

function compareBoard(
  facts: RatingFacts,
  competition: Competition,
  lines: readonly RatedLine[],
): string | null {
  const refitted = refitScope(stateOf(facts, competition));
  const known = refitted.versions.filter((id) => gamesPlayed(versionResults(refitted, id)) > 0);
  if (lines.length !== known.length)
    return `${lines.length} versions are on the board, ${known.length} have played`;
  return compareLines(refitted, lines);
}

function compareLines(refitted: CompetitionResults, lines: readonly RatedLine[]): string | null {
  for (const [index, line] of lines.entries()) {
    const { versionId } = line;
    const expected = ratingOf(refitted, versionId);
    if (!(Math.abs(line.rating - expected) <= RATING_TOLERANCE))
      return `${versionId} is rated ${line.rating}, a refit gives ${expected}`;
    const { wins, draws, losses } = versionResults(refitted, versionId);
    if (line.wins !== wins || line.draws !== draws || line.losses !== losses)
      return `${versionId} has different results on the board and in its matches`;
    if (index >= DEVIATIONS_CHECKED) continue;
    const exact = exactRatings(refitted, [versionId])[0]!.deviation;
    if (!(Math.abs(line.deviation - exact) <= DEVIATION_TOLERANCE))
      return `${versionId} has deviation ${line.deviation}, exact value ${exact}`;
  }
  return null;
}

function refitScope({ scope, anchors }: CompetitionState): CompetitionResults {
  const { versions, pairs } = scope;
  const refitted = createCompetitionResults();
  for (let pair = 0; pair < pairs.count; pair += 1) {
    const results = {
      wins: pairs.wins[pair]!,
      losses: pairs.losses[pair]!,
      draws: pairs.draws[pair]!,
    };
    addPairResults(
      refitted,
      versions[pairs.first[pair]!]!,
      versions[pairs.second[pair]!]!,
      results,
    );
  }
  setAnchors(refitted, [...anchors]);
  refit(refitted);
  return refitted;
}

type BoardPages = { page: BoardPage; reloaded: BoardPage };

/** The two boards must be identical unless a game is being stored. */
function compareReloaded(
  { unsavedGames }: RatingFacts,
  { page, reloaded }: BoardPages,
): string | null {
  if (unsavedGames.size > 0) return null;
  const ratingsOf = ({ lines }: BoardPage) =>
    new Map(lines.map(({ versionId, rating, lastMatchId }) => [versionId, [rating, lastMatchId]]));
  const [current, reloadedRatings] = [ratingsOf(page), ratingsOf(reloaded)];
  for (const [versionId, currentRating] of current)
    if (!isDeepStrictEqual(currentRating, reloadedRatings.get(versionId)))
      return `${versionId} is ${currentRating.join(" ")}, but ${reloadedRatings.get(versionId)?.join(" ")} after a restart`;
  return null;
}

function checkArchived(
  facts: RatingFacts,
  competition: Competition,
  places: readonly (RatedLine & { rank: number })[],
): string | null {
  const name = competition.season ?? competition.ladderId;
  if (places.some(({ rank }, index) => rank !== index + 1)) return `${name}: gaps between ranks`;
  const complaint = compareLines(refitScope(stateOf(facts, competition)), places);
  return complaint === null ? null : `${name}: ${complaint}`;
}
