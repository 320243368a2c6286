// How replay files are read: JSON lines. Gzip is left to the store.

import { Check } from "typebox/schema";

import type { MapRows, Replay, ReplayHeader, ReplayTick } from "#core/engine/types.ts";
import { isTooDeep } from "#core/protocol/json-depth.ts";

import { ReplayHeaderSchema, ReplayResultSchema, ReplayTickSchema } from "./schema-replay.ts";

/** A longer text is refused. Ten times the longest replay that a fight can produce. */
const MOST_CHARACTERS = 4_000_000;
/** What only replays start with, sound or not. */
const BEGINNING = '{"type":"replay",';

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
