import { assertDefined } from "#base/util/assert-defined.ts";
import { totalGames } from "#core/ladder/version-record.ts";
import { exactScore } from "#core/rating/score.ts";

import { botVersionName } from "./computed-board.ts";
import type { ComputedBoard, RatedVersion } from "./computed-board.ts";
import type { LeaderboardEntry } from "./response-schemas.ts";

export type Difference = {
  bot: string;
  version: string;
  /** `row` for a missing or extra row. */
  field: "row" | Exclude<keyof LeaderboardEntry, "name">;
  shown: number | string;
  computed: number | string;
  /** Whether the difference is normal between two full passes on a server with many versions. */
  tolerated: boolean;
};

/**
 * Accuracy of deviations and scores, in points. This close to a rounding boundary, both values are
 * accepted.
 */
const ROUNDING_EDGE = 0.001;

/**
 * Tolerance for a deviation between two full passes, in whole points. The tolerance for a score is
 * twice as large.
 */
const DEVIATION_TOLERANCE = 1;
const SCORE_TOLERANCE = 2;

/**
 * Returns all differences from the computed leaderboard, row by row. With `isBetweenPasses`,
 * deviations and the values derived from them may be slightly off.
 */
export function compareBoards(
  shown: readonly LeaderboardEntry[],
  computed: ComputedBoard,
  isBetweenPasses: boolean,
): Difference[] {
  const missingRows = new Map(computed.rows.map((row) => [row.name, row]));
  const versions = new Map(
    [...computed.versions.values()].map((ratedVersion) => [
      botVersionName(ratedVersion),
      ratedVersion,
    ]),
  );
  const listedNames = new Set(shown.map(({ name }) => name));
  const expectedOrder = computed.rows.filter(({ name }) => listedNames.has(name));
  const scores = expectedOrder.map(leaderboardScore);
  let strays = 0;
  const rowDifferences = shown.flatMap((row, place) => {
    const expected = missingRows.get(row.name);
    const rated = versions.get(botVersionName({ name: row.name, label: row.version }));
    missingRows.delete(row.name);
    if (expected === undefined) {
      strays += 1;
      return [createStrayDifference(row, rated)];
    }
    const rowPosition = { place, strays, position: expectedOrder.indexOf(expected), scores };
    return [
      ...compareVersions(row, expected),
      ...compareRanks(row, rowPosition, isBetweenPasses),
      ...(rated === undefined ? [] : compareValues(row, rated, isBetweenPasses)),
    ];
  });
  const missing = computed.rows.flatMap((row, place) =>
    missingRows.has(row.name) ? [createMissingDifference(row, place + 1)] : [],
  );
  return [...rowDifferences, ...missing];
}

const leaderboardScore = ({ rating, deviation }: RatedVersion): number =>
  exactScore(rating, deviation);

const rowIdentity = ({ name, version }: LeaderboardEntry) => ({ bot: name, version });

/** A bot's second row, or a row of a bot that should have none. */
function createStrayDifference(row: LeaderboardEntry, rated: RatedVersion | undefined): Difference {
  const games = rated === undefined ? 0 : totalGames(rated);
  const computed = `not listed (${games} rated games)`;
  return {
    ...rowIdentity(row),
    field: "row",
    shown: `rank ${row.rank}`,
    computed,
    tolerated: false,
  };
}

function createMissingDifference({ name, label }: RatedVersion, rank: number): Difference {
  const places = { shown: "not listed", computed: `rank ${rank}` };
  return { bot: name, version: label, field: "row", ...places, tolerated: false };
}

function compareVersions(row: LeaderboardEntry, { label }: RatedVersion): Difference[] {
  if (row.version === label) return [];
  const versions = { shown: row.version, computed: label };
  return [{ ...rowIdentity(row), field: "version", ...versions, tolerated: false }];
}

type RowPosition = {
  /** Index of the row, and number of extra rows before it. */
  place: number;
  strays: number;
  /** Index among the expected rows, and the scores of the expected rows, best first. */
  position: number;
  scores: readonly number[];
};

/** Rows whose scores are equal within their accuracy may be in any order. */
function compareRanks(
  row: LeaderboardEntry,
  rowPosition: RowPosition,
  isBetweenPasses: boolean,
): Difference[] {
  const { place, strays, position } = rowPosition;
  const isRankPossible = isWithin(row.rank - strays, rowPosition, 2 * ROUNDING_EDGE);
  if (isRankPossible && row.rank === place + 1) return [];
  const computed = (isRankPossible ? place : position + strays) + 1;
  // The scores of both rows may be off, in opposite directions.
  const isWithinTolerance = isWithin(row.rank - strays, rowPosition, 2 * SCORE_TOLERANCE);
  const tolerated = isBetweenPasses && isWithinTolerance && row.rank === place + 1;
  return [{ ...rowIdentity(row), field: "rank", shown: row.rank, computed, tolerated }];
}

/** Returns whether a rank is possible if scores within `slack` of each other may swap. */
function isWithin(rank: number, { position, scores }: RowPosition, slack: number): boolean {
  const ownScore = assertDefined(scores[position], "score");
  const firstEqual = scores.findIndex((score) => score <= ownScore + slack);
  const lastEqual = scores.findLastIndex((score) => score >= ownScore - slack) + 1;
  return rank > firstEqual && rank <= lastEqual;
}

/**
 * Checks the figures against the version shown in the row, even if the row should show another
 * version.
 */
function compareValues(
  row: LeaderboardEntry,
  rated: RatedVersion,
  isBetweenPasses: boolean,
): Difference[] {
  const comparedValues = [
    ["rating", rated.rating, 0],
    ["rating_deviation", rated.deviation, DEVIATION_TOLERANCE],
    ["leaderboard_score", leaderboardScore(rated), SCORE_TOLERANCE],
    ["wins", rated.wins, 0],
    ["losses", rated.losses, 0],
    ["draws", rated.draws, 0],
  ] as const;
  return comparedValues.flatMap(([field, exact, tolerance]) => {
    const shown = row[field];
    if (isRounded(shown, exact)) return [];
    const computed = Math.floor(exact + 0.5);
    const isWithinTolerance = Number.isInteger(shown) && Math.abs(shown - computed) <= tolerance;
    const tolerated = isBetweenPasses && isWithinTolerance;
    return [{ ...rowIdentity(row), field, shown, computed, tolerated }];
  });
}

function isRounded(shown: number, exact: number): boolean {
  return Number.isInteger(shown) && Math.abs(shown - exact) <= 0.5 + ROUNDING_EDGE;
}
