// A replay played through the engine once: every state between ticks and every event in them.
import { eventsOf } from "#core/engine/events.ts";
import { TICK, isOver, startFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { parseGrid } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import { resimulate } from "#core/engine/replay.ts";
import type { Mismatch } from "#core/engine/replay.ts";
import { RULES } from "#core/engine/rules.ts";
import { step } from "#core/engine/step.ts";
import { setTurn, isTurn } from "#core/engine/turn.ts";
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

import { flightsOf } from "./flight.ts";
import type { Flight } from "./flight.ts";

/** A fighter between two ticks. A fallen one keeps its tile. Times are in ticks. */
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

/** The state before tick `tick`; per-fighter values in seat order. */
export type FilmFrame = {
  tick: number;
  fighters: FighterFrame[];
  areas: AreaView[];
  pickups: PickupView[];
  /** Zone radius in force at the end of this tick; the full radius means there is no zone. */
  radius: number;
};

/** The inputs and events of one tick; arrays in seat order. */
export type FilmTick = {
  tick: number;
  turns: RecordedTurn[];
  /** Milliseconds. */
  reply_ms: (number | null)[];
  budget_ms: number[];
  events: FightEvent[];
  flights: Flight[];
};

export type Film = {
  grid: Grid;
  /** One more than there are ticks: the last frame is the end. */
  frames: FilmFrame[];
  ticks: FilmTick[];
  /** Where the engine and the record part ways; null if every hash and the result agree. */
  mismatch: Mismatch | null;
  replay: Replay;
};

/** Plays a replay as far as possible. Throws if its map is invalid. */
export function filmOf(replay: Replay): Film {
  const making = filming(replay);
  for (;;) {
    const { done, value } = making.next();
    if (done === true) return value;
  }
}

/** The same in steps of a tick, so that a browser stays free to do other things in between. */
export function* filming(replay: Replay): Generator<undefined, Film, undefined> {
  const { map, seed, fighters } = replay.header;
  const grid = parseGrid(map.name, map.rows);
  const fight = startFight(grid, seed, fighters.length);
  const film: Film = { grid, frames: [frameOf(fight)], ticks: [], mismatch: null, replay };
  for (const line of replay.ticks) {
    if (isOver(fight)) break;
    playTick(film, fight, line);
    yield;
  }
  // Last: by now the engine's code is compiled, and the one step that is not divided takes little.
  const verdict = resimulate(replay);
  return verdict.ok ? film : { ...film, mismatch: verdict };
}

function playTick(film: Film, fight: Fight, line: ReplayTick): void {
  line.turns.forEach((turn, seat) => setTurn(fight, seat, isTurn(turn) ? turn : null));
  step(fight);
  const { tick, turns, reply_ms, budget_ms } = line;
  const events = eventsOf(fight);
  const frame = frameOf(fight);
  const flights = flightsOf(film.grid, events, frame.fighters);
  film.ticks.push({ tick, turns, reply_ms, budget_ms, events, flights });
  film.frames.push(frame);
}

function frameOf(fight: Fight): FilmFrame {
  const tick = fight.words[TICK]!;
  return {
    tick,
    fighters: seatsOf(fight).map((seat) => fighterOf(fight, seat)),
    areas: seatsOf(fight).flatMap((seat) => areasOf(fight, seat)),
    pickups: pickupsOf(fight),
    radius: zoneRadius(fight.grid, tick),
  };
}

function seatsOf(fight: Fight): number[] {
  return Array.from({ length: fight.seats }, (_, seat) => seat);
}

function fighterOf(fight: Fight, seat: number): FighterFrame {
  const waits = COOLDOWNS.map((name, index) => [
    name,
    fight.cooldowns[seat * COOLDOWNS.length + index],
  ]);
  return {
    id: FIGHTER_IDS[seat]!,
    x: fight.x[seat]!,
    y: fight.y[seat]!,
    hp: fight.hp[seat]!,
    alive: fight.alive[seat] === 1,
    stun: fight.stun[seat]!,
    power: fight.power[seat]!,
    cooldowns: Object.fromEntries(waits) as Cooldowns,
  };
}

function areasOf(fight: Fight, seat: number): AreaView[] {
  return AREAS.flatMap((name, index) => {
    const at = seat * AREAS.length + index;
    if (fight.areaX[at]! < 0) return [];
    const left = fight.areaLeft[at]!;
    return {
      name,
      by: FIGHTER_IDS[seat]!,
      x: fight.areaX[at]!,
      y: fight.areaY[at]!,
      radius: RULES.attacks[name].radius,
      ...(name === "blast" ? { in: left } : { left }),
      damage: fight.areaDamage[at]!,
    };
  });
}

function pickupsOf(fight: Fight): PickupView[] {
  return PICKUPS.flatMap((kind, index) => {
    if (fight.pickupX[index]! < 0) return [];
    const [x, y] = [fight.pickupX[index]!, fight.pickupY[index]!];
    return { kind, x, y, in: fight.pickupIn[index]! };
  });
}
