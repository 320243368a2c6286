// How replay files are written: JSON lines. The threads that write do not load what reads them.

import { MILLISECOND } from "#base/units/time.ts";
import type {
  Attack,
  RecordedTurn,
  Replay,
  ReplayHeader,
  ReplayResult,
  ReplayTick,
} from "#core/engine/types.ts";
import type { ShownMap } from "#core/protocol/print.ts";

/** The header line. `map` and `rules` are those of `hello`, so the file is self-contained. */
export function printHeader(header: ReplayHeader, map: ShownMap, rules: object): string {
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
  const replies = printList(tick.reply_ms, printMs);
  const budgets = printList(tick.budget_ms, printMs);
  return `{"tick":${tick.tick},"turns":[${turns}],"reply_ms":[${replies}],"budget_ms":[${budgets}],"hash":"${tick.hash}"}`;
}

/** Faster than map and join for the few seats there are. */
function printList<T>(items: readonly T[], print: (item: T) => string): string {
  let text = "";
  for (const item of items) text += `,${print(item)}`;
  return text.slice(1);
}

/** The text after the whole milliseconds, by the microseconds left. */
const FRACTIONS = Array.from({ length: MILLISECOND }, (_, left) =>
  String(left / MILLISECOND).slice(1),
);

/**
 * As JSON has it. Most times are whole microseconds, which need no search for the shortest digits.
 */
function printMs(ms: number | null): string {
  if (ms === null) return "null";
  const time = Math.round(ms * MILLISECOND);
  const whole = Math.floor(time / MILLISECOND);
  if (time / MILLISECOND !== ms || time < 0) return String(ms);
  return `${whole}${FRACTIONS[time - whole * MILLISECOND]}`;
}

/** Prints the parts in the order of the format, whatever order they came in. */
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
  const named = `{"name":${JSON.stringify(name)}`;
  if (target === undefined) return `${named}}`;
  const aim = typeof target === "string" ? `"${target}"` : `[${target[0]},${target[1]}]`;
  return `${named},"target":${aim}}`;
}

export function printResult({ winner, reason, ticks, hash }: ReplayResult): string {
  return JSON.stringify({ type: "result", winner, reason, ticks, hash });
}

/** The text of the whole file. Each line ends with a line feed. */
export function printReplay(replay: Replay, map: ShownMap, rules: object): string {
  const lines = [
    printHeader(replay.header, map, rules),
    ...replay.ticks.map(printTick),
    printResult(replay.result),
  ];
  return `${lines.join("\n")}\n`;
}
