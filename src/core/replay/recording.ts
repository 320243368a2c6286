// Records a running match in memory for its replay. Stores only numbers; two seats fit in a cache
// line.

import { assertDefined } from "#base/util/assert-defined.ts";
import { decodeTurn, encodeTurn, UNENCODABLE_TURN } from "#core/engine/turn-code.ts";
import { toRecordedTurn } from "#core/engine/turn.ts";
import type { RecordedTurn } from "#core/engine/types.ts";

/**
 * Numbers per seat and tick: the turn code, the reply time in µs or -1, and the remaining budget in
 * µs.
 */
const NUMBERS_PER_SEAT = 3;
const INITIAL_TICKS = 256;

export type Recording = {
  readonly seats: number;
  ticks: number;
  numbers: Float64Array;
  readonly unencodedTurns: Map<number, RecordedTurn>;
};

export function startRecording(seats: number): Recording {
  const numbers = new Float64Array(INITIAL_TICKS * seats * NUMBERS_PER_SEAT);
  return { seats, ticks: 0, numbers, unencodedTurns: new Map() };
}

/**
 * Records one seat in the current tick. Times are in whole µs. `reply` is null if the bot didn't
 * reply.
 */
export function recordSeat(
  recording: Recording,
  seat: number,
  turn: RecordedTurn,
  reply: number | null,
  budget: number,
): void {
  const index = recording.ticks * recording.seats + seat;
  if ((index + 1) * NUMBERS_PER_SEAT > recording.numbers.length)
    recording.numbers = growNumbers(recording);
  const code = encodeTurn(turn);
  if (code === UNENCODABLE_TURN) recording.unencodedTurns.set(index, boundTurn(turn));
  recording.numbers[index * NUMBERS_PER_SEAT] = code;
  recording.numbers[index * NUMBERS_PER_SEAT + 1] = reply ?? -1;
  recording.numbers[index * NUMBERS_PER_SEAT + 2] = budget;
}

export function finishTick(recording: Recording): void {
  recording.ticks += 1;
}

export function recordedTurnAt(recording: Recording, tick: number, seat: number): RecordedTurn {
  const code = numberAt(recording, tick, seat, 0);
  if (code !== UNENCODABLE_TURN) return decodeTurn(code);
  return recording.unencodedTurns.get(tick * recording.seats + seat) ?? null;
}

/** Returns the reply time in ms, or null if the bot didn't reply. */
export function recordedReplyMs(recording: Recording, tick: number, seat: number): number | null {
  const reply = numberAt(recording, tick, seat, 1);
  return reply === -1 ? null : reply / 1000;
}

/** Returns the remaining budget in ms. */
export function recordedBudgetMs(recording: Recording, tick: number, seat: number): number {
  return numberAt(recording, tick, seat, 2) / 1000;
}

function numberAt({ numbers, seats }: Recording, tick: number, seat: number, fieldOffset: number) {
  return assertDefined(
    numbers[(tick * seats + seat) * NUMBERS_PER_SEAT + fieldOffset],
    "recorded tick",
  );
}

function boundTurn(turn: RecordedTurn): RecordedTurn {
  return turn === null || "idle" in turn ? turn : toRecordedTurn(turn);
}

function growNumbers({ numbers }: Recording): Float64Array {
  const doubled = new Float64Array(2 * numbers.length);
  doubled.set(numbers);
  return doubled;
}
