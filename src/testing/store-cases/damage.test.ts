import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, open, readFile, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";

import { SAMPLE_COMPETITION } from "./store-case.ts";
import { addSamplePlayers, sampleId, sampleMatch } from "./store-samples.ts";

const STORED = 400;
const PAGE_BYTES = 4096;

let directory: string;
let sound: string;
let logged: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "bout-damage-"));
  sound = join(directory, "sound");
  logged = join(directory, "logged");
  await mkdir(logged);
  const store = await openStore({ data: sound });
  await addSamplePlayers(store, 2);
  const numbers = Array.from({ length: STORED }, (_, number) => number);
  await Promise.all(numbers.map((number) => store.matches.save(sampleMatch(number))));
  for (const name of ["bout.db", "bout.db-wal"])
    await copyFile(join(sound, name), join(logged, name));
  await store.close();
});
after(() => rm(directory, { recursive: true, force: true }));

async function copied(name: string, from: string, files: string[]): Promise<string> {
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

/** Calls every reading method; each either answers or rejects as damaged. */
async function readAll(store: Store): Promise<unknown[]> {
  const query = { ladderId: "public", limit: 500, withStats: true };
  const reads = [
    store.bots.house(),
    store.versions.list(sampleId("bot", 0), { limit: 500 }),
    store.matches.list(query),
    store.matches.list({ ...query, botId: sampleId("bot", 0) }),
    store.figures.pairs(SAMPLE_COMPETITION),
    store.figures.activity(SAMPLE_COMPETITION),
    store.figures.competition(SAMPLE_COMPETITION, 10),
    store.figures.opponents(sampleId("bot", 0), SAMPLE_COMPETITION),
    store.figures.ratings({ ladderId: "public", botId: sampleId("bot", 0), points: 1000 }),
    store.seasons.list(),
    store.matches.startsSince(""),
    store.matches.ids(),
    ...[1, 100, 399].map((number) => store.matches.stats(sampleId("match", number))),
  ];
  const settled = await Promise.allSettled(reads);
  return settled.flatMap((one) =>
    one.status === "rejected" ? [(one.reason as { code: unknown }).code] : [],
  );
}

describe("a damaged database file", () => {
  it("T43 is reported, and the rest is still read", async () => {
    const size = (await readFile(join(sound, "bout.db"))).length;
    const pages = Math.floor(size / PAGE_BYTES);
    let refused = 0;
    for (let part = 1; part <= 6; part++) {
      const data = await copied(`flipped-${part}`, sound, ["bout.db"]);
      const page = 20 + Math.floor(((pages - 21) * part) / 6);
      await overwrite(join(data, "bout.db"), page * PAGE_BYTES, Buffer.alloc(PAGE_BYTES, 0xa5));
      const store = await openStore({ data });
      const codes = await readAll(store);
      assert.deepEqual(
        codes.filter((code) => code !== "damaged"),
        [],
      );
      assert.notDeepEqual(await store.database.faults(), []);
      assert.equal((await store.bots.ids(null, 9)).length, 2);
      refused += codes.length;
      await store.close();
    }
    assert.ok(refused > 0);
  });

  it("T43 is refused as damaged when not even its first page is sound", async () => {
    const data = await copied("headless", sound, ["bout.db"]);
    await overwrite(join(data, "bout.db"), 0, Buffer.alloc(64, 0xa5));
    await assert.rejects(openStore({ data }), { code: "damaged" });
  });
});

describe("a cut write-ahead log", () => {
  it("T43 loses only the last commits", async () => {
    const { length } = await readFile(join(logged, "bout.db-wal"));
    assert.ok(length > 0);
    for (const share of [0.999, 0.7, 0.4]) {
      const data = await copied(`cut-${share}`, logged, ["bout.db", "bout.db-wal"]);
      await truncate(join(data, "bout.db-wal"), Math.floor(length * share));
      const store = await openStore({ data });
      assert.deepEqual(await store.database.faults(), []);
      assert.ok((await store.matches.ids()).length < STORED);
      await store.close();
    }
  });
});
