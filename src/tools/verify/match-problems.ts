// Finds contradictions within a listed match, regardless of the leaderboard.

import { firstTwo } from "#base/util/assert-defined.ts";

import type { ListedMatch, ListedSeason } from "./response-schemas.ts";

/** The competition to verify: a ladder, or a season of the public ladder. */
export type ListedCompetition = { ladder: string; season: ListedSeason | null };

export type MatchProblem = { match: string; problem: string };

/** Maximum time by which a server's clock may be set back while a season opens, in ms. */
const CLOCK_SLACK_MS = 60_000;
/** Far beyond any rating that a fit with a virtual draw can give. */
const MAX_POINTS = 100_000;

/** Returns an empty list if the match is plausible. */
export function findMatchProblems(match: ListedMatch, scope: ListedCompetition): MatchProblem[] {
  const problems = [
    checkCompetition(match, scope),
    checkResult(match),
    match.voided ? checkVoid(match) : checkRatings(match, scope),
  ];
  return problems.flatMap((problem) => (problem === null ? [] : { match: match.id, problem }));
}

function checkCompetition(
  { ladder_id, started }: ListedMatch,
  { ladder, season }: ListedCompetition,
) {
  if (ladder_id !== ladder) return `belongs to the ladder ${ladder_id}`;
  if (season === null) return null;
  if (started === undefined) return "has no start time";
  const atMs = Date.parse(started);
  const isWithinSeason =
    atMs >= Date.parse(season.opens_at) - CLOCK_SLACK_MS &&
    atMs < Date.parse(season.closes_at) + CLOCK_SLACK_MS;
  return isWithinSeason ? null : `started at ${started}, outside the season ${season.id}`;
}

function checkResult({ winner, voided, bots }: ListedMatch): string | null {
  const [first, second] = firstTwo(bots);
  if (first.id === second.id) return `pairs ${first.name} with itself`;
  if (voided && winner !== null) return "is void, but has a winner";
  return [first.id, second.id, null].includes(winner) ? null : "was won by neither of its bots";
}

type MatchBot = ListedMatch["bots"][number];

const ratingValues = ({ rating_before, rating_after }: MatchBot) => [rating_before, rating_after];

function checkVoid({ bots }: ListedMatch): string | null {
  return bots.flatMap(ratingValues).every((ratingValue) => ratingValue === undefined)
    ? null
    : "is void, but has ratings";
}

/** On the public ladder every match is rated. Elsewhere a match may be unrated. */
function checkRatings({ bots }: ListedMatch, { season }: ListedCompetition): string | null {
  const presentRatings = bots
    .flatMap(ratingValues)
    .filter((ratingValue) => ratingValue !== undefined);
  if (presentRatings.length === 0)
    return season === null ? null : "is not void, but has no ratings";
  if (presentRatings.length < 2 * bots.length) return "lacks some ratings";
  const isPlausible = presentRatings.every(
    (points) => Number.isInteger(points) && Math.abs(points) <= MAX_POINTS,
  );
  return isPlausible ? null : `has a rating that is not a whole number within ±${MAX_POINTS}`;
}
