import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, open, readFile, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";

import { SAMPLE_COMPETITION } from "./store-case.ts";
import { addSamplePlayers, sampleId, sampleMatch } from "./store-samples.ts";

const STORED_MATCHES = 400;
const PAGE_BYTES = 4096;

let directory: string;
let soundFile: string;
let soundLog: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "bout-damage-"));
  soundFile = join(directory, "sound");
  soundLog = join(directory, "logged");
  await mkdir(soundLog);
  const store = await openStore({ data: soundFile });
  await addSamplePlayers(store, 2);
  const numbers = Array.from({ length: STORED_MATCHES }, (_, number) => number);
  await Promise.all(numbers.map((number) => store.matches.save(sampleMatch(number))));
  for (const name of ["bout.db", "bout.db-wal"])
    await copyFile(join(soundFile, name), join(soundLog, name));
  await store.close();
});
after(() => rm(directory, { recursive: true, force: true }));

async function copyDatabase(name: string, from: string, files: string[]): Promise<string> {
  const data = join(directory, name);
  await mkdir(data);
  for (const file of files) await copyFile(join(from, file), join(data, file));
  return data;
}

async function overwrite(path: string, position: number, bytes: Buffer): Promise<void> {
  const file = await open(path, "r+");
  await file.write(bytes, 0, bytes.length, position);
  await file.close();
}

async function readAll(store: Store): Promise<unknown[]> {
  const query = { ladderId: "public", limit: 500, withStats: true };
  const reads = [
    store.bots.house(),
    store.versions.list(sampleId("bot", 0), { limit: 500 }),
    store.matches.list(query),
    store.matches.list({ ...query, botId: sampleId("bot", 0) }),
    store.stats.pairs(SAMPLE_COMPETITION),
    store.stats.activity(SAMPLE_COMPETITION),
    store.stats.competition(SAMPLE_COMPETITION, 10),
    store.stats.opponents(sampleId("bot", 0), SAMPLE_COMPETITION),
    store.stats.ratings({ ladderId: "public", botId: sampleId("bot", 0), points: 1000 }),
    store.seasons.list(),
    store.matches.startsSince(""),
    store.matches.ids(),
    ...[1, 100, 399].map((number) => store.matches.stats(sampleId("match", number))),
  ];
  const results = await Promise.allSettled(reads);
  return results.flatMap((result) =>
    result.status === "rejected" ? [(result.reason as { code: unknown }).code] : [],
  );
}

describe("a store with a damaged database file", () => {
  it("T43 reports the damage and still reads all other data", async () => {
    const size = (await readFile(join(soundFile, "bout.db"))).length;
    const pages = Math.floor(size / PAGE_BYTES);
    let failures = 0;
    for (let chunk = 1; chunk <= 6; chunk++) {
      const data = await copyDatabase(`flipped-${chunk}`, soundFile, ["bout.db"]);
      const page = 20 + Math.floor(((pages - 21) * chunk) / 6);
      await overwrite(join(data, "bout.db"), page * PAGE_BYTES, Buffer.alloc(PAGE_BYTES, 0xa5));
      const store = await openStore({ data });
      const codes = await readAll(store);
      assert.deepEqual(
        codes.filter((code) => code !== "damaged"),
        [],
      );
      assert.notDeepEqual(await store.database.faults(), []);
      assert.equal((await store.bots.ids(null, 9)).length, 2);
      failures += codes.length;
      await store.close();
    }
    assert.ok(failures > 0);
  });

  it("T43 can't be opened if its first page is corrupt", async () => {
    const data = await copyDatabase("headless", soundFile, ["bout.db"]);
    await overwrite(join(data, "bout.db"), 0, Buffer.alloc(64, 0xa5));
    await assert.rejects(openStore({ data }), { code: "damaged" });
  });
});

describe("a store with a truncated write-ahead log", () => {
  it("T43 loses only the last commits", async () => {
    const { length } = await readFile(join(soundLog, "bout.db-wal"));
    assert.ok(length > 0);
    for (const positionShare of [0.999, 0.7, 0.4]) {
      const data = await copyDatabase(`cut-${positionShare}`, soundLog, ["bout.db", "bout.db-wal"]);
      await truncate(join(data, "bout.db-wal"), Math.floor(length * positionShare));
      const store = await openStore({ data });
      assert.deepEqual(await store.database.faults(), []);
      assert.ok((await store.matches.ids()).length < STORED_MATCHES);
      await store.close();
    }
  });
});
