// A replay is simulated once. The result contains the states between all ticks, and all events.
import { eventsOf } from "#core/engine/events.ts";
import { isOver, createFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { frameOf } from "#core/engine/frame.ts";
import type { MatchFrame } from "#core/engine/frame.ts";
import { parseGrid } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import { resimulate } from "#core/engine/replay.ts";
import type { Mismatch } from "#core/engine/replay.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn, isTurn } from "#core/engine/turn.ts";
import type { FightEvent, RecordedTurn, Replay, ReplayTick } from "#core/engine/types.ts";

import { boltFlights } from "./bolt-flight.ts";
import type { BoltFlight } from "./bolt-flight.ts";

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
  frames: MatchFrame[];
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
    frames: [frameOf(engineState)],
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
  const frame = frameOf(engineState);
  const flights = boltFlights(simulation.grid, events, frame.fighters);
  simulation.ticks.push({ tick, turns, reply_ms, budget_ms, events, flights });
  simulation.frames.push(frame);
}
