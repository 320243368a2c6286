import type { Fight } from "./fight.ts";
import { MAX_SEATS, MIN_SEATS, isOver, startFight } from "./fight.ts";
import type { Grid } from "./grid.ts";
import { parseGrid } from "./grid.ts";
import type { Trace } from "./hash.ts";
import { EMPTY_TRACE, extendTrace, hex8, isHex8, stateHash, traceHash } from "./hash.ts";
import { mapProblem } from "./map-check.ts";
import { gridOf } from "./maps.ts";
import { matchStats, startMatchTally, tallyMatchTick } from "./match-stats.ts";
import { decideAtLimit, outcome } from "./outcome.ts";
import { disqualifiedSeats, failedTicksToLose } from "./server-stats.ts";
import { step } from "./step.ts";
import { setTurn } from "./turn.ts";
import type { EndReason, FighterId, MapRows, MatchStats, Replay, ReplayTick } from "./types.ts";
import { FIGHTER_IDS } from "./types.ts";

/** Where the replay and the engine part ways; `tick` is null if it is not about a single tick. */
export type Mismatch = { tick: number | null; field: string; recorded: string; simulated: string };

/** `fight` is as it was at the end of the match. */
export type Resimulation = { ok: true; fight: Fight } | ({ ok: false } & Mismatch);

/**
 * Plays a replay through the engine: every state hash, the trace and the result must match.
 * Decisions of the server (forfeit, disqualification, server fault) are taken from the record where
 * the turns cannot confirm them.
 */
export function resimulate(replay: Replay): Resimulation {
  return playReplay(replay, () => {});
}

/**
 * Counts the statistics document again from a replay. Null if a server fault voided the match, or
 * if the replay does not simulate to what it says.
 */
export function statsOfReplay(replay: Replay): MatchStats | null {
  const tally = startMatchTally(replay.header);
  const played = playReplay(replay, (fight, tick) => tallyMatchTick(tally, fight, tick));
  return played.ok ? matchStats(replay.header, replay.result, tally) : null;
}

type Visitor = (fight: Fight, tick: ReplayTick) => void;

function playReplay(replay: Replay, visit: Visitor): Resimulation {
  const grid = gridOfReplay(replay);
  const seats = replay.header.fighters.length;
  if (grid === null) return parted(null, "map", replay.header.map.name, "no valid map");
  if (seats < MIN_SEATS || seats > MAX_SEATS) return parted(null, "fighters", seats, MIN_SEATS);
  const fight = startFight(grid, replay.header.seed, seats);
  let trace = EMPTY_TRACE;
  for (let number = 0; number < replay.ticks.length; number += 1) {
    const tick = replay.ticks[number]!;
    const mismatch = tickMismatch(fight, number, tick);
    if (mismatch !== null) return mismatch;
    for (let seat = 0; seat < seats; seat += 1) setTurn(fight, seat, tick.turns[seat]!);
    step(fight);
    const hash = stateHash(fight);
    if (!isHex8(tick.hash, hash)) return parted(number, "hash", tick.hash, hex8(hash));
    trace = extendTrace(trace, hash);
    visit(fight, tick);
  }
  return resultMismatch(replay, fight, trace) ?? { ok: true, fight };
}

function parted(
  tick: number | null,
  field: string,
  recorded: unknown,
  simulated: unknown,
): { ok: false } & Mismatch {
  return { ok: false, tick, field, recorded: String(recorded), simulated: String(simulated) };
}

/** The ladder's own grid if the replay's map is the same, else one built from the replay's rows. */
function gridOfReplay({ header: { map } }: Replay): Grid | null {
  const known = gridOf(map.name);
  if (known !== null && isSameMap(known.rows, map.rows)) return known;
  return mapProblem(map.rows) === null ? parseGrid(map.name, map.rows) : null;
}

function isSameMap(rows: MapRows, others: MapRows): boolean {
  return rows.length === others.length && rows.every((row, y) => row === others[y]);
}

function tickMismatch(fight: Fight, number: number, { tick, turns }: ReplayTick) {
  if (tick !== number) return parted(number, "tick", tick, number);
  if (turns.length !== fight.seats) return parted(number, "turns", turns.length, fight.seats);
  return isOver(fight) ? parted(number, "tick", tick, "the match is over") : null;
}

function resultMismatch(replay: Replay, fight: Fight, trace: Trace) {
  const { ticks, result } = replay;
  const hash = hex8(traceHash(trace));
  if (result.ticks !== ticks.length) return parted(null, "ticks", result.ticks, ticks.length);
  if (result.hash !== hash) return parted(null, "trace", result.hash, hash);
  // The match was voided, so nothing follows from its ticks but that nobody won.
  if (result.reason === "server_fault")
    return result.winner === null ? null : parted(null, "winner", result.winner, null);
  const { winner, reason } = combatVerdict(fight) ?? serverVerdict(fight, replay);
  if (result.reason !== reason) return parted(null, "reason", result.reason, reason);
  return result.winner === winner ? null : parted(null, "winner", result.winner, winner);
}

type Verdict = { winner: FighterId | null; reason: EndReason | "none" };

function combatVerdict(fight: Fight): Verdict | null {
  const ending = outcome(fight);
  return ending === null ? null : { winner: idOf(ending.winner), reason: ending.reason };
}

/** What the server may have decided while the fight was still on. */
function serverVerdict(fight: Fight, { header, ticks, result }: Replay): Verdict {
  const { winner, reason } = result;
  if (reason === "forfeit") return { winner, reason };
  const seats = FIGHTER_IDS.slice(0, fight.seats).map((_, seat) => seat);
  const counts = seats.map((seat) => failedTicks(ticks, seat));
  const isOut = disqualifiedSeats(counts, ticks.length, failedTicksToLose(header.deadlines));
  const staying = seats.filter((seat) => !isOut[seat]);
  if (reason !== "disqualification" || staying.length === fight.seats) {
    return { winner: null, reason: "none" };
  }
  const single = staying.length === 0 ? decideAtLimit(fight) : staying[0]!;
  return { winner: staying.length > 1 ? winner : idOf(single), reason };
}

/** The failed ticks of a seat: at the end in a row, and in all. */
function failedTicks(ticks: readonly ReplayTick[], seat: number) {
  let [inARow, inAll] = [0, 0];
  for (const { turns } of ticks) {
    const turn = turns[seat]!;
    const isFailed = turn !== null && "idle" in turn;
    inARow = isFailed ? inARow + 1 : 0;
    inAll += Number(isFailed);
  }
  return { inARow, inAll };
}

function idOf(seat: number | null): FighterId | null {
  return seat === null ? null : FIGHTER_IDS[seat]!;
}
