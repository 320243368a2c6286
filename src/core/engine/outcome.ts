import { LAST_STANDING, NONE, TIMEOUT_DAMAGE, TIMEOUT_DRAW, TIMEOUT_HP } from "./codes.ts";
import type { Fight } from "./fight.ts";
import { ENDING, TICK, WINNER, draw, isOver } from "./fight.ts";
import { RULES } from "./rules.ts";
import type { CombatEndReason } from "./types.ts";
import { COMBAT_END_REASONS } from "./types.ts";

export type Outcome = { winner: number | null; reason: CombatEndReason };

/** How the fight ended, with the winner as its seat; null while it runs. */
export function outcome(fight: Fight): Outcome | null {
  if (!isOver(fight)) return null;
  const winner = fight.words[WINNER]!;
  const reason = COMBAT_END_REASONS[fight.words[ENDING]!]!;
  return { winner: winner === NONE ? null : winner, reason };
}

/** The seat that would win if the tick limit were now, or null for a draw. */
export function decideAtLimit(fight: Fight): number | null {
  const best = leaders(leaders(everyone(fight), fight.hp), fight.dealt);
  return isSingle(best) ? seatIn(best) : null;
}

/** Phase 12: the match ends when at most one fighter is alive, or at the tick limit. */
export function endCheck(fight: Fight): void {
  let living = 0;
  for (let seat = 0; seat < fight.seats; seat += 1) living += fight.alive[seat]!;
  if (living === 0) end(fight, LAST_STANDING, breakTie(fight));
  else if (living === 1) end(fight, LAST_STANDING, fight.alive.indexOf(1));
  else if (fight.words[TICK]! >= RULES.max_ticks) endAtLimit(fight);
}

function end(fight: Fight, reason: number, winner: number): void {
  fight.words[ENDING] = reason;
  fight.words[WINNER] = winner;
}

function endAtLimit(fight: Fight): void {
  const healthiest = leaders(everyone(fight), fight.hp);
  const best = leaders(healthiest, fight.dealt);
  if (isSingle(healthiest)) end(fight, TIMEOUT_HP, seatIn(healthiest));
  else if (isSingle(best)) end(fight, TIMEOUT_DAMAGE, seatIn(best));
  else end(fight, TIMEOUT_DRAW, NONE);
}

/**
 * Among the last fighters, who fell together: more hp before the tick, more damage dealt, then
 * chance.
 */
function breakTie(fight: Fight): number {
  const startHp = fight.notes.map((note) => note.startHp);
  let tied = leaders(leaders(everyone(fight), startHp), fight.dealt);
  if (isSingle(tied)) return seatIn(tied);
  for (let skip = draw(fight) % sizeOf(tied); skip > 0; skip -= 1) tied &= tied - 1;
  return seatIn(tied & -tied);
}

// Seat sets are bit masks.

function everyone(fight: Fight): number {
  return (1 << fight.seats) - 1;
}

/** The seats in the set that share the highest score. */
function leaders(set: number, scores: ArrayLike<number>): number {
  let best = 0;
  let most = Number.MIN_SAFE_INTEGER;
  for (let seat = 0; seat < scores.length; seat += 1) {
    if ((set & (1 << seat)) === 0 || scores[seat]! < most) continue;
    best = scores[seat] === most ? best | (1 << seat) : 1 << seat;
    most = scores[seat]!;
  }
  return best;
}

function isSingle(set: number): boolean {
  return (set & (set - 1)) === 0;
}

/** The highest seat of a non-empty set. */
function seatIn(set: number): number {
  return 31 - Math.clz32(set);
}

function sizeOf(set: number): number {
  let size = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) size += 1;
  return size;
}
