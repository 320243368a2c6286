// Replay files: JSON lines, printed and parsed only here. Gzip is left to the store.

import { Check } from "typebox/schema";

import { MILLISECOND } from "#base/units/time.ts";
import type {
  Attack,
  MapRows,
  RecordedTurn,
  Replay,
  ReplayHeader,
  ReplayResult,
  ReplayTick,
} from "#core/engine/types.ts";
import { isTooDeep } from "#core/protocol/json-depth.ts";
import type { ShownMap } from "#core/protocol/print.ts";

import { ReplayHeaderSchema, ReplayResultSchema, ReplayTickSchema } from "./schema-replay.ts";

/** A longer text is refused. Ten times the longest replay that a fight can produce. */
const MOST_CHARACTERS = 4_000_000;
/** What only replays start with, sound or not. */
const BEGINNING = '{"type":"replay",';

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

type HeaderLine = Omit<ReplayHeader, "map"> & { map: { name: string; rows: MapRows } };

/** Parses a replay. An `error` names the line and what is wrong with it. */
export function parseReplay(text: string): Replay | { error: string } {
  if (text.length > MOST_CHARACTERS) return { error: "the file is too long for a replay" };
  const lines = text.split("\n");
  if (!text.startsWith(BEGINNING)) return { error: "this is no replay" };
  if (lines.at(-1) !== "") return { error: "the file is cut: its last line has no end" };
  const values: unknown[] = [];
  for (const [index, line] of lines.slice(0, -1).entries()) {
    const value = parseLine(line);
    if (value === undefined) return { error: `line ${index + 1} is not JSON` };
    values.push(value);
  }
  return assemble(values);
}

function parseLine(line: string): unknown {
  if (isTooDeep(line)) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function assemble(values: readonly unknown[]): Replay | { error: string } {
  const [first, ...rest] = values;
  const last = rest.pop();
  if (!Check(ReplayHeaderSchema, first)) return { error: "line 1 is no replay header" };
  if (!Check(ReplayResultSchema, last)) return { error: "the last line is no result" };
  const wrong = rest.findIndex((value, index) => !isTick(value, index, first.fighters.length));
  if (wrong !== -1) return { error: `line ${wrong + 2} is not tick ${wrong}` };
  return {
    header: headerOf(first),
    ticks: rest as ReplayTick[],
    result: { winner: last.winner, reason: last.reason, ticks: last.ticks, hash: last.hash },
  };
}

function isTick(value: unknown, index: number, seats: number): boolean {
  return (
    Check(ReplayTickSchema, value) &&
    value.tick === index &&
    [value.turns, value.reply_ms, value.budget_ms].every((list) => list.length === seats)
  );
}

function headerOf(line: HeaderLine): ReplayHeader {
  const { match_id, ladder_id, mode, started, versions, seed, deadlines, map, fighters } = line;
  return {
    match_id,
    ladder_id,
    mode,
    started,
    versions,
    seed,
    deadlines,
    map: { name: map.name, rows: map.rows },
    fighters,
  };
}
