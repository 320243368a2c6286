// Backups of a real PostgreSQL database, and what is said where its programs are missing.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

import { openStore } from "#server/composition/open-store.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";
import {
  clearRealPostgres,
  REAL_POSTGRES,
  WITH_REAL_POSTGRES,
} from "#testing/store-cases/real-postgres.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  SAMPLES_MADE,
} from "#testing/store-cases/store-samples.ts";

import { makeBackup } from "./backup.ts";
import { dumpDatabase } from "./dump.ts";
import { restoreBackup } from "./restore.ts";

const wall = () => new Date("2026-11-23T12:00:00Z");
const quiet = () => {};

it("brings a PostgreSQL database back into an empty one alone", WITH_REAL_POSTGRES, async () => {
  const root = temporaryFolder();
  const [database, data, folder] = [REAL_POSTGRES ?? "", join(root, "data"), join(root, "copy")];
  await clearRealPostgres();
  const store = await openStore({ postgres: database }, SAMPLES_MADE);
  await addSamplePlayers(store, 2);
  await store.matches.save(sampleMatch(0));
  await store.close();
  mkdirSync(join(data, "replays"), { recursive: true });
  writeFileSync(join(data, "replays", `${sampleId("match", 0)}.jsonl.gz`), "replay");
  await makeBackup({ data, database, folder, withSecrets: false }, wall, quiet);
  const plan = {
    folder,
    left: null,
    revoked: null,
    withoutKeys: false,
    data: join(root, "new"),
    database,
  };
  await assert.rejects(restoreBackup(plan, wall, quiet), { message: /database is not empty/ });
  await clearRealPostgres();
  const { faults, replaysMissing } = await restoreBackup(plan, wall, quiet);
  assert.deepEqual([faults, replaysMissing], [[], 0]);
  const again = await openStore({ postgres: database });
  assert.deepEqual(await again.matches.ids(), [sampleId("match", 0)]);
  await again.close();
});

it("says which program is missing", async (t) => {
  const { PATH } = process.env;
  t.after(() => (process.env.PATH = PATH));
  process.env.PATH = temporaryFolder();
  await assert.rejects(dumpDatabase("postgres://localhost/bout", "/dev/null"), {
    message: /there is no pg_dump on this machine/,
    exitCode: 1,
  });
});
