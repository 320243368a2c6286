// Every rating is the one that a refit from scratch gives for the games played: on boards, in final
// standings, and around sampled games, whose ratings before and after are stored.

import { isDeepStrictEqual } from "node:util";

import { seasonCompetition } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import {
  addGame,
  addResults,
  createCompetitionResults,
  games,
  removeGame,
  setAnchors,
  tally,
} from "#core/rating/competition-results.ts";
import { exactRatings } from "#core/rating/exact.ts";
import type { ExactRating } from "#core/rating/exact.ts";
import { rating, refit } from "#core/rating/fit.ts";
import { exactScore } from "#core/rating/score.ts";
import type { CompetitionResults } from "#core/rating/types.ts";
import { holdsScale } from "#core/words/house.ts";
import type { VersionId } from "#core/words/ids.ts";
import type { Results } from "#core/words/results.ts";
import type { BoardPage, PlayedGame, RatingChange } from "#live/matchmaker/matchmaker.ts";
import { denseFit } from "#testing/fixtures/dense-fit.ts";

import type { Watch } from "./watch.ts";

/** Points that two fits of the same games may differ by. */
const RATING_TOLERANCE = 1e-5;
/**
 * In points. The deviations of a board with more than some hundred versions are refreshed in turns.
 */
const DEVIATION_TOLERANCE = 1;
/** Points that the values told with a game may differ from a dense fit of the games up to it. */
const TOLD_TOLERANCE = 1e-6;
/** One refit in this many is also a dense fit, which costs the cube of the number of versions. */
const REFITS_PER_DENSE_FIT = 20;
/** Versions per board whose deviation is recomputed. */
const DEVIATIONS_CHECKED = 5;

/** The games of one competition that were rated and not taken back. */
type Played = { scope: CompetitionResults; anchors: Set<string> };

type Facts = {
  /** One rated game in this many is refitted, before and after. */
  every: number;
  /** Bots that hold the scale. */
  anchorBots: Set<string>;
  /** By competition. */
  played: Map<string, Played>;
  /** Rated but not yet stored. */
  underway: Map<string, PlayedGame>;
  count: number;
};

export function watchRatings(every: number): Watch {
  const facts: Facts = {
    every,
    anchorBots: new Set(),
    played: new Map(),
    underway: new Map(),
    count: 0,
  };
  return {
    name: "every rating equals a refit",
    on: {
      registered: ({ bot }) => {
        if (holdsScale(bot)) facts.anchorBots.add(bot.id);
      },
      rated: ({ game, change }) => count(facts, game, change),
      taken_back: ({ game }) => discount(facts, game),
      stored: ({ match }) => void facts.underway.delete(match.id),
      killed: () => {
        for (const game of facts.underway.values()) discount(facts, game);
      },
      board: (boards) =>
        compare(facts, boards.competition, boards.page.lines) ?? restarted(facts, boards),
      archived: ({ season, places }) => archived(facts, seasonCompetition(season), places),
      ladder_finished: ({ ladderId, places }) =>
        archived(facts, { ladderId, season: null }, places),
    },
  };
}

function playedIn({ played }: Facts, { ladderId, season }: Competition): Played {
  const key = `${ladderId} ${season}`;
  const known = played.get(key) ?? { scope: createCompetitionResults(), anchors: new Set() };
  played.set(key, known);
  return known;
}

function count(facts: Facts, game: PlayedGame, change: RatingChange): string | null {
  const played = playedIn(facts, game);
  const { scope } = played;
  const { versionIds, matchId, score } = game;
  facts.count += 1;
  const isSampled = facts.count % facts.every === 0;
  const before = isSampled ? ratingsOf(scope, game) : change.before;
  const known = versionIds.map((id) => games(tally(scope, id)));
  noteAnchors(facts, played, game);
  facts.underway.set(matchId, game);
  addGame(scope, versionIds[0], versionIds[1], score);
  const after = isSampled ? ratingsOf(scope, game) : change.after;
  if (!isDeepStrictEqual(known, [...change.games]))
    return `${matchId}: games ${known.join(" ")} are taken for ${change.games.join(" ")}`;
  if (!isDeepStrictEqual([before, after].flat(), [change.before, change.after].flat())) {
    const told = `${change.before.join(" ")} became ${change.after.join(" ")}`;
    return `${matchId}: ${told}, a refit says ${before.join(" ")} and ${after.join(" ")}`;
  }
  const isFittedDensely = facts.count % (facts.every * REFITS_PER_DENSE_FIT) === 0;
  return isFittedDensely ? deniedByDenseFit(played, game, change) : null;
}

function deniedByDenseFit(
  { scope, anchors }: Played,
  { matchId, versionIds }: PlayedGame,
  { exact }: RatingChange,
): string | null {
  const { pairs } = scope;
  const meetings = Array.from({ length: pairs.count }, (_, pair) => {
    const points = pairs.wins[pair]! + pairs.draws[pair]! / 2;
    const met = pairs.wins[pair]! + pairs.draws[pair]! + pairs.losses[pair]!;
    return [pairs.first[pair]!, pairs.second[pair]!, points, met] as const;
  });
  const holding = [...anchors].filter((id) => games(tally(scope, id)) > 0);
  const dense = denseFit(
    scope.versions.length,
    meetings,
    holding.map((id) => scope.indices.get(id)!),
  );
  for (const [seat, told] of exact.entries()) {
    const index = scope.indices.get(versionIds[seat]!)!;
    const [rated, deviation] = [dense.ratings[index]!, dense.deviations[index]!];
    const right = { rating: rated, deviation, score: exactScore(rated, deviation) };
    if (!isNear(told, right))
      return `${matchId}: seat ${seat} is told ${show(told)}, a dense fit says ${show(right)}`;
  }
  return null;
}

const isNear = (one: ExactRating, other: ExactRating): boolean =>
  Math.abs(one.rating - other.rating) <= TOLD_TOLERANCE &&
  Math.abs(one.deviation - other.deviation) <= TOLD_TOLERANCE &&
  Math.abs(one.score - other.score) <= 3 * TOLD_TOLERANCE;

const show = (told: ExactRating): string => JSON.stringify(told);

function ratingsOf(scope: CompetitionResults, { versionIds }: PlayedGame): number[] {
  return versionIds.map((id) => Math.round(rating(scope, id)));
}

/** A version of the house holds the scale from its first game on. */
function noteAnchors({ anchorBots }: Facts, { scope, anchors }: Played, game: PlayedGame): void {
  for (const [seat, id] of game.versionIds.entries())
    if (anchorBots.has(game.botIds[seat]!) && !anchors.has(id))
      setAnchors(scope, [...anchors.add(id)]);
}

function discount(facts: Facts, game: PlayedGame): void {
  const { matchId, versionIds, score } = game;
  if (!facts.underway.delete(matchId)) return;
  removeGame(playedIn(facts, game).scope, versionIds[0], versionIds[1], score);
}

type Line = Results & { versionId: VersionId; rating: number; deviation: number };

function compare(facts: Facts, competition: Competition, lines: readonly Line[]): string | null {
  const fresh = freshScope(playedIn(facts, competition));
  const known = fresh.versions.filter((id) => games(tally(fresh, id)) > 0);
  if (lines.length !== known.length)
    return `${lines.length} versions are on the board, ${known.length} have played`;
  return differs(fresh, lines);
}

function differs(fresh: CompetitionResults, lines: readonly Line[]): string | null {
  for (const [place, line] of lines.entries()) {
    const { versionId } = line;
    const right = rating(fresh, versionId);
    if (!(Math.abs(line.rating - right) <= RATING_TOLERANCE))
      return `${versionId} is rated ${line.rating}, a refit says ${right}`;
    const { wins, draws, losses } = tally(fresh, versionId);
    if (line.wins !== wins || line.draws !== draws || line.losses !== losses)
      return `${versionId} has other results on the board than in its matches`;
    if (place >= DEVIATIONS_CHECKED) continue;
    const exact = exactRatings(fresh, [versionId])[0]!.deviation;
    if (!(Math.abs(line.deviation - exact) <= DEVIATION_TOLERANCE))
      return `${versionId} has a deviation of ${line.deviation}, exactly it is ${exact}`;
  }
  return null;
}

/** The same games, fitted without any trace of an earlier fit. */
function freshScope({ scope, anchors }: Played): CompetitionResults {
  const { versions, pairs } = scope;
  const fresh = createCompetitionResults();
  for (let pair = 0; pair < pairs.count; pair += 1) {
    const results = {
      wins: pairs.wins[pair]!,
      losses: pairs.losses[pair]!,
      draws: pairs.draws[pair]!,
    };
    addResults(fresh, versions[pairs.first[pair]!]!, versions[pairs.second[pair]!]!, results);
  }
  setAnchors(fresh, [...anchors]);
  refit(fresh);
  return fresh;
}

type Boards = { page: BoardPage; reloaded: BoardPage };

/** Must match to the last digit, unless a game is on its way to the store. */
function restarted({ underway }: Facts, { page, reloaded }: Boards): string | null {
  if (underway.size > 0) return null;
  const ratingsOf = ({ lines }: BoardPage) =>
    new Map(lines.map(({ versionId, rating, lastMatchId }) => [versionId, [rating, lastMatchId]]));
  const [now, then] = [ratingsOf(page), ratingsOf(reloaded)];
  for (const [versionId, shown] of now)
    if (!isDeepStrictEqual(shown, then.get(versionId)))
      return `${versionId} is ${shown.join(" ")}, after a restart ${then.get(versionId)?.join(" ")}`;
  return null;
}

function archived(
  facts: Facts,
  competition: Competition,
  places: readonly (Line & { rank: number })[],
): string | null {
  const name = competition.season ?? competition.ladderId;
  if (places.some(({ rank }, place) => rank !== place + 1)) return `${name}: ranks have gaps`;
  const complaint = differs(freshScope(playedIn(facts, competition)), places);
  return complaint === null ? null : `${name}: ${complaint}`;
}
