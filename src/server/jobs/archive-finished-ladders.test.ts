import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { openArchives } from "#data/files/archives.ts";
import { openReplays } from "#data/files/replays.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import {
  addSamplePlayers,
  sampleAudit,
  sampleMatch,
} from "#testing/store-contract/store-samples.ts";
import { verifyArchive } from "#tools/verify/archive.ts";

import { archiveFinishedLadders } from "./archive-finished-ladders.ts";

const CUP = { ...PUBLIC_LADDER, id: "cup", closesAt: "2026-01-01T00:00:00.000Z" };
const FINISHED_AT = "2026-01-01T00:00:05.000Z";

async function archivingFixture() {
  const folder = temporaryTestFolder();
  const store = memoryStore();
  await addSamplePlayers(store, 2);
  await store.ladders.add(CUP, null, sampleAudit(1));
  await store.matches.save(sampleMatch(1, { ladderId: CUP.id, season: null }));
  await openReplays(join(folder, "replays"));
  const archives = await openArchives(join(folder, "archives"), join(folder, "replays"));
  const logLines: string[] = [];
  const recordLog = (_fields: object, text: string) => void logLines.push(text);
  const log = { info: recordLog, warn: recordLog, error: recordLog };
  const events = { onLadder: () => [] };
  const toPublicView = (event: object) => event;
  const deps = { store, archives, events, toPublicView, clock: fakeClock(), log };
  const run = () => archiveFinishedLadders(deps, new AbortController().signal);
  const storedArchive = async () => (await store.ladders.byId(CUP.id))?.archive ?? null;
  return { store, archives, told: logLines, run, noted: storedArchive };
}

it("archives a ladder only after its final standings are written", async () => {
  const { store, archives, told: logLines, run, noted: storedArchive } = await archivingFixture();
  await run();
  assert.equal(await storedArchive(), null);
  await store.ladders.finish(CUP.id, FINISHED_AT, []);
  await run();
  const archive = await storedArchive();
  assert.equal(archive?.bytes, await archives.sizeOf(CUP.id));
  assert.deepEqual(logLines, ["ladder archived"]);
  const verdict = await verifyArchive(archives.path(CUP.id), () => {});
  assert.deepEqual([verdict.ladder, verdict.faults], [CUP.id, []]);
  await run();
  assert.deepEqual([await storedArchive(), logLines.length], [archive, 1]);
});

it("records an archive created by a process that crashed", async () => {
  const { store, archives, run, noted: storedArchive } = await archivingFixture();
  await store.ladders.finish(CUP.id, FINISHED_AT, []);
  const { setArchive } = store.ladders;
  const crash = new Error("killed");
  store.ladders.setArchive = () => Promise.reject(crash);
  await assert.rejects(run(), crash);
  const archiveSum = await archives.checksum(CUP.id);
  store.ladders.setArchive = setArchive;
  await run();
  assert.equal((await storedArchive())?.sha256, archiveSum?.sha256);
});

it("creates no archive if a replay file is missing", async () => {
  const { store, archives, run } = await archivingFixture();
  await store.ladders.finish(CUP.id, FINISHED_AT, []);
  await run();
  await rm(archives.path(CUP.id));
  await run();
  assert.equal(await archives.open(CUP.id), null);
});
