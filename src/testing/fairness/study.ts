// One polite, undisturbed run, and what it shows about ratings and pairing. Elo and Glicko-2 rate
// the very same games.

import { CENTRE, exactScore } from "#core/rating/score.ts";
import { holdsScale } from "#core/words/house.ts";
import { FIXED } from "#core/words/limits.ts";
import type { BoardLine } from "#live/matchmaker/matchmaker.ts";
import { DEFAULTS } from "#testing/simulation/options.ts";
import type { SimulationOptions } from "#testing/simulation/options.ts";
import { runWorld } from "#testing/simulation/run.ts";
import { trueShare } from "#testing/simulation/truth.ts";
import type { Strength } from "#testing/simulation/truth.ts";
import { versionKey } from "#testing/simulation/world.ts";
import type { World } from "#testing/simulation/world.ts";

import { eloOf, playElo } from "./elo.ts";
import type { Elo } from "./elo.ts";
import { glickoOf, playGlicko } from "./glicko.ts";
import type { Glicko } from "./glicko.ts";
import { randomlyPairing } from "./random-pairing.ts";
import { openScribe } from "./scribe.ts";
import type { GameLog, ScribedBoard, ScribedWait } from "./scribe.ts";
import { mean, spearman } from "./statistics.ts";

export const PAIRINGS = ["ours", "random"] as const;
export type PairingKind = (typeof PAIRINGS)[number];

export const SYSTEMS = ["ours", "elo", "glicko"] as const;
export type System = (typeof SYSTEMS)[number];
type BySystem<T> = Record<System, T>;

/** The life of one version: its true points, and its ratings after each of its games. */
export type RatedLife = { truth: number; isFromStart: boolean } & BySystem<number[]>;

export type Correlation = { hour: number; bots: number } & BySystem<number>;

export type Study = {
  games: number;
  /** Versions of players only. */
  lives: RatedLife[];
  correlations: Correlation[];
  /** Hourly ratings of ranked versions: how many lie within 1.96 deviations of the truth. */
  covered: { ours: number; glicko: number; total: number };
  /** `rank` runs from 0 for the strongest bot to 1. */
  waits: (ScribedWait & { rank: number })[];
  grounds: GameLog["grounds"];
  /** For each game, 1 if both are equally likely to win, 0 if the winner is certain. */
  openness: number[];
  /** Share of games whose version pair had fewer than 5 before. */
  untested: number;
  /**
   * Games by map; and for each version pair with enough games, the most on a map minus the fewest.
   */
  maps: Map<string, number>;
  mapSpreads: number[];
  /** For each bot, games in seat A minus those in seat B. */
  seats: number[];
};

/** Two-sided 95 percent of a normal distribution. */
const SIGMAS = 1.96;
/** A pair's maps are compared from this many games: as many as there are maps. */
const PAIR_GAMES = 9;
/** A version pair is tested from this many games. */
const TESTED_GAMES = 5;
const HOUR_STEP = 6;
/** Versions that first play later than this join a settled ladder. */
const START_HOURS = 24;

/** Runs one seed. Options that the report does not vary describe a quiet, polite world. */
export async function study(
  changes: Pick<SimulationOptions, "seed" | "days" | "bots">,
  pairing: PairingKind,
  progress: (share: number) => void,
): Promise<Study> {
  const options: SimulationOptions = {
    ...DEFAULTS,
    ...changes,
    fought: Infinity,
    faults: [],
    manners: "polite",
    limits: "usual",
    ladders: "public",
    start: "2026-01-01T00:00:00.000Z",
  };
  const { log, watch } = openScribe();
  const world = await runWorld(options, {
    watchesOf: () => [watch],
    plant: pairing === "random" ? { matchmaker: randomlyPairing } : {},
    progress,
  });
  return findings(world, log, await truthsOf(world));
}

type Truth = { strength: Strength; house: boolean; isAnchor: boolean };
type Truths = ReadonlyMap<string, Truth>;

async function truthsOf({ store, strengths }: World): Promise<Truths> {
  const bots = await store.bots.byIds(await store.bots.ids(null, Infinity));
  const truths = new Map<string, Truth>();
  for (const bot of bots)
    for (const { id, label } of (await store.versions.list(bot.id, { limit: Infinity })) ?? []) {
      const strength = strengths.get(versionKey(bot.name, label));
      if (strength !== undefined)
        truths.set(id, { strength, house: bot.house, isAnchor: holdsScale(bot) });
    }
  return truths;
}

function findings(world: World, log: GameLog, truths: Truths): Study {
  const lives = new Map<string, RatedLife>();
  const correlations: Correlation[] = [];
  const covered = { ours: 0, glicko: 0, total: 0 };
  const elo: Elo = new Map();
  const glicko: Glicko = new Map();
  const anchors = [...truths].filter(([, { isAnchor }]) => isAnchor).map(([id]) => id);
  let played = 0;
  for (const board of log.boards) {
    for (; played < board.games; played += 1) {
      const { versionIds, score, after } = log.games[played]!;
      playElo(elo, versionIds[0], versionIds[1], score);
      playGlicko(glicko, versionIds[0], versionIds[1], score);
      const ratings = rivalRatings(elo, glicko, anchors);
      for (const [seat, id] of versionIds.entries())
        live(lives, truths, id, board.hour <= START_HOURS, [
          after[seat]!,
          ratings.elo(id),
          ratings.glicko(id),
        ]);
    }
    const ratings = rivalRatings(elo, glicko, anchors);
    cover(covered, board, truths, (id) => {
      return { rating: ratings.glicko(id), deviation: glickoOf(glicko, id).deviation };
    });
    if (Math.round(board.hour) % HOUR_STEP === 0)
      correlations.push(correlate(board, truths, ratings));
  }
  return {
    games: log.games.length,
    lives: [...lives.values()],
    correlations,
    covered,
    waits: rankedWaits(world, log),
    grounds: log.grounds,
    openness: log.games.map(({ versionIds, map }) => opennessOf(truths, versionIds, map)),
    ...balances(log),
  };
}

type Rivals = { elo: (id: string) => number; glicko: (id: string) => number };

/** Shifted so that the house bots that hold our scale average 1500 in the rivals' scales too. */
function rivalRatings(elo: Elo, glicko: Glicko, anchors: readonly string[]): Rivals {
  const glickoRating = (id: string) => glickoOf(glicko, id).rating;
  const eloShift = mean(anchors.map((id) => eloOf(elo, id))) - CENTRE;
  const glickoShift = mean(anchors.map(glickoRating)) - CENTRE;
  return {
    elo: (id) => eloOf(elo, id) - eloShift,
    glicko: (id) => glickoRating(id) - glickoShift,
  };
}

function live(
  lives: Map<string, RatedLife>,
  truths: Truths,
  id: string,
  isFromStart: boolean,
  [ours, elo, glicko]: readonly [number, number, number],
): void {
  const truth = truths.get(id);
  if (truth === undefined || truth.house) return;
  const known = lives.get(id);
  const life = known ?? {
    truth: truth.strength.points,
    isFromStart,
    ours: [],
    elo: [],
    glicko: [],
  };
  lives.set(id, life);
  life.ours.push(ours);
  life.elo.push(elo);
  life.glicko.push(glicko);
}

const isRanked = ({ wins, draws, losses }: BoardLine): boolean =>
  wins + draws + losses >= FIXED.qualifying_games;

function cover(
  covered: Study["covered"],
  { lines }: ScribedBoard,
  truths: Truths,
  glickoLine: (id: string) => { rating: number; deviation: number },
): void {
  for (const line of lines) {
    const truth = truths.get(line.versionId);
    if (!isRanked(line) || truth === undefined || truth.house) continue;
    const { points } = truth.strength;
    const other = glickoLine(line.versionId);
    covered.total += 1;
    covered.ours += Number(Math.abs(line.rating - points) <= SIGMAS * line.deviation);
    covered.glicko += Number(Math.abs(other.rating - points) <= SIGMAS * other.deviation);
  }
}

/** Each bot is represented by the ranked version it played last. */
function correlate(board: ScribedBoard, truths: Truths, { elo, glicko }: Rivals): Correlation {
  const current = new Map<string, BoardLine>();
  for (const line of board.lines) {
    const known = current.get(line.botId);
    if (isRanked(line) && line.lastPlayed > (known?.lastPlayed ?? ""))
      current.set(line.botId, line);
  }
  const lines = [...current.values()];
  const points = lines.map(({ versionId }) => truths.get(versionId)?.strength.points ?? NaN);
  const against = (value: (line: BoardLine) => number) => spearman(lines.map(value), points);
  return {
    hour: Math.round(board.hour),
    bots: lines.length,
    ours: against(({ rating, deviation }) => exactScore(rating, deviation)),
    elo: against(({ versionId }) => elo(versionId)),
    glicko: against(({ versionId }) => glicko(versionId)),
  };
}

function rankedWaits({ population, records }: World, { waits }: GameLog): Study["waits"] {
  const order = population
    .filter(({ house }) => !house)
    .toSorted((one, other) => pointsOf(other.versions) - pointsOf(one.versions));
  const ranks = new Map(
    order.map(({ name }, place) => [records.get(name)?.id ?? "", place / (order.length - 1)]),
  );
  return waits.flatMap((wait) => {
    const rank = ranks.get(wait.botId);
    return rank === undefined ? [] : [{ ...wait, rank }];
  });
}

const pointsOf = (versions: readonly { strength: Strength }[]): number =>
  versions[0]!.strength.points;

function opennessOf(truths: Truths, [first, second]: readonly string[], map: string): number {
  const one = truths.get(first!);
  const other = truths.get(second!);
  if (one === undefined || other === undefined) return NaN;
  return 1 - Math.abs(2 * trueShare(one.strength, other.strength, map) - 1);
}

function balances({ games }: GameLog): Pick<Study, "maps" | "mapSpreads" | "seats" | "untested"> {
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
  const mapSpreads = [...pairs.values()].flatMap((pair) => spreadOf(pair, maps.size));
  return { maps, mapSpreads, seats: [...seats.values()], untested: untested / games.length };
}

function add(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function spreadOf(pair: ReadonlyMap<string, number>, maps: number): number[] {
  const counts = [...pair.values()];
  if (counts.reduce((sum, count) => sum + count, 0) < PAIR_GAMES) return [];
  const fewest = counts.length < maps ? 0 : Math.min(...counts);
  return [Math.max(...counts) - fewest];
}
