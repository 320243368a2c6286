// A real arena on virtual time, with players on one or many ladders of an event who are there all
// the time. Fights are drawn from true strengths, and the store is in memory.

import { setImmediate as turnOfLoop } from "node:timers/promises";

import type { Clock } from "#base/clock/clock.ts";
import { bothOf } from "#base/units/sure.ts";
import { SECOND } from "#base/units/time.ts";
import { PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { HOUSE_BOTS, HOUSE_KINDS } from "#core/words/house.ts";
import type { BotId } from "#core/words/ids.ts";
import { limitsWith } from "#core/words/limits.ts";
import type { Limits } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import { newBot } from "#data/store/bot.ts";
import { openArena } from "#live/arena/arena.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { ArenaDeps } from "#live/arena/deps.ts";
import { openHealth } from "#live/health/health.ts";
import { openHouse, registerHouseBots } from "#live/house/house.ts";
import type { House } from "#live/house/house.ts";
import type { Fights } from "#live/match/fight-port.ts";
import type { MatchSetup } from "#live/match/setup.ts";
import type { Matchmaker } from "#live/matchmaker/matchmaker.ts";
import { openLadders } from "#server/configuration/ladders.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { HOUSE_POINTS, PLAYER_POINTS } from "#testing/actors/population.ts";
import { VERSIONS } from "#testing/fixtures/versions.ts";
import { createDice } from "#testing/simulation/dice.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";
import { drawFight } from "#testing/simulation/drawn-fight.ts";
import { drawId, drawSeed } from "#testing/simulation/ids.ts";
import { openTimeline } from "#testing/simulation/timeline.ts";
import type { Timeline } from "#testing/simulation/timeline.ts";
import { drawStrength, trueShare } from "#testing/simulation/truth.ts";
import type { Strength } from "#testing/simulation/truth.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

import { hireCrew, seatPlayer, tokenOf } from "./lively-player.ts";
import type { Pace } from "./lively-player.ts";

export type LivelyOptions = {
  seed: number;
  ladders: number;
  /** On each ladder; each has an owner of its own. */
  players: number;
  /** Whether the four of the house play on each ladder. */
  house: boolean;
  matchmaker: Matchmaker;
  /** Fewest and most exchanges of a fight, and how many milliseconds a thought takes. */
  exchanges: Range;
  thoughts: Range;
  limits?: Partial<Limits>;
  /** What happens, in seconds since the beginning. */
  watch: LivelyWatch;
};

type LivelyWatch = {
  started(setup: MatchSetup, at: number): void;
  ended(setup: MatchSetup, at: number): void;
  waited(seconds: number): void;
};

type Range = readonly [least: number, most: number];

export type LivelyWorld = {
  /** Seconds since the beginning. */
  now(): number;
  /** True points of the players, by bot id. */
  readonly truth: ReadonlyMap<BotId, number>;
  /** Lets virtual seconds pass. */
  play(seconds: number): Promise<void>;
  close(): Promise<void>;
};

export const ladderName = (number: number): string => `ladder-${number}`;

/** A matchmaker on a thread answers this late at most, by the virtual clock. */
const SLICE = SECOND / 10;
const START = new Date("2026-01-05T12:00:00.000Z");
/** Longer than any thought, and than any fight. */
const PATIENCE: Partial<Limits> = { tick_s: 60, budget_s: 3600 };

export async function openLively(options: LivelyOptions): Promise<LivelyWorld> {
  const timeline = openTimeline(START);
  const clock = clockOf(timeline);
  const now = () => timeline.now() / SECOND;
  const dice = createDice(options.seed);
  const strengthOf = strengthsBy(dice);
  const { matchmaker, settled } = awaited(options.matchmaker);
  const deps = depsOf(options, {
    clock,
    dice,
    matchmaker,
    fights: drawnFights(options, strengthOf, now),
  });
  const arena = await openArena(deps);
  const thoughts = dice.branch("thoughts");
  const think = () => thoughts.between(...options.thoughts);
  const pace: Pace = { clock, think, waited: options.watch.waited };
  const house = options.house ? await seatHouse(deps, arena, pace) : null;
  const truth = new Map<BotId, number>();
  for (const { id: ladderId } of laddersOf(options))
    for (let number = 0; number < options.players; number += 1) {
      const name = `${ladderId}-${number}`;
      truth.set(await addBot(deps, name), strengthOf(name).points);
      await seatPlayer(arena, pace, name, ladderId);
    }
  return {
    now,
    truth,
    play: async (seconds) => {
      const end = timeline.now() + seconds * SECOND;
      while (timeline.now() < end) {
        await timeline.run(timeline.now() + SLICE, () => false);
        await settled();
      }
    },
    close: async () => {
      arena.stop();
      await house?.stop();
      await matchmaker.close();
    },
  };
}

/** The arena's heartbeat, which leaves nothing behind that must be awaited. */
const BEAT_MS = 100;

function clockOf({ now, wall, after }: Timeline): Clock {
  return { now, wall, after: (ms, call) => after(ms, call, ms === BEAT_MS) };
}

type Parts = { clock: Clock; dice: SeededDice } & Pick<ArenaDeps, "matchmaker" | "fights">;

function depsOf(options: LivelyOptions, { clock, dice, matchmaker, fights }: Parts): ArenaDeps {
  const store = memoryStore();
  const ids = dice.branch("ids");
  const complain = (fields: object, text: string) => {
    throw new Error(text, { cause: fields });
  };
  return {
    store,
    credentials: store.bots,
    matchmaker,
    fights,
    recorder: { file: async () => null, remove: async () => {}, close: async () => {} },
    clock,
    log: { debug: () => {}, info: () => {}, warn: complain, error: complain },
    health: openHealth(clock),
    settings: openSettings(limitsWith({ ...PATIENCE, ...options.limits })),
    ladders: openLadders(clock, { ladders: laddersOf(options) }),
    versions: VERSIONS,
    newId: () => drawId(ids, clock.wall().getTime()),
    newSeed: () => drawSeed(dice),
    mayPlay: () => null,
    isEventOpen: () => true,
    isApproved: () => true,
    stored: () => {},
    panic: (error) => complain({ error }, "the arena gave up"),
  };
}

/** Next to public, on which nobody plays. */
function laddersOf({ ladders, house }: LivelyOptions): LadderDefinition[] {
  return Array.from({ length: ladders }, (_, number) => ({
    ...PUBLIC,
    id: ladderName(number),
    house: house ? HOUSE_KINDS : [],
  }));
}

type StrengthOf = (name: string) => Strength;

/** A name and a seed always have the same strength. */
function strengthsBy(dice: SeededDice): StrengthOf {
  const strengths = new Map<string, Strength>();
  return (name) => strengths.getOrInsertComputed(name, () => strengthIn(dice.branch(name), name));
}

function strengthIn(dice: SeededDice, name: string): Strength {
  const kind = HOUSE_BOTS.find((bot) => bot.name === name)?.short;
  const { mean, deviation } = PLAYER_POINTS;
  const drawn = dice.normal(mean, deviation);
  return drawStrength(dice, kind === undefined ? drawn : HOUSE_POINTS[kind]!);
}

function drawnFights(
  { watch, exchanges }: LivelyOptions,
  strengthOf: StrengthOf,
  now: () => number,
): Fights {
  return (setup) => {
    watch.started(setup, now());
    const [first, second] = bothOf(setup.fighters.map(({ name }) => strengthOf(name)));
    const observer = { decided: () => watch.ended(setup, now()), failed: () => {} };
    return drawFight(setup, trueShare(first, second, setup.grid.name), observer, exchanges);
  };
}

/** The same matchmaker, and a way to wait until it has nothing left to answer. */
function awaited(matchmaker: Matchmaker) {
  const open = new Set<Promise<unknown>>();
  const noted =
    <Question extends unknown[], Answer>(ask: (...question: Question) => Promise<Answer>) =>
    (...question: Question): Promise<Answer> => {
      const answer = ask(...question);
      open.add(answer);
      void answer.finally(() => open.delete(answer)).catch(() => {});
      return answer;
    };
  const { load, rate, pair, board } = matchmaker;
  const questions = {
    load: noted(load),
    rate: noted(rate),
    pair: noted(pair),
    board: noted(board),
  };
  return {
    matchmaker: { ...matchmaker, ...questions },
    settled: async () => {
      while (open.size > 0) {
        await Promise.allSettled(open);
        await turnOfLoop();
      }
    },
  };
}

async function seatHouse(deps: ArenaDeps, arena: Arena, pace: Pace): Promise<House> {
  const bots = await registerHouseBots(deps.store, deps.clock, HOUSE_KINDS);
  return openHouse({ ...deps, arena, hire: (_, hear) => hireCrew(pace, hear) }, bots);
}

async function addBot({ store, clock, newId }: ArenaDeps, name: string): Promise<BotId> {
  const created = clock.wall().toISOString();
  const facts = { name, owner: name, house: false, accountId: null };
  const bot = newBot({ id: newId(), created, ...facts });
  await store.bots.add(bot, hashToken(tokenOf(name)), null);
  return bot.id;
}
