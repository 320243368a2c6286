// Runs a real arena on virtual time with an in-memory store. Players stay online on one or more of
// an event's ladders, and match results are drawn from their true strengths.

import { setImmediate as turnOfLoop } from "node:timers/promises";

import type { Clock } from "#base/clock/clock.ts";
import { firstTwo } from "#base/util/assert-defined.ts";
import { SECOND_US } from "#base/util/time.ts";
import { HOUSE_BOTS, HOUSE_KINDS } from "#core/ids/house-bots.ts";
import type { BotId } from "#core/ids/ids.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { limitsWith } from "#core/limits/limits.ts";
import type { Limits } from "#core/limits/limits.ts";
import { hashToken } from "#data/credentials/token.ts";
import { newBot } from "#data/store/bot.ts";
import type { ArenaDeps } from "#live/arena/arena-deps.ts";
import { openArena } from "#live/arena/arena.ts";
import type { Arena } from "#live/arena/arena.ts";
import { openHealth } from "#live/health/health.ts";
import { openHouse, registerHouseBots } from "#live/house-bots/house.ts";
import type { House } from "#live/house-bots/house.ts";
import type { CreateMatchEngine } from "#live/match/match-engine.ts";
import type { MatchSetup } from "#live/match/match-setup.ts";
import type { Matchmaker } from "#live/matchmaker/matchmaker.ts";
import { openLadders } from "#server/configuration/live-ladders.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { HOUSE_POINTS, PLAYER_POINTS } from "#testing/actors/population.ts";
import { ENGINE_VERSIONS } from "#testing/fixtures/versions.ts";
import { createDice } from "#testing/simulation/dice.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";
import { drawId, drawSeed } from "#testing/simulation/ids.ts";
import { startSampledMatch } from "#testing/simulation/sampled-match.ts";
import { drawStrength, expectedTrueShare } from "#testing/simulation/strength.ts";
import type { Strength } from "#testing/simulation/strength.ts";
import { createTimeline } from "#testing/simulation/timeline.ts";
import type { Timeline } from "#testing/simulation/timeline.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

import { createHousePool, connectPlayer, busyPlayerToken } from "./busy-player.ts";
import type { PlayerPace } from "./busy-player.ts";

export type BusyLaddersOptions = {
  seed: number;
  ladders: number;
  /** Number of players per ladder. Each player has a different owner. */
  players: number;
  house: boolean;
  matchmaker: Matchmaker;
  /** Minimum and maximum exchanges per match, and think time in ms. */
  exchangeRange: NumberRange;
  thinkTimeRange: NumberRange;
  limits?: Partial<Limits>;
  /** Called with match events. Times are in seconds since the start. */
  watch: BusyLaddersObserver;
};

type BusyLaddersObserver = {
  onStarted(setup: MatchSetup, at: number): void;
  onEnded(setup: MatchSetup, at: number): void;
  onWaited(seconds: number): void;
};

type NumberRange = readonly [least: number, most: number];

export type BusyLadders = {
  /** Seconds since the start. */
  now(): number;
  /** The players' true strengths in points. */
  readonly trueStrengths: ReadonlyMap<BotId, number>;
  /** Advances virtual time by this many seconds. */
  run(seconds: number): Promise<void>;
  close(): Promise<void>;
};

export const busyLadderName = (number: number): string => `ladder-${number}`;

/** Maximum delay of responses from a threaded matchmaker, in virtual time. */
const TIME_SLICE = SECOND_US / 10;
const START = new Date("2026-01-05T12:00:00.000Z");
const LONG_LIMITS: Partial<Limits> = { tick_s: 60, budget_s: 3600 };

export async function startBusyLadders(options: BusyLaddersOptions): Promise<BusyLadders> {
  const timeline = createTimeline(START);
  const clock = createArenaClock(timeline);
  const now = () => timeline.now() / SECOND_US;
  const dice = createDice(options.seed);
  const strengthOf = createStrengths(dice);
  const { matchmaker, settled: whenIdle } = trackPendingCalls(options.matchmaker);
  const deps = createArenaDeps(options, {
    clock,
    dice,
    matchmaker,
    createEngine: createSampledMatches(options, strengthOf, now),
  });
  const arena = await openArena(deps);
  const thoughts = dice.branch("thoughts");
  const think = () => thoughts.between(...options.thinkTimeRange);
  const pace: PlayerPace = { clock, drawThinkTime: think, onWaited: options.watch.onWaited };
  const house = options.house ? await startHouseBots(deps, arena, pace) : null;
  const trueStrengths = new Map<BotId, number>();
  for (const { id: ladderId } of createLadders(options))
    for (let number = 0; number < options.players; number += 1) {
      const name = `${ladderId}-${number}`;
      trueStrengths.set(await addBot(deps, name), strengthOf(name).points);
      await connectPlayer(arena, pace, name, ladderId);
    }
  return {
    now,
    trueStrengths,
    run: async (seconds) => {
      const end = timeline.now() + seconds * SECOND_US;
      while (timeline.now() < end) {
        await timeline.run(timeline.now() + TIME_SLICE, () => false);
        await whenIdle();
      }
    },
    close: async () => {
      arena.stop();
      await house?.stop();
      await matchmaker.close();
    },
  };
}

/** Interval of the arena's heartbeat, which starts no promises. */
const HEARTBEAT_MS = 100;

function createArenaClock({ now, wall, after }: Timeline): Clock {
  return { now, wall, after: (ms, call) => after(ms, call, ms === HEARTBEAT_MS) };
}

type BusyLaddersDeps = { clock: Clock; dice: SeededDice } & Pick<
  ArenaDeps,
  "matchmaker" | "createEngine"
>;

function createArenaDeps(
  options: BusyLaddersOptions,
  { clock, dice, matchmaker, createEngine }: BusyLaddersDeps,
): ArenaDeps {
  const store = memoryStore();
  const ids = dice.branch("ids");
  const throwLogged = (fields: object, text: string) => {
    throw new Error(text, { cause: fields });
  };
  return {
    store,
    credentials: store.bots,
    matchmaker,
    createEngine,
    recorder: { file: async () => null, remove: async () => {}, close: async () => {} },
    clock,
    log: { debug: () => {}, info: () => {}, warn: throwLogged, error: throwLogged },
    health: openHealth(clock),
    settings: openSettings(limitsWith({ ...LONG_LIMITS, ...options.limits })),
    ladders: openLadders(clock, { ladders: createLadders(options) }),
    versions: ENGINE_VERSIONS,
    newId: () => drawId(ids, clock.wall().getTime()),
    newSeed: () => drawSeed(dice),
    playRefusalOf: () => null,
    isEventOpen: () => true,
    isApproved: () => true,
    onMatchStored: () => {},
    panic: (error) => throwLogged({ error }, "the arena panicked"),
  };
}

function createLadders({ ladders, house }: BusyLaddersOptions): LadderDefinition[] {
  return Array.from({ length: ladders }, (_, number) => ({
    ...PUBLIC_LADDER,
    id: busyLadderName(number),
    house: house ? HOUSE_KINDS : [],
  }));
}

type StrengthOf = (name: string) => Strength;

/** The same name and seed always give the same strength. */
function createStrengths(dice: SeededDice): StrengthOf {
  const strengths = new Map<string, Strength>();
  return (name) =>
    strengths.getOrInsertComputed(name, () => drawStrengthOf(dice.branch(name), name));
}

function drawStrengthOf(dice: SeededDice, name: string): Strength {
  const kind = HOUSE_BOTS.find((bot) => bot.name === name)?.short;
  const { mean, deviation } = PLAYER_POINTS;
  const drawnPoints = dice.normal(mean, deviation);
  return drawStrength(dice, kind === undefined ? drawnPoints : HOUSE_POINTS[kind]!);
}

function createSampledMatches(
  { watch, exchangeRange }: BusyLaddersOptions,
  strengthOf: StrengthOf,
  now: () => number,
): CreateMatchEngine {
  return (setup) => {
    watch.onStarted(setup, now());
    const [first, second] = firstTwo(setup.fighters.map(({ name }) => strengthOf(name)));
    const observer = { onResult: () => watch.onEnded(setup, now()), onFailedTick: () => {} };
    return startSampledMatch(
      setup,
      expectedTrueShare(first, second, setup.grid.name),
      observer,
      exchangeRange,
    );
  };
}

/** Wraps the matchmaker with a way to wait until it is idle. */
function trackPendingCalls(matchmaker: Matchmaker) {
  const pendingCalls = new Set<Promise<unknown>>();
  const tracked =
    <Arguments extends unknown[], Result>(call: (...parameters: Arguments) => Promise<Result>) =>
    (...parameters: Arguments): Promise<Result> => {
      const result = call(...parameters);
      pendingCalls.add(result);
      void result.finally(() => pendingCalls.delete(result)).catch(() => {});
      return result;
    };
  const { load, rate, pair, board } = matchmaker;
  const trackedMethods = {
    load: tracked(load),
    rate: tracked(rate),
    pair: tracked(pair),
    board: tracked(board),
  };
  return {
    matchmaker: { ...matchmaker, ...trackedMethods },
    settled: async () => {
      while (pendingCalls.size > 0) {
        await Promise.allSettled(pendingCalls);
        await turnOfLoop();
      }
    },
  };
}

async function startHouseBots(deps: ArenaDeps, arena: Arena, pace: PlayerPace): Promise<House> {
  const bots = await registerHouseBots(deps.store, deps.clock, HOUSE_KINDS);
  return openHouse({ ...deps, arena, spawnWorker: (_, hear) => createHousePool(pace, hear) }, bots);
}

async function addBot({ store, clock, newId }: ArenaDeps, name: string): Promise<BotId> {
  const created = clock.wall().toISOString();
  const botFields = { name, owner: name, house: false, accountId: null };
  const bot = newBot({ id: newId(), created, ...botFields });
  await store.bots.add(bot, hashToken(busyPlayerToken(name)), null);
  return bot.id;
}
