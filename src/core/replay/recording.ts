// What is kept of a running match for its replay: only numbers, with two seats to a cache line.

import { sure } from "#base/units/sure.ts";
import { decodeTurn, encodeTurn, ODD_TURN } from "#core/engine/turn-code.ts";
import { recordedTurn } from "#core/engine/turn.ts";
import type { RecordedTurn } from "#core/engine/types.ts";

/** Numbers per seat and tick: the turn's code, µs of the reply or -1, µs of budget left. */
const NUMBERS = 3;
/** Room for a fight of usual length. It doubles when full. */
const FIRST_TICKS = 256;

export type Recording = {
  readonly seats: number;
  ticks: number;
  numbers: Float64Array;
  /** Turns that have no code, by tick * seats + seat. */
  readonly odd: Map<number, RecordedTurn>;
};

export function startRecording(seats: number): Recording {
  const numbers = new Float64Array(FIRST_TICKS * seats * NUMBERS);
  return { seats, ticks: 0, numbers, odd: new Map() };
}

/** Records one seat of the running tick. Times are in whole µs; `reply` is null if none came. */
export function recordSeat(
  recording: Recording,
  seat: number,
  turn: RecordedTurn,
  reply: number | null,
  budget: number,
): void {
  const place = recording.ticks * recording.seats + seat;
  if ((place + 1) * NUMBERS > recording.numbers.length) recording.numbers = grown(recording);
  const code = encodeTurn(turn);
  if (code === ODD_TURN) recording.odd.set(place, bounded(turn));
  recording.numbers[place * NUMBERS] = code;
  recording.numbers[place * NUMBERS + 1] = reply ?? -1;
  recording.numbers[place * NUMBERS + 2] = budget;
}

export function closeTick(recording: Recording): void {
  recording.ticks += 1;
}

/** The turn of a seat in a recorded tick. */
export function turnAt(recording: Recording, tick: number, seat: number): RecordedTurn {
  const code = numberAt(recording, tick, seat, 0);
  if (code !== ODD_TURN) return decodeTurn(code);
  return recording.odd.get(tick * recording.seats + seat) ?? null;
}

/** In ms; null if none came. */
export function replyAt(recording: Recording, tick: number, seat: number): number | null {
  const reply = numberAt(recording, tick, seat, 1);
  return reply === -1 ? null : reply / 1000;
}

/** In ms. */
export function budgetAt(recording: Recording, tick: number, seat: number): number {
  return numberAt(recording, tick, seat, 2) / 1000;
}

function numberAt({ numbers, seats }: Recording, tick: number, seat: number, which: number) {
  return sure(numbers[(tick * seats + seat) * NUMBERS + which], "recorded tick");
}

function bounded(turn: RecordedTurn): RecordedTurn {
  return turn === null || "idle" in turn ? turn : recordedTurn(turn);
}

function grown({ numbers }: Recording): Float64Array {
  const larger = new Float64Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
