import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";

import { replayFileName } from "#data/files/replays.ts";
import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import { createStore } from "#data/queries/database-store.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { openEmbeddedPostgres } from "#testing/store-contract/pglite.ts";
import {
  clearRealPostgres,
  REAL_POSTGRES_URL,
  REAL_POSTGRES_TEST_OPTIONS,
} from "#testing/store-contract/real-postgres.ts";
import { addSamplePlayers, sampleId, sampleMatch } from "#testing/store-contract/store-samples.ts";

import type { Diagnosis } from "./diagnosis.ts";
import { replayFinding } from "./replay-file-check.ts";

const idsUpTo = (count: number) =>
  Array.from({ length: count }, (_, index) => sampleId("match", index));

function createReplayFolder(ids: readonly string[]): string {
  const data = join(temporaryTestFolder(), "data");
  mkdirSync(join(data, "replays"), { recursive: true, mode: 0o700 });
  for (const id of ids) writeFileSync(join(data, "replays", replayFileName(id)), "");
  return data;
}

describe("bout doctor checks replays", () => {
  it("accepts a folder in which every match has its file, and one without any matches", async () => {
    const ids = idsUpTo(3);
    assert.equal((await replayFinding(createReplayFolder(ids), async () => ids)).level, "ok");
    assert.equal((await replayFinding("/no/such/folder", async () => [])).level, "ok");
  });

  it("lists up to 5 matches whose files are missing", async () => {
    const ids = idsUpTo(9);
    const { level, found } = await replayFinding(createReplayFolder([ids[0]!]), async () => ids);
    const listedIds = `${ids.slice(1, 6).join(", ")} and 3 more`;
    assert.deepEqual([level, found], ["warn", `8 of 9 are missing: ${listedIds}`]);
  });

  it("ignores replays that a running server deletes during the check", async () => {
    const reads = [idsUpTo(3), idsUpTo(2)];
    const read = async () => reads.shift()!;
    assert.equal((await replayFinding(createReplayFolder(idsUpTo(2)), read)).level, "ok");
  });

  it("reports a match in the database whose file is missing", async () => {
    const data = createReplayFolder([sampleId("match", 1)]);
    await checkReport(await openStore({ data }), data, []);
  });

  it("reports a missing file on PostgreSQL too", REAL_POSTGRES_TEST_OPTIONS, async () => {
    const postgres = REAL_POSTGRES_URL ?? "";
    await clearRealPostgres();
    const data = createReplayFolder([sampleId("match", 1)]);
    await checkReport(await openStore({ postgres }), data, ["--database", postgres]);
  });

  it("reads from PostgreSQL which matches keep their replay", async () => {
    const server = await openEmbeddedPostgres();
    after(() => server.close());
    const backend = postgresBackend(server.dialect());
    await migrate(backend);
    const store = createStore(backend);
    await addSamplePlayers(store, 2);
    const ids = [1, 2].map((number) => sampleId("match", number));
    for (const number of [1, 2]) await store.matches.save(sampleMatch(number));
    const find = (files: readonly string[]) =>
      replayFinding(createReplayFolder(files), () => store.replays.ids());
    assert.equal((await find(ids)).found, "all 2 files exist");
    const { level, found } = await find([ids[0]!]);
    assert.deepEqual([level, found], ["warn", `1 of 2 are missing: ${ids[1]}`]);
  });
});

/** Stores a match with a replay file. Reads the report before and after the file is deleted. */
async function checkReport(store: Store, data: string, flags: readonly string[]): Promise<void> {
  await addSamplePlayers(store, 2);
  await store.matches.save(sampleMatch(1));
  await store.close();
  const report = async () => {
    const { out } = await runBout(["doctor", "--json", "--data", data, "--port", "0", ...flags]);
    const { findings } = JSON.parse(out) as { findings: Diagnosis[] };
    const { level, found } = findings.find(({ check }) => check === "replays")!;
    return `${level} ${found}`;
  };
  assert.equal(await report(), "ok all 1 files exist");
  rmSync(join(data, "replays"), { recursive: true });
  assert.equal(await report(), `warn 1 of 1 are missing: ${sampleId("match", 1)}`);
}
