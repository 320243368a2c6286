// Replay and statistics of a finished match, from its record alone. The match is played again and
// must end in the state in which it ended live.

import { startFight } from "#core/engine/fight.ts";
import { parseGrid } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import { EMPTY_TRACE, extendTrace, hex8, stateHash, traceHash } from "#core/engine/hash.ts";
import { gridOf, mapView } from "#core/engine/maps.ts";
import { matchStats, startMatchTally, tallyMatchTick } from "#core/engine/match-stats.ts";
import { RULES } from "#core/engine/rules.ts";
import { step } from "#core/engine/step.ts";
import { setTurn } from "#core/engine/turn.ts";
import type {
  EndReason,
  FighterId,
  MatchStats,
  RecordedTurn,
  ReplayHeader,
  ReplayTick,
} from "#core/engine/types.ts";

import { printHeader, printResult, printTick } from "./print-replay.ts";
import { budgetAt, replyAt, turnAt } from "./recording.ts";
import type { Recording } from "./recording.ts";

/** A finished match as plain values that can be sent to a thread. */
export type FightRecord = {
  header: ReplayHeader;
  recording: Recording;
  winner: FighterId | null;
  reason: EndReason | "server_fault";
  /** Hash of the state after the last tick; null if no tick was played. */
  hash: string | null;
};

export type WrittenMatch = { replay: string; stats: MatchStats | null };

/**
 * The replay's text and the statistics document, which is null if a server fault voided the match.
 * @throws Error if the record does not play to the state in which the match ended.
 */
export function writeUp({ header, recording, winner, reason, hash }: FightRecord): WrittenMatch {
  const grid = gridOfHeader(header);
  const fight = startFight(grid, header.seed, header.fighters.length);
  const tally = startMatchTally(header);
  let lines = `${printHeader(header, mapView(grid), RULES)}\n`;
  let trace = EMPTY_TRACE;
  let last: string | null = null;
  for (let number = 0; number < recording.ticks; number += 1) {
    const turns = turnsOf(recording, number);
    turns.forEach((turn, seat) => setTurn(fight, seat, turn));
    step(fight);
    const state = stateHash(fight);
    trace = extendTrace(trace, state);
    last = hex8(state);
    const tick = tickOf(recording, number, turns, last);
    tallyMatchTick(tally, fight, tick);
    lines += `${printTick(tick)}\n`;
  }
  if (last !== hash) throw new Error(`the match ended in ${hash}, its record in ${last}`);
  const ended = last === null ? "00000000" : hex8(traceHash(trace));
  const result = { winner, reason, ticks: recording.ticks, hash: ended };
  return { replay: `${lines}${printResult(result)}\n`, stats: matchStats(header, result, tally) };
}

/** Every recorded tick as in a replay, without its hash. */
function tickOf(
  recording: Recording,
  tick: number,
  turns: RecordedTurn[],
  hash: string,
): ReplayTick {
  const replies: (number | null)[] = [];
  const budgets: number[] = [];
  for (let seat = 0; seat < recording.seats; seat += 1) {
    replies.push(replyAt(recording, tick, seat));
    budgets.push(budgetAt(recording, tick, seat));
  }
  return { tick, turns, reply_ms: replies, budget_ms: budgets, hash };
}

function turnsOf(recording: Recording, tick: number): RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  for (let seat = 0; seat < recording.seats; seat += 1) turns.push(turnAt(recording, tick, seat));
  return turns;
}

function gridOfHeader({ map }: ReplayHeader): Grid {
  return gridOf(map.name) ?? parseGrid(map.name, map.rows);
}
