import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import { openArchives } from "#data/files/archives.ts";
import { openReplays } from "#data/files/replays.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { addSamplePlayers, sampleMatch } from "#testing/store-cases/store-samples.ts";
import { verifyArchive } from "#tools/verify/archive.ts";

import { archiveLadder } from "./ladder-archive.ts";

const MATCHES = 120;
const EVENT = "event";

it("archives the matches of a ladder once, and nothing of another", async () => {
  const folder = temporaryFolder();
  const store = memoryStore();
  await addSamplePlayers(store, 2);
  for (let number = 0; number < MATCHES; number += 1)
    await store.matches.save(sampleMatch(number, { ladderId: EVENT, season: null }));
  await store.matches.save(sampleMatch(MATCHES));
  await openReplays(join(folder, "replays"));
  const archives = await openArchives(join(folder, "archives"), join(folder, "replays"));
  const { signal } = new AbortController();
  const facts = { ladderId: EVENT, ladder: PUBLIC, events: [], standings: [] };
  const make = () => archiveLadder({ store, archives, clock: fakeClock() }, facts, signal);
  await make();
  const { mtimeMs } = await stat(archives.path(EVENT));
  await make();
  assert.equal((await stat(archives.path(EVENT))).mtimeMs, mtimeMs);
  const { ladder, games, unrated, faults, replays } = await verifyArchive(
    archives.path(EVENT),
    () => {},
  );
  assert.deepEqual([ladder, games + unrated, replays.absent], [EVENT, MATCHES, MATCHES]);
  assert.deepEqual(faults, []);
});
