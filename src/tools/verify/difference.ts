// Where a leaderboard differs from the one that follows from the games.

import { sure } from "#base/units/sure.ts";
import { gamesOf } from "#core/ladder/version-record.ts";
import { exactScore } from "#core/rating/score.ts";

import type { ShownRow } from "./answers.ts";
import { nameOf } from "./board.ts";
import type { ComputedBoard, RatedVersion } from "./board.ts";

export type Difference = {
  bot: string;
  version: string;
  /** `row` for a missing or surplus row. */
  field: "row" | Exclude<keyof ShownRow, "name">;
  shown: number | string;
  computed: number | string;
  /** A difference that a server with many versions may have between two full passes. */
  tolerated: boolean;
};

/**
 * Deviations and scores are accurate to this many points; this near a rounding edge, both values
 * are right.
 */
const ROUNDING_EDGE = 0.001;

/**
 * In whole points: tolerance of a deviation between two full passes, and of a score, which has it
 * twice.
 */
const DEVIATION_TOLERANCE = 1;
const SCORE_TOLERANCE = 2;

/**
 * All differences between a leaderboard and the computed one, row by row. With `isBetweenPasses`,
 * deviations and what follows from them may be slightly off.
 */
export function differencesOf(
  shown: readonly ShownRow[],
  computed: ComputedBoard,
  isBetweenPasses: boolean,
): Difference[] {
  const wanted = new Map(computed.rows.map((row) => [row.name, row]));
  const versions = new Map([...computed.versions.values()].map((one) => [nameOf(one), one]));
  const listed = new Set(shown.map(({ name }) => name));
  const order = computed.rows.filter(({ name }) => listed.has(name));
  const scores = order.map(scoreOf);
  let strays = 0;
  const found = shown.flatMap((row, place) => {
    const expected = wanted.get(row.name);
    const rated = versions.get(nameOf({ name: row.name, label: row.version }));
    wanted.delete(row.name);
    if (expected === undefined) {
      strays += 1;
      return [strayRow(row, rated)];
    }
    const spot = { place, strays, position: order.indexOf(expected), scores };
    return [
      ...versionDifferences(row, expected),
      ...rankDifferences(row, spot, isBetweenPasses),
      ...(rated === undefined ? [] : figureDifferences(row, rated, isBetweenPasses)),
    ];
  });
  const missing = computed.rows.flatMap((row, place) =>
    wanted.has(row.name) ? [missingRow(row, place + 1)] : [],
  );
  return [...found, ...missing];
}

const scoreOf = ({ rating, deviation }: RatedVersion): number => exactScore(rating, deviation);

const heading = ({ name, version }: ShownRow) => ({ bot: name, version });

/** A row of a bot that should have none, or a second one. */
function strayRow(row: ShownRow, rated: RatedVersion | undefined): Difference {
  const games = rated === undefined ? 0 : gamesOf(rated);
  const computed = `not listed (${games} rated games)`;
  return { ...heading(row), field: "row", shown: `rank ${row.rank}`, computed, tolerated: false };
}

function missingRow({ name, label }: RatedVersion, rank: number): Difference {
  const places = { shown: "not listed", computed: `rank ${rank}` };
  return { bot: name, version: label, field: "row", ...places, tolerated: false };
}

function versionDifferences(row: ShownRow, { label }: RatedVersion): Difference[] {
  if (row.version === label) return [];
  const versions = { shown: row.version, computed: label };
  return [{ ...heading(row), field: "version", ...versions, tolerated: false }];
}

type Spot = {
  /** Where the row is, from 0, and how many rows before it do not belong there. */
  place: number;
  strays: number;
  /** Where it should be among the rows that belong there, and their scores, best first. */
  position: number;
  scores: readonly number[];
};

/** Rows whose scores are equal within their accuracy may be in any order. */
function rankDifferences(row: ShownRow, spot: Spot, isBetweenPasses: boolean): Difference[] {
  const { place, strays, position } = spot;
  const isRight = isWithin(row.rank - strays, spot, 2 * ROUNDING_EDGE);
  if (isRight && row.rank === place + 1) return [];
  const computed = (isRight ? place : position + strays) + 1;
  // Each of the two rows has a tolerance, in opposite directions.
  const isNear = isWithin(row.rank - strays, spot, 2 * SCORE_TOLERANCE);
  const tolerated = isBetweenPasses && isNear && row.rank === place + 1;
  return [{ ...heading(row), field: "rank", shown: row.rank, computed, tolerated }];
}

/** Whether a rank is possible if scores within `slack` may change places. */
function isWithin(rank: number, { position, scores }: Spot, slack: number): boolean {
  const own = sure(scores[position], "score");
  const better = scores.findIndex((score) => score <= own + slack);
  const notWorse = scores.findLastIndex((score) => score >= own - slack) + 1;
  return rank > better && rank <= notWorse;
}

/**
 * Checks the figures against the version that the row shows, whether or not it is the right one.
 */
function figureDifferences(
  row: ShownRow,
  rated: RatedVersion,
  isBetweenPasses: boolean,
): Difference[] {
  const figures = [
    ["rating", rated.rating, 0],
    ["rating_deviation", rated.deviation, DEVIATION_TOLERANCE],
    ["leaderboard_score", scoreOf(rated), SCORE_TOLERANCE],
    ["wins", rated.wins, 0],
    ["losses", rated.losses, 0],
    ["draws", rated.draws, 0],
  ] as const;
  return figures.flatMap(([field, exact, tolerance]) => {
    const shown = row[field];
    if (isRounded(shown, exact)) return [];
    const computed = Math.floor(exact + 0.5);
    const isNear = Number.isInteger(shown) && Math.abs(shown - computed) <= tolerance;
    const tolerated = isBetweenPasses && isNear;
    return [{ ...heading(row), field, shown, computed, tolerated }];
  });
}

function isRounded(shown: number, exact: number): boolean {
  return Number.isInteger(shown) && Math.abs(shown - exact) <= 0.5 + ROUNDING_EDGE;
}
