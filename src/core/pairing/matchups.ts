import { CELLS } from "#core/rating/forecast.ts";
import type { MapPlaces, ResultTable } from "#core/rating/forecast.ts";

/** Whom a version has met, by number, and the places of these matchups. */
type Met = { readonly opponents: number[]; readonly places: number[] };

/**
 * The results of versions against each other. A wave looks at all matchups of all waiting bots, so
 * they are contiguous in one table, and versions are known by number.
 */
export type Matchups = {
  /** By version id. Numbers are given in the order in which versions first play. */
  readonly numbers: Map<string, number>;
  /** By number. */
  readonly met: Met[];
  /** By the lesser number of two: the place of their matchup by the greater number. */
  readonly places: Map<number, number>[];
  /** Maps that have been played on, in the order of their columns. */
  readonly maps: string[];
  /** Matchups in use; the table has room for more. The lesser number is the first version. */
  count: number;
  table: ResultTable;
};

/** A rated game of two bots; `score` is that of `version`. */
export type MatchupGame = {
  version: string;
  opponent: string;
  map: string;
  score: 0 | 0.5 | 1;
};

/** Rated games of two versions on one map; results are those of `version`. */
export type MapResults = {
  version: string;
  opponent: string;
  map: string;
  wins: number;
  draws: number;
  losses: number;
};

/** Matchups that a new table has room for. It doubles when full. */
const FIRST_ROOM = 64;

export function createMatchups(): Matchups {
  return {
    numbers: new Map(),
    met: [],
    places: [],
    maps: [],
    count: 0,
    table: tableOf(FIRST_ROOM, 0),
  };
}

const tableOf = (room: number, width: number): ResultTable => ({
  totals: new Int32Array(CELLS * room),
  width,
  onMaps: new Int32Array(width * room),
});

const roomOf = ({ totals }: ResultTable): number => totals.length / CELLS;

/** Counts a game towards the forecasts. */
export function recordGame(matchups: Matchups, game: MatchupGame): void {
  count(matchups, game, 1, 2 * game.score);
}

/** Uncounts a game. */
export function unrecordGame(matchups: Matchups, game: MatchupGame): void {
  count(matchups, game, -1, 2 * game.score);
}

/** Counts many games at once, as aggregated by the store. */
export function recordResults(matchups: Matchups, results: MapResults): void {
  const { wins, draws, losses } = results;
  count(matchups, results, wins + draws + losses, 2 * wins + draws);
}

/** The place of a matchup in the table, or null if the two never met. */
export function matchupOf(matchups: Matchups, version: string, opponent: string): number | null {
  const { numbers, places } = matchups;
  const one = numbers.get(version);
  const other = numbers.get(opponent);
  if (one === undefined || other === undefined) return null;
  return places[Math.min(one, other)]!.get(Math.max(one, other)) ?? null;
}

/** The columns of some maps. */
export function placesOfMaps(matchups: Matchups, maps: readonly string[]): MapPlaces {
  const places = maps.map((map) => placeOfMap(matchups, map)).filter((place) => place !== null);
  return { places: Int32Array.from(places), unplayed: maps.length - places.length };
}

/** The column of a map, or null if nobody has played on it. */
export function placeOfMap({ maps }: Matchups, map: string): number | null {
  const number = maps.indexOf(map);
  return number === -1 ? null : CELLS * number;
}

/** Counts games; -1 uncounts one. Half points are those of `version` per game. */
function count(
  matchups: Matchups,
  { version, opponent, map }: Pick<MatchupGame, "version" | "opponent" | "map">,
  games: number,
  halfPoints: number,
): void {
  const one = numberOf(matchups, version);
  const other = numberOf(matchups, opponent);
  const onMap = madePlaceOfMap(matchups, map);
  const place = madePlace(matchups, Math.min(one, other), Math.max(one, other));
  const own = Math.sign(games) * halfPoints;
  const points = one < other ? own : 2 * games - own;
  const { totals, width, onMaps } = matchups.table;
  totals[CELLS * place]! += games;
  totals[CELLS * place + 1]! += points;
  onMaps[width * place + onMap]! += games;
  onMaps[width * place + onMap + 1]! += points;
}

function numberOf({ numbers, met, places }: Matchups, version: string): number {
  const known = numbers.get(version);
  if (known !== undefined) return known;
  numbers.set(version, met.length);
  places.push(new Map());
  return met.push({ opponents: [], places: [] }) - 1;
}

function madePlaceOfMap(matchups: Matchups, map: string): number {
  const known = placeOfMap(matchups, map);
  if (known !== null) return known;
  matchups.table = withWiderRows(matchups);
  return CELLS * (matchups.maps.push(map) - 1);
}

function withWiderRows({ table, count: rows }: Matchups): ResultTable {
  const { totals, width, onMaps } = table;
  const wider = tableOf(roomOf(table), width + CELLS);
  wider.totals.set(totals);
  for (let row = 0; row < rows; row += 1)
    wider.onMaps.set(onMaps.subarray(row * width, (row + 1) * width), row * wider.width);
  return wider;
}

function madePlace(matchups: Matchups, lesser: number, greater: number): number {
  const { met, places } = matchups;
  const known = places[lesser]!.get(greater);
  if (known !== undefined) return known;
  if (matchups.count === roomOf(matchups.table)) matchups.table = withMoreRoom(matchups.table);
  const place = matchups.count;
  matchups.count += 1;
  places[lesser]!.set(greater, place);
  note(met[lesser]!, greater, place);
  note(met[greater]!, lesser, place);
  return place;
}

function note({ opponents, places }: Met, opponent: number, place: number): void {
  opponents.push(opponent);
  places.push(place);
}

function withMoreRoom(table: ResultTable): ResultTable {
  const larger = tableOf(2 * roomOf(table), table.width);
  larger.totals.set(table.totals);
  larger.onMaps.set(table.onMaps);
  return larger;
}
