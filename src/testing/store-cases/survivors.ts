import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { openReplays } from "#data/files/replays.ts";
import { storeOf } from "#data/queries/database-store.ts";
import { openSqliteFile, sqlitePath } from "#data/sqlite/sqlite-file.ts";

import { sampleId } from "./store-samples.ts";

/**
 * The numbers that a saving process reported as acknowledged, except for an incomplete last line.
 */
export function acknowledgedIn(told: string): number[] {
  const lines = told.split("\n").slice(0, -1);
  return lines.filter((line) => /^\d+$/.test(line)).map(Number);
}

/**
 * Opens what a killed saving process left. Asserts that every acknowledged match is stored, that
 * every stored match has its whole replay, that a sweep leaves no other replay, and that the counts
 * equal a recount. Returns the number of stored matches and of swept files.
 */
export async function checkSurvivors(
  data: string,
  acknowledged: readonly number[],
): Promise<{ stored: number; swept: number }> {
  const store = storeOf(await openSqliteFile(sqlitePath(data), "write"));
  const replays = await openReplays(join(data, "replays"));
  const ids = await store.matches.ids();
  const known = new Set(ids);
  assert.equal(known.size, ids.length);
  assert.deepEqual(
    acknowledged.filter((number) => !known.has(sampleId("match", number))),
    [],
  );
  assert.deepEqual(await store.database.faults(), []);
  const { games } = await store.matches.counts("public");
  assert.equal(games, ids.length);
  const { removed } = await replays.sweep(ids, Infinity);
  const read = await Promise.all(ids.map((id) => replays.read(id)));
  const texts = read.map((replay) => replay && gunzipSync(replay).toString());
  assert.deepEqual(
    texts,
    ids.map((id) => `replay of ${id}\n`),
  );
  assert.equal((await readdir(join(data, "replays"))).length, ids.length);
  await store.close();
  return { stored: ids.length, swept: removed.length };
}
