import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import type { MatchId } from "#core/words/ids.ts";
import { openReplays } from "#data/files/replays.ts";
import { storeOf } from "#data/queries/database-store.ts";
import { openSqliteFile } from "#data/sqlite/sqlite-file.ts";
import { sqlitePath } from "#data/sqlite/sqlite-path.ts";
import type { Store } from "#data/store/store.ts";

import { hasRequest, requestOf } from "./store-request-cases.ts";
import { sampleId, sampleMatch } from "./store-samples.ts";

/** Of the acknowledged matches that serve a request, this many of the newest are looked at. */
const LOOKED_AT = 10;

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
 * equal a recount; and that a request is served exactly if its match is stored. Returns the number of stored matches and of swept files.
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
  await checkRequests(store, known, acknowledged);
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

async function checkRequests(
  store: Store,
  stored: ReadonlySet<MatchId>,
  acknowledged: readonly number[],
): Promise<void> {
  const pending = new Set((await store.requests.pending()).map(({ id }) => id));
  const lost = [...stored].filter((id) => pending.has(id.replace(MATCH, REQUEST)));
  assert.deepEqual(lost, [], "their requests would be served twice");
  for (const number of acknowledged.filter(hasRequest).slice(-LOOKED_AT)) {
    const { eventId, accountId } = requestOf(number);
    const { served } = await store.requests.latest(eventId, accountId);
    assert.equal(served?.started, sampleMatch(number).started);
  }
}

/** Ids of samples differ by their kind alone: see sampleId. */
const [MATCH, REQUEST] = [/-3(?=[0-9a-f]{11}$)/, "-6"];
