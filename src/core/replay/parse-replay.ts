// Parses replay files (JSON lines). The store decompresses them.

import { Check } from "typebox/schema";

import type { MapRows, Replay, ReplayHeader, ReplayTick } from "#core/engine/types.ts";
import { isJsonTooDeep } from "#core/protocol/json-depth.ts";

import { ReplayHeaderSchema, ReplayResultSchema, ReplayTickSchema } from "./schema-replay.ts";

/** Longer files are rejected. Ten times the length of the longest possible replay. */
const MAX_CHARACTERS = 4_000_000;
/** A file that starts differently isn't a replay. */
const REPLAY_PREFIX = '{"type":"replay",';

type ReplayHeaderLine = Omit<ReplayHeader, "map"> & { map: { name: string; rows: MapRows } };

/** Parses a replay. Returns an `error` with the line and the problem if the text isn't valid. */
export function parseReplay(text: string): Replay | { error: string } {
  if (text.length > MAX_CHARACTERS) return { error: "the file is too long for a replay" };
  const lines = text.split("\n");
  if (!text.startsWith(REPLAY_PREFIX)) return { error: "this is no replay" };
  if (lines.at(-1) !== "") return { error: "the file is truncated: its last line is incomplete" };
  const values: unknown[] = [];
  for (const [index, line] of lines.slice(0, -1).entries()) {
    const value = parseLine(line);
    if (value === undefined) return { error: `line ${index + 1} is not JSON` };
    values.push(value);
  }
  return assembleReplay(values);
}

function parseLine(line: string): unknown {
  if (isJsonTooDeep(line)) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function assembleReplay(values: readonly unknown[]): Replay | { error: string } {
  const [first, ...tickLines] = values;
  const last = tickLines.pop();
  if (!Check(ReplayHeaderSchema, first)) return { error: "line 1 is not a replay header" };
  if (!Check(ReplayResultSchema, last)) return { error: "the last line is not a result" };
  const invalidIndex = tickLines.findIndex(
    (value, index) => !isTick(value, index, first.fighters.length),
  );
  if (invalidIndex !== -1) return { error: `line ${invalidIndex + 2} is not tick ${invalidIndex}` };
  return {
    header: headerOf(first),
    ticks: tickLines as ReplayTick[],
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

function headerOf(line: ReplayHeaderLine): ReplayHeader {
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
