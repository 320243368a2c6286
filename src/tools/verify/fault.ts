// What cannot be true of a listed match, whatever the leaderboard says.

import { bothOf } from "#base/units/sure.ts";

import type { ListedMatch, ListedSeason } from "./answers.ts";

/** What is verified: a ladder, or on public one of its seasons. */
export type ListedCompetition = { ladder: string; season: ListedSeason | null };

export type MatchFault = { match: string; problem: string };

/** A server's clock may be set back by this much while a season opens. */
const CLOCK_SLACK_MS = 60_000;

/** Empty if the match may be as it is listed. */
export function faultsOf(match: ListedMatch, scope: ListedCompetition): MatchFault[] {
  const problems = [
    placeProblem(match, scope),
    resultProblem(match),
    match.voided ? voidProblem(match) : ratingProblem(match, scope),
  ];
  return problems.flatMap((problem) => (problem === null ? [] : { match: match.id, problem }));
}

function placeProblem({ ladder_id, started }: ListedMatch, { ladder, season }: ListedCompetition) {
  if (ladder_id !== ladder) return `is of the ladder ${ladder_id}`;
  if (season === null) return null;
  if (started === undefined) return "does not say when it started";
  const atMs = Date.parse(started);
  const isInside =
    atMs >= Date.parse(season.opens_at) - CLOCK_SLACK_MS &&
    atMs < Date.parse(season.closes_at) + CLOCK_SLACK_MS;
  return isInside ? null : `started at ${started}, outside of the season ${season.id}`;
}

function resultProblem({ winner, voided, bots }: ListedMatch): string | null {
  const [first, second] = bothOf(bots);
  if (first.id === second.id) return `lets ${first.name} meet itself`;
  if (voided && winner !== null) return "is void, but has a winner";
  return [first.id, second.id, null].includes(winner) ? null : "was won by neither of its bots";
}

type MatchBot = ListedMatch["bots"][number];

const figures = ({ rating_before, rating_after }: MatchBot) => [rating_before, rating_after];

function voidProblem({ bots }: ListedMatch): string | null {
  return bots.flatMap(figures).every((figure) => figure === undefined)
    ? null
    : "is void, but has ratings";
}

/** On public every game is rated; elsewhere a game may be unrated. */
function ratingProblem({ bots }: ListedMatch, { season }: ListedCompetition): string | null {
  const given = bots.flatMap(figures).filter((figure) => figure !== undefined);
  if (given.length === 0) return season === null ? null : "is not void, but has no ratings";
  if (given.length < 2 * bots.length) return "lacks some of its ratings";
  return given.every(Number.isInteger) ? null : "has ratings that are no whole points";
}
