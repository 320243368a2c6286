// Prints replay files (JSON lines). Separate from the parser, so that threads that only write don't
// load it.

import { MILLISECOND_US } from "#base/util/time.ts";
import type {
  Attack,
  RecordedTurn,
  Replay,
  ReplayHeader,
  ReplayResult,
  ReplayTick,
} from "#core/engine/types.ts";
import type { MapDescription } from "#core/protocol/print-messages.ts";

/**
 * Returns the header line. `map` and `rules` are the same as in `hello`, which makes the file
 * self-contained.
 */
export function printHeader(header: ReplayHeader, map: MapDescription, rules: object): string {
  const { match_id, ladder_id, mode, started, versions, seed, deadlines, fighters } = header;
  return JSON.stringify({
    type: "replay",
    replay_version: 1,
    match_id,
    ladder_id,
    mode,
    started,
    versions,
    seed,
    deadlines,
    map,
    rules,
    fighters,
  });
}

export function printTick(tick: ReplayTick): string {
  const turns = printList(tick.turns, printTurn);
  const replies = printList(tick.reply_ms, printMilliseconds);
  const budgets = printList(tick.budget_ms, printMilliseconds);
  return `{"tick":${tick.tick},"turns":[${turns}],"reply_ms":[${replies}],"budget_ms":[${budgets}],"hash":"${tick.hash}"}`;
}

/** Faster than map and join for a few seats. */
function printList<T>(items: readonly T[], print: (item: T) => string): string {
  let text = "";
  for (const item of items) text += `,${print(item)}`;
  return text.slice(1);
}

const FRACTIONS = Array.from({ length: MILLISECOND_US }, (_, remainingUs) =>
  String(remainingUs / MILLISECOND_US).slice(1),
);

/**
 * Prints a time as JSON does. Most times are whole microseconds, for which a table lookup is faster
 * than `String`.
 */
function printMilliseconds(ms: number | null): string {
  if (ms === null) return "null";
  const time = Math.round(ms * MILLISECOND_US);
  const wholeMs = Math.floor(time / MILLISECOND_US);
  if (time / MILLISECOND_US !== ms || time < 0) return String(ms);
  return `${wholeMs}${FRACTIONS[time - wholeMs * MILLISECOND_US]}`;
}

/** Prints the parts in the order of the format, whatever their order in the object. */
function printTurn(turn: RecordedTurn): string {
  if (turn === null) return "null";
  if ("idle" in turn) return `{"idle":"${turn.idle}"}`;
  const { move, dash, attack, shout } = turn;
  let text = "";
  if (move !== undefined) text += `,"move":"${move}"`;
  if (dash !== undefined) text += `,"dash":"${dash}"`;
  if (attack !== undefined) text += `,"attack":${printAttack(attack)}`;
  if (shout !== undefined) text += `,"shout":${JSON.stringify(shout)}`;
  return `{${text.slice(1)}}`;
}

function printAttack({ name, target }: Attack): string {
  const nameField = `{"name":${JSON.stringify(name)}`;
  if (target === undefined) return `${nameField}}`;
  const aim = typeof target === "string" ? `"${target}"` : `[${target[0]},${target[1]}]`;
  return `${nameField},"target":${aim}}`;
}

export function printResult({ winner, reason, ticks, hash }: ReplayResult): string {
  return JSON.stringify({ type: "result", winner, reason, ticks, hash });
}

export function printReplay(replay: Replay, map: MapDescription, rules: object): string {
  const lines = [
    printHeader(replay.header, map, rules),
    ...replay.ticks.map(printTick),
    printResult(replay.result),
  ];
  return `${lines.join("\n")}\n`;
}
