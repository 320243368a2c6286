import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { openArchives } from "#data/files/archives.ts";
import { openReplays } from "#data/files/replays.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { addSamplePlayers, sampleMatch } from "#testing/store-contract/store-samples.ts";
import { verifyArchive } from "#tools/verify/archive.ts";

import { archiveLadder } from "./ladder-archive.ts";

const MATCHES = 120;
const EVENT = "event";

it("archives one ladder's matches once", async () => {
  const folder = temporaryTestFolder();
  const store = memoryStore();
  await addSamplePlayers(store, 2);
  for (let number = 0; number < MATCHES; number += 1)
    await store.matches.save(sampleMatch(number, { ladderId: EVENT, season: null }));
  await store.matches.save(sampleMatch(MATCHES));
  await openReplays(join(folder, "replays"));
  const archives = await openArchives(join(folder, "archives"), join(folder, "replays"));
  const { signal } = new AbortController();
  const finishedLadder = { ladderId: EVENT, ladder: PUBLIC_LADDER, events: [], standings: [] };
  const makeArchive = () =>
    archiveLadder({ store, archives, clock: fakeClock() }, finishedLadder, signal);
  await makeArchive();
  const { mtimeMs } = await stat(archives.path(EVENT));
  await makeArchive();
  assert.equal((await stat(archives.path(EVENT))).mtimeMs, mtimeMs);
  const { ladder, games, unrated, faults, replays } = await verifyArchive(
    archives.path(EVENT),
    () => {},
  );
  assert.deepEqual([ladder, games + unrated, replays.absent], [EVENT, MATCHES, MATCHES]);
  assert.deepEqual(faults, []);
});
