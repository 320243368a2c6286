// The fight of a match together with what is written down about it: replay lines and statistics.

import { startFight } from "#engine/fight.ts";
import type { Fight } from "#engine/fight.ts";
import type { Grid } from "#engine/grid.ts";
import { EMPTY_TRACE, extendTrace, hex8, stateHash, traceHash } from "#engine/hash.ts";
import type { Trace } from "#engine/hash.ts";
import { mapView } from "#engine/maps.ts";
import { matchStats, startMatchTally, tallyMatchTick } from "#engine/match-stats.ts";
import type { MatchTally } from "#engine/match-stats.ts";
import { observe } from "#engine/observe.ts";
import { decideAtLimit, outcome } from "#engine/outcome.ts";
import type { Outcome } from "#engine/outcome.ts";
import { RULES } from "#engine/rules.ts";
import { cleanShout } from "#engine/shout.ts";
import { step } from "#engine/step.ts";
import { recordedTurn, setTurn } from "#engine/turn.ts";
import { FIGHTER_IDS } from "#engine/types.ts";
import type {
  MatchStats,
  Observation,
  RecordedTurn,
  ReplayHeader,
  ReplayResult,
  ReplayTick,
  Turn,
} from "#engine/types.ts";
import { printHeader, printResult, printTick } from "#protocol/replay.ts";

import type { MatchSetup, Verdict } from "./match.ts";
import { isFault, replyTime } from "./seat.ts";
import type { Seat } from "./seat.ts";

export type Recording = {
  readonly header: ReplayHeader;
  readonly grid: Grid;
  readonly fight: Fight;
  readonly tally: MatchTally;
  trace: Trace;
  /** Ticks played and written down. */
  ticks: number;
  lastTick: ReplayTick | null;
  /** The lines of all ticks as bytes: objects that live as long as a match are dear to collect. */
  lines: Buffer;
  /** Bytes of `lines` that are written. */
  length: number;
};

/** Bytes: room for a fight of usual length. */
const FIRST_ROOM = 32 * 1024;
/** UTF-8 never needs more bytes for a unit of a text. */
const MOST_BYTES_PER_UNIT = 3;
const LINE_FEED = 0x0a;

export function startRecording(setup: MatchSetup): Recording {
  const { grid, seed, fighters } = setup;
  const header: ReplayHeader = {
    match_id: setup.matchId,
    ladder_id: setup.ladderId,
    mode: setup.mode,
    started: setup.started,
    versions: setup.versions,
    seed,
    deadlines: setup.deadlines,
    map: { name: grid.name, rows: grid.rows },
    fighters,
  };
  return {
    header,
    grid,
    fight: startFight(grid, seed, fighters.length),
    tally: startMatchTally(header),
    trace: EMPTY_TRACE,
    ticks: 0,
    lastTick: null,
    lines: Buffer.allocUnsafe(FIRST_ROOM),
    length: 0,
  };
}

export function observeSeat({ fight }: Recording, seat: number): Observation {
  return observe(fight, seat);
}

/** Plays one tick from what the seats decided and writes it down. */
export function playTick(recording: Recording, seats: readonly Seat[]): Outcome | null {
  const { fight, tally } = recording;
  const turns = seats.map(turnOf);
  for (const [seat, turn] of turns.entries())
    setTurn(fight, seat, turn === null || "idle" in turn ? null : turn);
  step(fight);
  const hash = stateHash(fight);
  recording.trace = extendTrace(recording.trace, hash);
  const tick: ReplayTick = {
    tick: recording.ticks,
    turns,
    reply_ms: seats.map(replyMs),
    budget_ms: seats.map(({ budget }) => budget / 1000),
    hash: hex8(hash),
  };
  tallyMatchTick(tally, fight, tick);
  write(recording, tick);
  return outcome(fight);
}

function write(recording: Recording, tick: ReplayTick): void {
  const text = printTick(tick);
  const end = recording.length + MOST_BYTES_PER_UNIT * text.length + 1;
  if (end > recording.lines.length) recording.lines = grown(recording, end);
  recording.length += recording.lines.write(text, recording.length, "utf8");
  recording.length = recording.lines.writeUInt8(LINE_FEED, recording.length);
  recording.ticks += 1;
  recording.lastTick = tick;
}

function grown({ lines, length }: Recording, least: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(least, 2 * lines.length));
  lines.copy(larger, 0, 0, length);
  return larger;
}

function turnOf({ decision, failed }: Seat): RecordedTurn {
  if (failed !== null) return { idle: failed.reason };
  return decision === null || isFault(decision) ? null : recordedTurn(cleaned(decision));
}

function cleaned(turn: Turn): Turn {
  return turn.shout === undefined ? turn : { ...turn, shout: cleanShout(turn.shout) };
}

function replyMs(seat: Seat): number | null {
  const time = replyTime(seat);
  return time === null ? null : time / 1000;
}

/** Who would win if the tick limit were now; null for a draw. */
export function leaderAtLimit({ fight }: Recording): number | null {
  return decideAtLimit(fight);
}

function resultOf({ ticks, trace }: Recording, { winner, reason }: Verdict): ReplayResult {
  return {
    winner: winner === null ? null : FIGHTER_IDS[winner],
    reason,
    ticks,
    hash: ticks === 0 ? "00000000" : hex8(traceHash(trace)),
  };
}

/** The bytes of the replay file, before they are compressed. */
export function printRecording(recording: Recording, verdict: Verdict): Buffer {
  const { header, grid, lines, length } = recording;
  const head = `${printHeader(header, mapView(grid), RULES)}\n`;
  const last = `${printResult(resultOf(recording, verdict))}\n`;
  return Buffer.concat([Buffer.from(head), lines.subarray(0, length), Buffer.from(last)]);
}

/** The statistics document; null for a match that a server fault voided. */
export function statsOf(recording: Recording, verdict: Verdict): MatchStats | null {
  return matchStats(recording.header, resultOf(recording, verdict), recording.tally);
}
