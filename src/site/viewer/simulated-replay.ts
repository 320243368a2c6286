// A replay is simulated once. The result contains the states between all ticks, and all events.
import { eventsOf } from "#core/engine/events.ts";
import { TICK, isOver, createFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { parseGrid } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import { resimulate } from "#core/engine/replay.ts";
import type { Mismatch } from "#core/engine/replay.ts";
import { RULES } from "#core/engine/rules.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn, isTurn } from "#core/engine/turn.ts";
import { AREAS, COOLDOWNS, FIGHTER_IDS, PICKUPS } from "#core/engine/types.ts";
import type {
  AreaView,
  Cooldowns,
  FightEvent,
  FighterId,
  PickupView,
  RecordedTurn,
  Replay,
  ReplayTick,
} from "#core/engine/types.ts";
import { zoneRadius } from "#core/engine/zone.ts";

import { boltFlights } from "./bolt-flight.ts";
import type { BoltFlight } from "./bolt-flight.ts";

/** A fighter between two ticks. A dead fighter keeps its tile. Times are in ticks. */
export type FighterFrame = {
  id: FighterId;
  x: number;
  y: number;
  hp: number;
  alive: boolean;
  stun: number;
  power: number;
  cooldowns: Cooldowns;
};

/** State before tick `tick`. Arrays are indexed by seat. */
export type SimulatedFrame = {
  tick: number;
  fighters: FighterFrame[];
  areas: AreaView[];
  pickups: PickupView[];
  /** Zone radius at the end of this tick. The full radius means that there is no zone. */
  radius: number;
};

/** One tick's inputs and events. Arrays are indexed by seat. */
export type SimulatedTick = {
  tick: number;
  turns: RecordedTurn[];
  /** Milliseconds, or null without a response. */
  reply_ms: (number | null)[];
  budget_ms: number[];
  events: FightEvent[];
  flights: BoltFlight[];
};

export type SimulatedReplay = {
  grid: Grid;
  /** Has one more entry than `ticks`: the last frame is the end. */
  frames: SimulatedFrame[];
  ticks: SimulatedTick[];
  /** Where engine and recording diverge. Null if every hash and the result match. */
  mismatch: Mismatch | null;
  replay: Replay;
};

/** Simulates a replay as far as possible. Throws if the replay's map is invalid. */
export function simulateReplay(replay: Replay): SimulatedReplay {
  const steps = simulateReplaySteps(replay);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Simulates a replay and yields after each tick, so the browser stays responsive. */
export function* simulateReplaySteps(
  replay: Replay,
): Generator<undefined, SimulatedReplay, undefined> {
  const { map, seed, fighters } = replay.header;
  const grid = parseGrid(map.name, map.rows);
  const engineState = createFight(grid, seed, fighters.length);
  const simulation: SimulatedReplay = {
    grid,
    frames: [frameFor(engineState)],
    ticks: [],
    mismatch: null,
    replay,
  };
  for (const recordedTick of replay.ticks) {
    if (isOver(engineState)) break;
    simulateTick(simulation, engineState, recordedTick);
    yield;
  }
  // Verification can't be split into chunks. It runs last because the engine is compiled by then,
  // which makes it fast.
  const verification = resimulate(replay);
  return verification.ok ? simulation : { ...simulation, mismatch: verification };
}

function simulateTick(
  simulation: SimulatedReplay,
  engineState: Fight,
  recordedTick: ReplayTick,
): void {
  recordedTick.turns.forEach((turn, seat) =>
    setSeatTurn(engineState, seat, isTurn(turn) ? turn : null),
  );
  step(engineState);
  const { tick, turns, reply_ms, budget_ms } = recordedTick;
  const events = eventsOf(engineState);
  const frame = frameFor(engineState);
  const flights = boltFlights(simulation.grid, events, frame.fighters);
  simulation.ticks.push({ tick, turns, reply_ms, budget_ms, events, flights });
  simulation.frames.push(frame);
}

function frameFor(engineState: Fight): SimulatedFrame {
  const tick = engineState.words[TICK]!;
  return {
    tick,
    fighters: seatIndexes(engineState).map((seat) => fighterFrame(engineState, seat)),
    areas: seatIndexes(engineState).flatMap((seat) => activeAreas(engineState, seat)),
    pickups: visiblePickups(engineState),
    radius: zoneRadius(engineState.grid, tick),
  };
}

function seatIndexes(engineState: Fight): number[] {
  return Array.from({ length: engineState.seats }, (_, seat) => seat);
}

function fighterFrame(engineState: Fight, seat: number): FighterFrame {
  const cooldownEntries = COOLDOWNS.map((name, index) => [
    name,
    engineState.cooldowns[seat * COOLDOWNS.length + index],
  ]);
  return {
    id: FIGHTER_IDS[seat]!,
    x: engineState.x[seat]!,
    y: engineState.y[seat]!,
    hp: engineState.hp[seat]!,
    alive: engineState.alive[seat] === 1,
    stun: engineState.stun[seat]!,
    power: engineState.power[seat]!,
    cooldowns: Object.fromEntries(cooldownEntries) as Cooldowns,
  };
}

function activeAreas(engineState: Fight, seat: number): AreaView[] {
  return AREAS.flatMap((name, index) => {
    const areaIndex = seat * AREAS.length + index;
    if (engineState.areaX[areaIndex]! < 0) return [];
    const left = engineState.areaLeft[areaIndex]!;
    return {
      name,
      by: FIGHTER_IDS[seat]!,
      x: engineState.areaX[areaIndex]!,
      y: engineState.areaY[areaIndex]!,
      radius: RULES.attacks[name].radius,
      ...(name === "blast" ? { in: left } : { left }),
      damage: engineState.areaDamage[areaIndex]!,
    };
  });
}

function visiblePickups(engineState: Fight): PickupView[] {
  return PICKUPS.flatMap((kind, index) => {
    if (engineState.pickupX[index]! < 0) return [];
    const [x, y] = [engineState.pickupX[index]!, engineState.pickupY[index]!];
    return { kind, x, y, in: engineState.pickupIn[index]! };
  });
}
