import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import type { MatchId } from "#core/ids/ids.ts";
import { openReplays } from "#data/files/replays.ts";
import { createStore } from "#data/queries/database-store.ts";
import { openSqliteFile } from "#data/sqlite/sqlite-file.ts";
import { sqlitePath } from "#data/sqlite/sqlite-path.ts";
import type { Store } from "#data/store/store.ts";

import { servesRequest, sampleRequestOf } from "./store-request-cases.ts";
import { sampleId, sampleMatch } from "./store-samples.ts";

const SAMPLED_REPLAYS = 10;

export function parseAcknowledged(output: string): number[] {
  const lines = output.split("\n").slice(0, -1);
  return lines.filter((line) => /^\d+$/.test(line)).map(Number);
}

/**
 * Opens the data left by a killed saving process and checks that:
 * - every acknowledged match is stored,
 * - every stored match has its complete replay, and a sweep removes all other replays,
 * - the counts equal a recount,
 * - an opponent request is served if and only if its match is stored.
 * Returns the numbers of stored matches and swept files.
 */
export async function checkAfterCrash(
  data: string,
  acknowledged: readonly number[],
): Promise<{ stored: number; sweptCount: number }> {
  const store = createStore(await openSqliteFile(sqlitePath(data), "write"));
  const replays = await openReplays(join(data, "replays"));
  const ids = await store.matches.ids();
  const knownIds = new Set(ids);
  assert.equal(knownIds.size, ids.length);
  assert.deepEqual(
    acknowledged.filter((number) => !knownIds.has(sampleId("match", number))),
    [],
  );
  assert.deepEqual(await store.database.faults(), []);
  await checkServedRequests(store, knownIds, acknowledged);
  const { games } = await store.matches.counts("public");
  assert.equal(games, ids.length);
  const { removed } = await replays.sweepReplays(ids, Infinity);
  const read = await Promise.all(ids.map((id) => replays.read(id)));
  const texts = read.map((replay) => replay && gunzipSync(replay).toString());
  assert.deepEqual(
    texts,
    ids.map((id) => `replay of ${id}\n`),
  );
  assert.equal((await readdir(join(data, "replays"))).length, ids.length);
  await store.close();
  return { stored: ids.length, sweptCount: removed.length };
}

async function checkServedRequests(
  store: Store,
  stored: ReadonlySet<MatchId>,
  acknowledged: readonly number[],
): Promise<void> {
  const pending = new Set((await store.requests.pending()).map(({ id }) => id));
  const lostRequests = [...stored].filter((id) => pending.has(id.replace(MATCH, REQUEST)));
  assert.deepEqual(lostRequests, [], "their requests would be served twice");
  for (const number of acknowledged.filter(servesRequest).slice(-SAMPLED_REPLAYS)) {
    const { eventId, accountId } = sampleRequestOf(number);
    const { served } = await store.requests.latest(eventId, accountId);
    assert.equal(served?.started, sampleMatch(number).started);
  }
}

/** The sample ID of a request differs from that of its match only in the kind. See `sampleId`. */
const [MATCH, REQUEST] = [/-3(?=[0-9a-f]{11}$)/, "-6"];
