import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import { openArchives } from "#data/files/archives.ts";
import { openReplays } from "#data/files/replays.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { addSamplePlayers, sampleAudit, sampleMatch } from "#testing/store-cases/store-samples.ts";
import { verifyArchive } from "#tools/verify/archive.ts";

import { archiveFinished } from "./archiving.ts";

const CUP = { ...PUBLIC, id: "cup", closesAt: "2026-01-01T00:00:00.000Z" };
const OVER = "2026-01-01T00:00:05.000Z";

async function world() {
  const folder = temporaryFolder();
  const store = memoryStore();
  await addSamplePlayers(store, 2);
  await store.ladders.add(CUP, null, sampleAudit(1));
  await store.matches.save(sampleMatch(1, { ladderId: CUP.id, season: null }));
  await openReplays(join(folder, "replays"));
  const archives = await openArchives(join(folder, "archives"), join(folder, "replays"));
  const told: string[] = [];
  const note = (_fields: object, text: string) => void told.push(text);
  const log = { info: note, warn: note, error: note };
  const events = { onLadder: () => [] };
  const shown = (event: object) => event;
  const deps = { store, archives, events, shown, clock: fakeClock(), log };
  const run = () => archiveFinished(deps, new AbortController().signal);
  const noted = async () => (await store.ladders.byId(CUP.id))?.archive ?? null;
  return { store, archives, told, run, noted };
}

it("archives a ladder once its final standings are written, and not before", async () => {
  const { store, archives, told, run, noted } = await world();
  await run();
  assert.equal(await noted(), null);
  await store.ladders.finish(CUP.id, OVER, []);
  await run();
  const archive = await noted();
  assert.equal(archive?.bytes, await archives.sizeOf(CUP.id));
  assert.deepEqual(told, ["the archive of a ladder was made"]);
  const verdict = await verifyArchive(archives.path(CUP.id), () => {});
  assert.deepEqual([verdict.ladder, verdict.faults], [CUP.id, []]);
  await run();
  assert.deepEqual([await noted(), told.length], [archive, 1]);
});

it("notes an archive that a process made before it died", async () => {
  const { store, archives, run, noted } = await world();
  await store.ladders.finish(CUP.id, OVER, []);
  const { noteArchive } = store.ladders;
  const killed = new Error("killed");
  store.ladders.noteArchive = () => Promise.reject(killed);
  await assert.rejects(run(), killed);
  const made = await archives.sumOf(CUP.id);
  store.ladders.noteArchive = noteArchive;
  await run();
  assert.equal((await noted())?.sha256, made?.sha256);
});

it("makes no archive of a file that is not there any more", async () => {
  const { store, archives, run } = await world();
  await store.ladders.finish(CUP.id, OVER, []);
  await run();
  await rm(archives.path(CUP.id));
  await run();
  assert.equal(await archives.open(CUP.id), null);
});
