import type { Fight } from "./fight.ts";
import { MAX_SEATS, MIN_SEATS, isOver, createFight } from "./fight.ts";
import type { Grid } from "./grid.ts";
import { parseGrid } from "./grid.ts";
import type { Trace } from "./hash.ts";
import { EMPTY_TRACE, extendTrace, hashToText, isHashText, hashState, traceHash } from "./hash.ts";
import { mapError } from "./map-validation.ts";
import { gridOf } from "./maps.ts";
import { createMatchStats, startMatchTally, tallyMatchTick } from "./match-stats.ts";
import { winnerAtTickLimit, outcome } from "./outcome.ts";
import { disqualifiedSeats, failedTicksToDisqualify } from "./server-stats.ts";
import { step } from "./step.ts";
import { setSeatTurn } from "./turn.ts";
import type { EndReason, FighterId, MapRows, MatchStats, Replay, ReplayTick } from "./types.ts";
import { FIGHTER_IDS } from "./types.ts";

/** Where the replay and the engine differ. `tick` is null if the difference isn't in one tick. */
export type Mismatch = { tick: number | null; field: string; recorded: string; simulated: string };

export type Resimulation = { ok: true; fight: Fight } | ({ ok: false } & Mismatch);

/**
 * Verifies a replay with the engine: every state hash, the trace and the result must match.
 * Forfeits, disqualifications and server faults are taken from the record if the turns can't
 * confirm them.
 */
export function resimulate(replay: Replay): Resimulation {
  return playReplay(replay, () => {});
}

/**
 * Recomputes the statistics document from a replay. Returns null if a server fault voided the match
 * or verification fails.
 */
export function statsOfReplay(replay: Replay): MatchStats | null {
  const tally = startMatchTally(replay.header);
  const resimulation = playReplay(replay, (fight, tick) => tallyMatchTick(tally, fight, tick));
  return resimulation.ok ? createMatchStats(replay.header, replay.result, tally) : null;
}

type TickVisitor = (fight: Fight, tick: ReplayTick) => void;

function playReplay(replay: Replay, visit: TickVisitor): Resimulation {
  const grid = replayGrid(replay);
  const seats = replay.header.fighters.length;
  if (grid === null) return createMismatch(null, "map", replay.header.map.name, "no valid map");
  if (seats < MIN_SEATS || seats > MAX_SEATS)
    return createMismatch(null, "fighters", seats, MIN_SEATS);
  const fight = createFight(grid, replay.header.seed, seats);
  let trace = EMPTY_TRACE;
  for (let tickNumber = 0; tickNumber < replay.ticks.length; tickNumber += 1) {
    const tick = replay.ticks[tickNumber]!;
    const mismatch = tickMismatch(fight, tickNumber, tick);
    if (mismatch !== null) return mismatch;
    for (let seat = 0; seat < seats; seat += 1) setSeatTurn(fight, seat, tick.turns[seat]!);
    step(fight);
    const hash = hashState(fight);
    if (!isHashText(tick.hash, hash))
      return createMismatch(tickNumber, "hash", tick.hash, hashToText(hash));
    trace = extendTrace(trace, hash);
    visit(fight, tick);
  }
  return resultMismatch(replay, fight, trace) ?? { ok: true, fight };
}

function createMismatch(
  tick: number | null,
  field: string,
  recorded: unknown,
  simulated: unknown,
): { ok: false } & Mismatch {
  return { ok: false, tick, field, recorded: String(recorded), simulated: String(simulated) };
}

/**
 * Returns the replay's map: the cached grid if a ladder map has the same rows, else a new grid.
 * Returns null for an invalid map.
 */
function replayGrid({ header: { map } }: Replay): Grid | null {
  const ladderGrid = gridOf(map.name);
  if (ladderGrid !== null && isSameMap(ladderGrid.rows, map.rows)) return ladderGrid;
  return mapError(map.rows) === null ? parseGrid(map.name, map.rows) : null;
}

function isSameMap(rows: MapRows, otherRows: MapRows): boolean {
  return rows.length === otherRows.length && rows.every((row, y) => row === otherRows[y]);
}

function tickMismatch(fight: Fight, tickNumber: number, { tick, turns }: ReplayTick) {
  if (tick !== tickNumber) return createMismatch(tickNumber, "tick", tick, tickNumber);
  if (turns.length !== fight.seats)
    return createMismatch(tickNumber, "turns", turns.length, fight.seats);
  return isOver(fight) ? createMismatch(tickNumber, "tick", tick, "the match is over") : null;
}

function resultMismatch(replay: Replay, fight: Fight, trace: Trace) {
  const { ticks, result } = replay;
  const hash = hashToText(traceHash(trace));
  if (result.ticks !== ticks.length)
    return createMismatch(null, "ticks", result.ticks, ticks.length);
  if (result.hash !== hash) return createMismatch(null, "trace", result.hash, hash);
  // The match is void, so only the missing winner can be checked.
  if (result.reason === "server_fault")
    return result.winner === null ? null : createMismatch(null, "winner", result.winner, null);
  const { winner, reason } = combatVerdict(fight) ?? serverVerdict(fight, replay);
  if (result.reason !== reason) return createMismatch(null, "reason", result.reason, reason);
  return result.winner === winner ? null : createMismatch(null, "winner", result.winner, winner);
}

type Verdict = { winner: FighterId | null; reason: EndReason | "none" };

function combatVerdict(fight: Fight): Verdict | null {
  const ending = outcome(fight);
  return ending === null ? null : { winner: fighterIdOf(ending.winner), reason: ending.reason };
}

function serverVerdict(fight: Fight, { header, ticks, result }: Replay): Verdict {
  const { winner, reason } = result;
  if (reason === "forfeit") return { winner, reason };
  const seats = FIGHTER_IDS.slice(0, fight.seats).map((_, seat) => seat);
  const counts = seats.map((seat) => countFailedTicks(ticks, seat));
  const isDisqualified = disqualifiedSeats(
    counts,
    ticks.length,
    failedTicksToDisqualify(header.deadlines),
  );
  const remainingSeats = seats.filter((seat) => !isDisqualified[seat]);
  if (reason !== "disqualification" || remainingSeats.length === fight.seats) {
    return { winner: null, reason: "none" };
  }
  const survivor = remainingSeats.length === 0 ? winnerAtTickLimit(fight) : remainingSeats[0]!;
  return { winner: remainingSeats.length > 1 ? winner : fighterIdOf(survivor), reason };
}

function countFailedTicks(ticks: readonly ReplayTick[], seat: number) {
  let [consecutive, total] = [0, 0];
  for (const { turns } of ticks) {
    const turn = turns[seat]!;
    const isFailed = turn !== null && "idle" in turn;
    consecutive = isFailed ? consecutive + 1 : 0;
    total += Number(isFailed);
  }
  return { consecutive, total };
}

function fighterIdOf(seat: number | null): FighterId | null {
  return seat === null ? null : FIGHTER_IDS[seat]!;
}
