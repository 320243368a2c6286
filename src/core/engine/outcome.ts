import type { Fight } from "./fight.ts";
import { ENDING, TICK, WINNER, drawRandom, isOver } from "./fight.ts";
import { LAST_STANDING, NONE, TIMEOUT_DAMAGE, TIMEOUT_DRAW, TIMEOUT_HP } from "./integer-codes.ts";
import { RULES } from "./rules.ts";
import type { CombatEndReason } from "./types.ts";
import { COMBAT_END_REASONS } from "./types.ts";

export type Outcome = { winner: number | null; reason: CombatEndReason };

/** Returns the winner's seat and the end reason, or null while the fight is running. */
export function outcome(fight: Fight): Outcome | null {
  if (!isOver(fight)) return null;
  const winner = fight.words[WINNER]!;
  const reason = COMBAT_END_REASONS[fight.words[ENDING]!]!;
  return { winner: winner === NONE ? null : winner, reason };
}

/** Returns the seat that would win if the tick limit were reached now, or null for a draw. */
export function winnerAtTickLimit(fight: Fight): number | null {
  const best = seatsWithHighest(seatsWithHighest(allSeats(fight), fight.hp), fight.dealt);
  return isSingle(best) ? highestSeat(best) : null;
}

/** Phase 12: ends the match if fewer than two fighters are alive or the tick limit is reached. */
export function checkEnd(fight: Fight): void {
  let livingCount = 0;
  for (let seat = 0; seat < fight.seats; seat += 1) livingCount += fight.alive[seat]!;
  if (livingCount === 0) setOutcome(fight, LAST_STANDING, breakTie(fight));
  else if (livingCount === 1) setOutcome(fight, LAST_STANDING, fight.alive.indexOf(1));
  else if (fight.words[TICK]! >= RULES.max_ticks) endAtLimit(fight);
}

function setOutcome(fight: Fight, reason: number, winner: number): void {
  fight.words[ENDING] = reason;
  fight.words[WINNER] = winner;
}

function endAtLimit(fight: Fight): void {
  const healthiest = seatsWithHighest(allSeats(fight), fight.hp);
  const best = seatsWithHighest(healthiest, fight.dealt);
  if (isSingle(healthiest)) setOutcome(fight, TIMEOUT_HP, highestSeat(healthiest));
  else if (isSingle(best)) setOutcome(fight, TIMEOUT_DAMAGE, highestSeat(best));
  else setOutcome(fight, TIMEOUT_DRAW, NONE);
}

/**
 * Returns the winner among fighters that fell in the same tick: more HP before the tick, then more
 * damage dealt, then a random draw.
 */
function breakTie(fight: Fight): number {
  const startHp = fight.notes.map((note) => note.startHp);
  let tied = seatsWithHighest(seatsWithHighest(allSeats(fight), startHp), fight.dealt);
  if (isSingle(tied)) return highestSeat(tied);
  for (let skip = drawRandom(fight) % countSeats(tied); skip > 0; skip -= 1) tied &= tied - 1;
  return highestSeat(tied & -tied);
}

// Seat sets are bit masks.

function allSeats(fight: Fight): number {
  return (1 << fight.seats) - 1;
}

function seatsWithHighest(seatSet: number, scores: ArrayLike<number>): number {
  let best = 0;
  let highestScore = Number.MIN_SAFE_INTEGER;
  for (let seat = 0; seat < scores.length; seat += 1) {
    if ((seatSet & (1 << seat)) === 0 || scores[seat]! < highestScore) continue;
    best = scores[seat] === highestScore ? best | (1 << seat) : 1 << seat;
    highestScore = scores[seat]!;
  }
  return best;
}

function isSingle(seatSet: number): boolean {
  return (seatSet & (seatSet - 1)) === 0;
}

function highestSeat(seatSet: number): number {
  return 31 - Math.clz32(seatSet);
}

function countSeats(seatSet: number): number {
  let size = 0;
  for (let remainingSet = seatSet; remainingSet !== 0; remainingSet &= remainingSet - 1) size += 1;
  return size;
}
