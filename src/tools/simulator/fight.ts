// Fights for bots that look ahead: start one or follow one, copy it, play it on.

import { startFight as startOn, place, TICK } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { hex8, stateHash as hashOf } from "#core/engine/hash.ts";
import { cleanShout } from "#core/engine/shout.ts";
import { setTurn as setOn } from "#core/engine/turn.ts";
import type { Attack, Observation, RecordedTurn, Turn } from "#core/engine/types.ts";
import { newBelief, update } from "#core/policies/belief.ts";

import { gridNamed } from "./map.ts";
import { LOCAL, seenBy } from "./match.ts";
import type { HelloMessage, ObservationMessage, TurnMessage } from "./message.ts";

/** A fight before its first tick, with two to four seats. Throws an Error for an unknown map. */
export function startFight(map: string, seed: number, seats?: number): Fight {
  return startOn(gridNamed(map), seed, seats);
}

/** Sets what a fighter does in the next tick, as a bot sends it or a replay has it. */
export function setTurn(
  fight: Fight,
  seat: number,
  turn: TurnMessage | RecordedTurn | undefined,
): void {
  const isIdle = turn === null || turn === undefined || "idle" in turn;
  setOn(fight, seat, isIdle ? null : partsOf(turn));
}

/** Leaves out the parts that are absent. */
function partsOf({ move, dash, attack, shout }: TurnMessage): Turn {
  const turn: Turn = {};
  if (move) turn.move = move;
  if (dash) turn.dash = dash;
  if (attack) turn.attack = attackOf(attack);
  if (typeof shout === "string") turn.shout = cleanShout(shout);
  return turn;
}

function attackOf({ name, target = null }: NonNullable<TurnMessage["attack"]>): Attack {
  return target === null ? { name } : { name, target };
}

/** The number of the tick that `step` plays next. */
export function tickOf(fight: Fight): number {
  return fight.words[TICK]!;
}

/** The hash of the state as replays have it: two fights with the same hash continue alike. */
export function stateHash(fight: Fight): string {
  return hex8(hashOf(fight));
}

/** What a living fighter would be told now. */
export function observe(fight: Fight, seat: number): ObservationMessage {
  return seenBy(fight, seat, LOCAL, null);
}

/** Puts a fighter on a tile, for a guess about where it is. */
export function placeFighter(fight: Fight, seat: number, x: number, y: number): void {
  place(fight, seat, y * fight.grid.width + x);
}

/** A duel as one of its bots knows it. */
export type Tracker = {
  /** What is known, with guesses for what is hidden. Clone it before you play it on. */
  readonly fight: Fight;
  /** The bot's own seat, and the other one. */
  readonly seat: number;
  readonly foe: number;
  /** Takes in an observation. Call it with each one, before you use the fight. */
  update(observation: ObservationMessage): void;
};

/**
 * Follows a duel from `hello` on, as the house bots do. A fighter out of sight is guessed to be
 * near where it was last known to be. Future randomness is not the match's own.
 */
export function trackFight(hello: HelloMessage): Tracker {
  const belief = newBelief(hello);
  const { fight, seat, foe } = belief;
  return { fight, seat, foe, update: (seen) => update(belief, seen as unknown as Observation) };
}
