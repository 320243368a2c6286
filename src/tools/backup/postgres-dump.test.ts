import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

import { openStore } from "#server/composition/open-store.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import {
  clearRealPostgres,
  REAL_POSTGRES_URL,
  REAL_POSTGRES_TEST_OPTIONS,
} from "#testing/store-contract/real-postgres.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  SAMPLES_CREATED_AT,
} from "#testing/store-contract/store-samples.ts";

import { makeBackup } from "./backup.ts";
import { dumpDatabase } from "./postgres-dump.ts";
import { restoreBackup } from "./restore.ts";

const wall = () => new Date("2026-11-23T12:00:00Z");
const noProgress = () => {};

it(
  "restores a PostgreSQL database, but only into an empty one",
  REAL_POSTGRES_TEST_OPTIONS,
  async () => {
    const root = temporaryTestFolder();
    const [database, data, folder] = [
      REAL_POSTGRES_URL ?? "",
      join(root, "data"),
      join(root, "copy"),
    ];
    await clearRealPostgres();
    const store = await openStore({ postgres: database }, SAMPLES_CREATED_AT);
    await addSamplePlayers(store, 2);
    await store.matches.save(sampleMatch(0));
    await store.close();
    mkdirSync(join(data, "replays"), { recursive: true });
    writeFileSync(join(data, "replays", `${sampleId("match", 0)}.jsonl.gz`), "replay");
    await makeBackup({ data, database, folder, withSecrets: false }, wall, noProgress);
    const plan = {
      folder,
      left: null,
      revoked: null,
      withoutKeys: false,
      data: join(root, "new"),
      database,
    };
    await assert.rejects(restoreBackup(plan, wall, noProgress), {
      message: /database is not empty/,
    });
    await clearRealPostgres();
    const { faults, replaysMissing } = await restoreBackup(plan, wall, noProgress);
    assert.deepEqual([faults, replaysMissing], [[], 0]);
    const secondRestore = await openStore({ postgres: database });
    assert.deepEqual(await secondRestore.matches.ids(), [sampleId("match", 0)]);
    await secondRestore.close();
  },
);

it("reports the missing program", async (t) => {
  const { PATH } = process.env;
  t.after(() => (process.env.PATH = PATH));
  process.env.PATH = temporaryTestFolder();
  await assert.rejects(dumpDatabase("postgres://localhost/bout", "/dev/null"), {
    message: /pg_dump was not found on this machine/,
    exitCode: 1,
  });
});
