import { CELLS_PER_MAP } from "#core/rating/forecast.ts";
import type { MapColumns, ResultTable } from "#core/rating/forecast.ts";

/** Numbers of the versions that a version has met, and the table rows of these matchups. */
type MetOpponents = { readonly opponents: number[]; readonly matchupRows: number[] };

/**
 * Head-to-head results of versions. Each wave reads the matchups of all waiting bots, so versions
 * are numbered and all matchups lie in one contiguous table.
 */
export type Matchups = {
  /** Version numbers by version id, assigned in the order of the first game. */
  readonly numbers: Map<string, number>;
  readonly metOpponents: MetOpponents[];
  /**
   * Indexed by the lower version number of a matchup. Maps the higher number to the matchup's table
   * row.
   */
  readonly matchupRows: Map<number, number>[];
  readonly maps: string[];
  /**
   * Number of matchups in the table, which has spare capacity. In each matchup, the version with
   * the lower number comes first.
   */
  count: number;
  table: ResultTable;
};

/** A rated game between two bots. `score` is from the perspective of `version`. */
export type MatchupGame = {
  version: string;
  opponent: string;
  map: string;
  score: 0 | 0.5 | 1;
};

/** Rated games between two versions on one map. Results are from the perspective of `version`. */
export type MapResults = {
  version: string;
  opponent: string;
  map: string;
  wins: number;
  draws: number;
  losses: number;
};

/** Initial table capacity in matchups. Doubles when the table is full. */
const INITIAL_CAPACITY = 64;

export function createMatchups(): Matchups {
  return {
    numbers: new Map(),
    metOpponents: [],
    matchupRows: [],
    maps: [],
    count: 0,
    table: createResultTable(INITIAL_CAPACITY, 0),
  };
}

const createResultTable = (capacity: number, width: number): ResultTable => ({
  totals: new Int32Array(CELLS_PER_MAP * capacity),
  width,
  onMaps: new Int32Array(width * capacity),
});

const tableCapacity = ({ totals }: ResultTable): number => totals.length / CELLS_PER_MAP;

export function recordGame(matchups: Matchups, game: MatchupGame): void {
  count(matchups, game, 1, 2 * game.score);
}

export function unrecordGame(matchups: Matchups, game: MatchupGame): void {
  count(matchups, game, -1, 2 * game.score);
}

export function recordResults(matchups: Matchups, results: MapResults): void {
  const { wins, draws, losses } = results;
  count(matchups, results, wins + draws + losses, 2 * wins + draws);
}

/** Returns the table row of a matchup, or null if the two versions have never met. */
export function matchupRow(matchups: Matchups, version: string, opponent: string): number | null {
  const { numbers, matchupRows } = matchups;
  const versionA = numbers.get(version);
  const versionB = numbers.get(opponent);
  if (versionA === undefined || versionB === undefined) return null;
  return matchupRows[Math.min(versionA, versionB)]!.get(Math.max(versionA, versionB)) ?? null;
}

export function mapColumnsOf(matchups: Matchups, maps: readonly string[]): MapColumns {
  const matchupRows = maps.map((map) => mapColumn(matchups, map)).filter((row) => row !== null);
  return { columns: Int32Array.from(matchupRows), unplayedCount: maps.length - matchupRows.length };
}

export function mapColumn({ maps }: Matchups, map: string): number | null {
  const number = maps.indexOf(map);
  return number === -1 ? null : CELLS_PER_MAP * number;
}

/** Adds `games` games; -1 removes one. `halfPoints` is the total scored by `version`. */
function count(
  matchups: Matchups,
  { version, opponent, map }: Pick<MatchupGame, "version" | "opponent" | "map">,
  games: number,
  halfPoints: number,
): void {
  const versionA = ensureVersionNumber(matchups, version);
  const versionB = ensureVersionNumber(matchups, opponent);
  const column = ensureMapColumn(matchups, map);
  const row = ensureMatchupRow(
    matchups,
    Math.min(versionA, versionB),
    Math.max(versionA, versionB),
  );
  const ownPoints = Math.sign(games) * halfPoints;
  const points = versionA < versionB ? ownPoints : 2 * games - ownPoints;
  const { totals, width, onMaps } = matchups.table;
  totals[CELLS_PER_MAP * row]! += games;
  totals[CELLS_PER_MAP * row + 1]! += points;
  onMaps[width * row + column]! += games;
  onMaps[width * row + column + 1]! += points;
}

function ensureVersionNumber(
  { numbers, metOpponents, matchupRows }: Matchups,
  version: string,
): number {
  const existing = numbers.get(version);
  if (existing !== undefined) return existing;
  numbers.set(version, metOpponents.length);
  matchupRows.push(new Map());
  return metOpponents.push({ opponents: [], matchupRows: [] }) - 1;
}

function ensureMapColumn(matchups: Matchups, map: string): number {
  const existing = mapColumn(matchups, map);
  if (existing !== null) return existing;
  matchups.table = withMapColumn(matchups);
  return CELLS_PER_MAP * (matchups.maps.push(map) - 1);
}

function withMapColumn({ table, count: rows }: Matchups): ResultTable {
  const { totals, width, onMaps } = table;
  const widened = createResultTable(tableCapacity(table), width + CELLS_PER_MAP);
  widened.totals.set(totals);
  for (let row = 0; row < rows; row += 1)
    widened.onMaps.set(onMaps.subarray(row * width, (row + 1) * width), row * widened.width);
  return widened;
}

function ensureMatchupRow(matchups: Matchups, lesser: number, greater: number): number {
  const { metOpponents, matchupRows } = matchups;
  const existing = matchupRows[lesser]!.get(greater);
  if (existing !== undefined) return existing;
  if (matchups.count === tableCapacity(matchups.table))
    matchups.table = withDoubledCapacity(matchups.table);
  const row = matchups.count;
  matchups.count += 1;
  matchupRows[lesser]!.set(greater, row);
  addOpponent(metOpponents[lesser]!, greater, row);
  addOpponent(metOpponents[greater]!, lesser, row);
  return row;
}

function addOpponent(
  { opponents, matchupRows }: MetOpponents,
  opponent: number,
  row: number,
): void {
  opponents.push(opponent);
  matchupRows.push(row);
}

function withDoubledCapacity(table: ResultTable): ResultTable {
  const doubled = createResultTable(2 * tableCapacity(table), table.width);
  doubled.totals.set(table.totals);
  doubled.onMaps.set(table.onMaps);
  return doubled;
}
