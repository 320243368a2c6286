// Runs the simulation without faults, and measures ratings and pairing. For comparison, Elo and
// Glicko-2 rate the same games.

import { isScaleAnchor } from "#core/ids/house-bots.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { CENTRE, exactScore } from "#core/rating/score.ts";
import type { BoardLine } from "#live/matchmaker/matchmaker.ts";
import { DEFAULT_SIMULATION_OPTIONS } from "#testing/simulation/options.ts";
import type { SimulationOptions } from "#testing/simulation/options.ts";
import { runWorld } from "#testing/simulation/run.ts";
import { expectedTrueShare } from "#testing/simulation/strength.ts";
import type { Strength } from "#testing/simulation/strength.ts";
import { versionKey } from "#testing/simulation/world.ts";
import type { World } from "#testing/simulation/world.ts";

import { eloRatingOf, updateElo } from "./elo.ts";
import type { Elo } from "./elo.ts";
import { glickoRatingOf, updateGlicko } from "./glicko.ts";
import type { Glicko } from "./glicko.ts";
import { createGameLog } from "./match-log.ts";
import type { GameLog, LoggedBoard, LoggedWait } from "./match-log.ts";
import { withRandomPairing } from "./random-pairing.ts";
import { mean, spearman } from "./statistics.ts";

export const PAIRING_KINDS = ["ours", "random"] as const;
export type PairingKind = (typeof PAIRING_KINDS)[number];

export const RATING_SYSTEMS = ["ours", "elo", "glicko"] as const;
export type RatingSystem = (typeof RATING_SYSTEMS)[number];
type BySystem<T> = Record<RatingSystem, T>;

/** One version: its true strength in points, and its rating after each game. */
export type RatedLife = { truth: number; isFromStart: boolean } & BySystem<number[]>;

export type Correlation = { hour: number; bots: number } & BySystem<number>;

export type Study = {
  games: number;
  /** Excludes house bots. */
  lives: RatedLife[];
  correlations: Correlation[];
  /**
   * Hourly samples of ranked versions. `ours` and `glicko` count the ratings that are within 1.96
   * deviations of the true strength.
   */
  coverage: { ours: number; glicko: number; total: number };
  /** `rank` is 0 for the strongest bot and 1 for the weakest. */
  waits: (LoggedWait & { rank: number })[];
  grounds: GameLog["grounds"];
  /** Per game: 1 if both bots are equally likely to win, 0 if the winner is certain. */
  openness: number[];
  /** Share of games between versions that had met fewer than 5 times. */
  untested: number;
  /**
   * Games by map, and for each version pair with enough games, the difference between its most and
   * least played maps.
   */
  maps: Map<string, number>;
  mapSpreads: number[];
  /** Per bot: games in seat A minus games in seat B. */
  seats: number[];
};

/** Two-sided 95% quantile of the normal distribution. */
const SIGMAS = 1.96;
const PAIR_GAMES = 9;
const TESTED_GAMES = 5;
const HOUR_STEP = 6;
/** Versions that first play after this many hours are joining a settled ladder. */
const START_HOURS = 24;

/** Runs one seed. Options that the report doesn't vary describe a world without faults. */
export async function runStudy(
  changes: Pick<SimulationOptions, "seed" | "days" | "bots">,
  pairing: PairingKind,
  progress: (share: number) => void,
): Promise<Study> {
  const options: SimulationOptions = {
    ...DEFAULT_SIMULATION_OPTIONS,
    ...changes,
    fought: Infinity,
    faults: [],
    manners: "polite",
    limits: "usual",
    ladders: "public",
    start: "2026-01-01T00:00:00.000Z",
  };
  const { log, watch } = createGameLog();
  const world = await runWorld(options, {
    createWatches: () => [watch],
    plantedBug: pairing === "random" ? { matchmaker: withRandomPairing } : {},
    progress,
  });
  return createStudy(world, log, await readTruths(world));
}

type Truth = { strength: Strength; house: boolean; isAnchor: boolean };
type Truths = ReadonlyMap<string, Truth>;

async function readTruths({ store, strengths }: World): Promise<Truths> {
  const bots = await store.bots.byIds(await store.bots.ids(null, Infinity));
  const truths = new Map<string, Truth>();
  for (const bot of bots)
    for (const { id, label } of (await store.versions.list(bot.id, { limit: Infinity })) ?? []) {
      const strength = strengths.get(versionKey(bot.name, label));
      if (strength !== undefined)
        truths.set(id, { strength, house: bot.house, isAnchor: isScaleAnchor(bot) });
    }
  return truths;
}

function createStudy(world: World, log: GameLog, truths: Truths): Study {
  const lives = new Map<string, RatedLife>();
  const correlations: Correlation[] = [];
  const coverage = { ours: 0, glicko: 0, total: 0 };
  const elo: Elo = new Map();
  const glicko: Glicko = new Map();
  const anchors = [...truths].filter(([, { isAnchor }]) => isAnchor).map(([id]) => id);
  let gameIndex = 0;
  for (const board of log.boards) {
    for (; gameIndex < board.games; gameIndex += 1) {
      const { versionIds, score, after } = log.games[gameIndex]!;
      updateElo(elo, versionIds[0], versionIds[1], score);
      updateGlicko(glicko, versionIds[0], versionIds[1], score);
      const ratings = rivalRatings(elo, glicko, anchors);
      for (const [seat, id] of versionIds.entries())
        recordRating(lives, truths, id, board.hour <= START_HOURS, [
          after[seat]!,
          ratings.elo(id),
          ratings.glicko(id),
        ]);
    }
    const ratings = rivalRatings(elo, glicko, anchors);
    updateCoverage(coverage, board, truths, (id) => {
      return { rating: ratings.glicko(id), deviation: glickoRatingOf(glicko, id).deviation };
    });
    if (Math.round(board.hour) % HOUR_STEP === 0)
      correlations.push(correlate(board, truths, ratings));
  }
  return {
    games: log.games.length,
    lives: [...lives.values()],
    correlations,
    coverage,
    waits: rankWaits(world, log),
    grounds: log.grounds,
    openness: log.games.map(({ versionIds, map }) => gameOpenness(truths, versionIds, map)),
    ...computeBalances(log),
  };
}

type RivalRatings = { elo: (id: string) => number; glicko: (id: string) => number };

/** Shifts each scale so that the anchors average 1500, as on Bout's scale. */
function rivalRatings(elo: Elo, glicko: Glicko, anchors: readonly string[]): RivalRatings {
  const glickoRating = (id: string) => glickoRatingOf(glicko, id).rating;
  const eloShift = mean(anchors.map((id) => eloRatingOf(elo, id))) - CENTRE;
  const glickoShift = mean(anchors.map(glickoRating)) - CENTRE;
  return {
    elo: (id) => eloRatingOf(elo, id) - eloShift,
    glicko: (id) => glickoRating(id) - glickoShift,
  };
}

function recordRating(
  lives: Map<string, RatedLife>,
  truths: Truths,
  id: string,
  isFromStart: boolean,
  [ours, elo, glicko]: readonly [number, number, number],
): void {
  const truth = truths.get(id);
  if (truth === undefined || truth.house) return;
  const existing = lives.get(id);
  const ratedLife = existing ?? {
    truth: truth.strength.points,
    isFromStart,
    ours: [],
    elo: [],
    glicko: [],
  };
  lives.set(id, ratedLife);
  ratedLife.ours.push(ours);
  ratedLife.elo.push(elo);
  ratedLife.glicko.push(glicko);
}

const isRanked = ({ wins, draws, losses }: BoardLine): boolean =>
  wins + draws + losses >= FIXED_LIMITS.qualifying_games;

function updateCoverage(
  coverage: Study["coverage"],
  { lines }: LoggedBoard,
  truths: Truths,
  glickoLine: (id: string) => { rating: number; deviation: number },
): void {
  for (const line of lines) {
    const truth = truths.get(line.versionId);
    if (!isRanked(line) || truth === undefined || truth.house) continue;
    const { points } = truth.strength;
    const glickoEntry = glickoLine(line.versionId);
    coverage.total += 1;
    coverage.ours += Number(Math.abs(line.rating - points) <= SIGMAS * line.deviation);
    coverage.glicko += Number(
      Math.abs(glickoEntry.rating - points) <= SIGMAS * glickoEntry.deviation,
    );
  }
}

/** Compares one version per bot: the ranked version it played last. */
function correlate(board: LoggedBoard, truths: Truths, { elo, glicko }: RivalRatings): Correlation {
  const currentLines = new Map<string, BoardLine>();
  for (const line of board.lines) {
    const existing = currentLines.get(line.botId);
    if (isRanked(line) && line.lastPlayed > (existing?.lastPlayed ?? ""))
      currentLines.set(line.botId, line);
  }
  const lines = [...currentLines.values()];
  const points = lines.map(({ versionId }) => truths.get(versionId)?.strength.points ?? NaN);
  const correlationWith = (value: (line: BoardLine) => number) =>
    spearman(lines.map(value), points);
  return {
    hour: Math.round(board.hour),
    bots: lines.length,
    ours: correlationWith(({ rating, deviation }) => exactScore(rating, deviation)),
    elo: correlationWith(({ versionId }) => elo(versionId)),
    glicko: correlationWith(({ versionId }) => glicko(versionId)),
  };
}

function rankWaits({ population, records }: World, { waits }: GameLog): Study["waits"] {
  const rankedBots = population
    .filter(({ house }) => !house)
    .toSorted((one, other) => pointsOf(other.versions) - pointsOf(one.versions));
  const ranks = new Map(
    rankedBots.map(({ name }, place) => [
      records.get(name)?.id ?? "",
      place / (rankedBots.length - 1),
    ]),
  );
  return waits.flatMap((wait) => {
    const rank = ranks.get(wait.botId);
    return rank === undefined ? [] : [{ ...wait, rank }];
  });
}

const pointsOf = (versions: readonly { strength: Strength }[]): number =>
  versions[0]!.strength.points;

function gameOpenness(truths: Truths, [first, second]: readonly string[], map: string): number {
  const firstTruth = truths.get(first!);
  const secondTruth = truths.get(second!);
  if (firstTruth === undefined || secondTruth === undefined) return NaN;
  return 1 - Math.abs(2 * expectedTrueShare(firstTruth.strength, secondTruth.strength, map) - 1);
}

function computeBalances({
  games,
}: GameLog): Pick<Study, "maps" | "mapSpreads" | "seats" | "untested"> {
  const maps = new Map<string, number>();
  const pairs = new Map<string, Map<string, number>>();
  const seats = new Map<string, number>();
  let untested = 0;
  for (const { map, versionIds, botIds } of games) {
    add(maps, map, 1);
    const key = versionIds.toSorted().join(" ");
    const pair = pairs.get(key) ?? new Map<string, number>();
    pairs.set(key, pair);
    untested += Number(pair.values().reduce((sum, count) => sum + count, 0) < TESTED_GAMES);
    add(pair, map, 1);
    add(seats, botIds[0], 1);
    add(seats, botIds[1], -1);
  }
  const mapSpreads = [...pairs.values()].flatMap((pair) => countSpread(pair, maps.size));
  return { maps, mapSpreads, seats: [...seats.values()], untested: untested / games.length };
}

function add(counts: Map<string, number>, key: string, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

function countSpread(pair: ReadonlyMap<string, number>, maps: number): number[] {
  const counts = [...pair.values()];
  if (counts.reduce((sum, count) => sum + count, 0) < PAIR_GAMES) return [];
  const minCount = counts.length < maps ? 0 : Math.min(...counts);
  return [Math.max(...counts) - minCount];
}
