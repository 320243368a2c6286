// Fights for bots that look ahead. Start or track a fight, copy it, and continue playing the copy.

import { createBelief, updateBelief } from "#core/bot-policies/belief.ts";
import { createFight as startOn, placeOnTile, TICK } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { hashToText, hashState as hashOf } from "#core/engine/hash.ts";
import { cleanShout } from "#core/engine/shout.ts";
import { setSeatTurn as setOn } from "#core/engine/turn.ts";
import type { Attack, Observation, RecordedTurn, Turn } from "#core/engine/types.ts";

import { gridNamed } from "./map.ts";
import { LOCAL_ID, observationOf } from "./match.ts";
import type { HelloMessage, ObservationMessage, TurnMessage } from "./message.ts";

/**
 * Starts a fight with two to four seats, before its first tick. Throws an Error for an unknown map.
 */
export function startFight(map: string, seed: number, seats?: number): Fight {
  return startOn(gridNamed(map), seed, seats);
}

/**
 * Sets a fighter's turn for the next tick. Accepts turns as sent by bots and as stored in replays.
 */
export function setTurn(
  fight: Fight,
  seat: number,
  turn: TurnMessage | RecordedTurn | undefined,
): void {
  const hasNoTurn = turn === null || turn === undefined || "idle" in turn;
  setOn(fight, seat, hasNoTurn ? null : toTurn(turn));
}

/** Omits absent parts. */
function toTurn({ move, dash, attack, shout }: TurnMessage): Turn {
  const turn: Turn = {};
  if (move) turn.move = move;
  if (dash) turn.dash = dash;
  if (attack) turn.attack = toAttack(attack);
  if (typeof shout === "string") turn.shout = cleanShout(shout);
  return turn;
}

function toAttack({ name, target = null }: NonNullable<TurnMessage["attack"]>): Attack {
  return target === null ? { name } : { name, target };
}

/** Returns the number of the tick that `step` plays next. */
export function tickOf(fight: Fight): number {
  return fight.words[TICK]!;
}

/** Returns the state's hash, as in replays. Fights with equal hashes continue in the same way. */
export function stateHash(fight: Fight): string {
  return hashToText(hashOf(fight));
}

/** Returns what a living fighter would observe now. */
export function observe(fight: Fight, seat: number): ObservationMessage {
  return observationOf(fight, seat, LOCAL_ID, null);
}

/** Moves a fighter to a tile, where it is assumed to be. */
export function placeFighter(fight: Fight, seat: number, x: number, y: number): void {
  placeOnTile(fight, seat, y * fight.grid.width + x);
}

/** A duel as it is known to one of its bots. */
export type Tracker = {
  /**
   * The known state, with guesses where facts are hidden. Clone the fight before you continue
   * playing it.
   */
  readonly fight: Fight;
  /** Seats of the bot and its opponent. */
  readonly seat: number;
  readonly foe: number;
  /**
   * Updates the fight from an observation. Call it with every observation, before you use the
   * fight.
   */
  update(observation: ObservationMessage): void;
};

/**
 * Tracks a duel starting with `hello`, as house bots do. A fighter that is out of sight is assumed
 * to be near its last known position. Future random numbers differ from those in the match.
 */
export function trackFight(hello: HelloMessage): Tracker {
  const belief = createBelief(hello);
  const { fight, seat, opponent } = belief;
  return {
    fight,
    seat,
    foe: opponent,
    update: (observation) => updateBelief(belief, observation as unknown as Observation),
  };
}
