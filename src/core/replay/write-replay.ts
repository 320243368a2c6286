// Writes the replay and statistics of a finished match from its recording. Replays the match with
// the engine, which must reach the same final state.

import { createFight } from "#core/engine/fight.ts";
import { parseGrid } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import { EMPTY_TRACE, extendTrace, hashToText, hashState, traceHash } from "#core/engine/hash.ts";
import { gridOf, mapView } from "#core/engine/maps.ts";
import { createMatchStats, startMatchTally, tallyMatchTick } from "#core/engine/match-stats.ts";
import { RULES } from "#core/engine/rules.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn } from "#core/engine/turn.ts";
import type {
  EndReason,
  FighterId,
  MatchStats,
  RecordedTurn,
  ReplayHeader,
  ReplayTick,
} from "#core/engine/types.ts";

import { printHeader, printResult, printTick } from "./print-replay.ts";
import { recordedBudgetMs, recordedReplyMs, recordedTurnAt } from "./recording.ts";
import type { Recording } from "./recording.ts";

export type FinishedMatchRecording = {
  header: ReplayHeader;
  recording: Recording;
  winner: FighterId | null;
  reason: EndReason | "server_fault";
  /** Hash of the state after the last tick. Null if no tick was played. */
  hash: string | null;
};

export type WrittenReplay = { replay: string; stats: MatchStats | null };

/**
 * Returns the replay's text and the statistics document. The document is null if a server fault
 * voided the match.
 * @throws Error if the recording doesn't reproduce the final state of the match.
 */
export function writeReplay({
  header,
  recording,
  winner,
  reason,
  hash,
}: FinishedMatchRecording): WrittenReplay {
  const grid = headerGrid(header);
  const fight = createFight(grid, header.seed, header.fighters.length);
  const tally = startMatchTally(header);
  let lines = `${printHeader(header, mapView(grid), RULES)}\n`;
  let trace = EMPTY_TRACE;
  let lastHash: string | null = null;
  for (let number = 0; number < recording.ticks; number += 1) {
    const turns = turnsAt(recording, number);
    turns.forEach((turn, seat) => setSeatTurn(fight, seat, turn));
    step(fight);
    const state = hashState(fight);
    trace = extendTrace(trace, state);
    lastHash = hashToText(state);
    const tick = toReplayTick(recording, number, turns, lastHash);
    tallyMatchTick(tally, fight, tick);
    lines += `${printTick(tick)}\n`;
  }
  if (lastHash !== hash)
    throw new Error(`the match ended in ${hash}, its recording in ${lastHash}`);
  const traceText = lastHash === null ? "00000000" : hashToText(traceHash(trace));
  const result = { winner, reason, ticks: recording.ticks, hash: traceText };
  return {
    replay: `${lines}${printResult(result)}\n`,
    stats: createMatchStats(header, result, tally),
  };
}

function toReplayTick(
  recording: Recording,
  tick: number,
  turns: RecordedTurn[],
  hash: string,
): ReplayTick {
  const replies: (number | null)[] = [];
  const budgets: number[] = [];
  for (let seat = 0; seat < recording.seats; seat += 1) {
    replies.push(recordedReplyMs(recording, tick, seat));
    budgets.push(recordedBudgetMs(recording, tick, seat));
  }
  return { tick, turns, reply_ms: replies, budget_ms: budgets, hash };
}

function turnsAt(recording: Recording, tick: number): RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  for (let seat = 0; seat < recording.seats; seat += 1)
    turns.push(recordedTurnAt(recording, tick, seat));
  return turns;
}

function headerGrid({ map }: ReplayHeader): Grid {
  return gridOf(map.name) ?? parseGrid(map.name, map.rows);
}
