// Measures how long it takes to upgrade a database with `--matches N` matches (default 200,000),
// and how much disk space the upgrade needs, from the released schema `--from N` (default 25) to
// the newest.

import { closeSync, cpSync, fsyncSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

import { SECOND_MS } from "#base/util/time.ts";
import { MIGRATIONS } from "#data/migrations/migrations.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import { sqlitePath } from "#data/sqlite/sqlite-path.ts";
import { openStore } from "#server/composition/open-store.ts";
import {
  FIXTURE_MATCHES,
  fixtureSchemas,
  loadFixture,
  multiplyMatches,
  UPGRADED_AT,
} from "#testing/store-contract/upgrade-fixture.ts";

const DEFAULT_MATCHES = 200_000;
const DEFAULT_FROM = 25;
const SAMPLE_INTERVAL_MS = 20;
const MIB = 1024 * 1024;

export async function run(): Promise<void> {
  const options = {
    matches: { type: "string", default: String(DEFAULT_MATCHES) },
    from: { type: "string", default: String(DEFAULT_FROM) },
  } as const;
  const { values } = parseArgs({ options, strict: false });
  const [matches, from] = [Number(values.matches), Number(values.from)];
  const newestSchema = MIGRATIONS[MIGRATIONS.length - 1]!.number;
  const olderSchemas = fixtureSchemas().filter((schema) => schema < newestSchema);
  if (!olderSchemas.includes(from))
    return console.log(
      `--from must be ${olderSchemas.join(" or ")}: the newest schema is ${newestSchema}`,
    );
  const data = await mkdtemp(join(tmpdir(), "bout-bench-upgrade-"));
  await fillFixture(data, from, matches);
  const copySeconds = secondsToCopy(data);
  console.log(`${matches} matches, schema ${from} to ${newestSchema}:`);
  await measureUpgrade(data, copySeconds);
  await rm(data, { recursive: true });
}

async function fillFixture(data: string, schema: number, matches: number): Promise<void> {
  const backend = sqliteBackend(sqliteDialect(sqlitePath(data), "write"));
  await loadFixture(backend, schema);
  await multiplyMatches(backend, Math.ceil(matches / FIXTURE_MATCHES.length));
  await backend.database.destroy();
}

function secondsToCopy(data: string): number {
  const copy = join(data, "reference");
  const start = performance.now();
  cpSync(sqlitePath(data), copy);
  const file = openSync(copy, "r+");
  fsyncSync(file);
  closeSync(file);
  const seconds = (performance.now() - start) / SECOND_MS;
  rmSync(copy);
  return seconds;
}

async function measureUpgrade(data: string, copySeconds: number): Promise<void> {
  const sizeBefore = folderSize(data);
  let peakSize = sizeBefore;
  const peakSampler = setInterval(
    () => (peakSize = Math.max(peakSize, folderSize(data))),
    SAMPLE_INTERVAL_MS,
  );
  const start = performance.now();
  const log = ({ msg, ...figures }: { msg: string }) =>
    console.log(`  ${msg}: ${JSON.stringify(figures)}`);
  const store = await openStore({ data }, UPGRADED_AT, { keepsCopy: true, log });
  const seconds = (performance.now() - start) / SECOND_MS;
  clearInterval(peakSampler);
  const faults = await store.database.faults();
  await store.close();
  if (faults.length > 0) throw new Error(faults.join("; "));
  const sizeAfter = folderSize(data);
  const ratio = (seconds / copySeconds).toFixed(1);
  console.log(`  ${seconds.toFixed(1)} s, ${ratio} times the duration of a file copy`);
  console.log(
    `  MiB in the folder: ${formatMib(sizeBefore)} before, ${formatMib(sizeAfter)} after with the copy`,
  );
  console.log(
    `  peak ${formatMib(peakSize)}: ${((peakSize - sizeBefore) / sizeBefore).toFixed(2)} times more`,
  );
}

function folderSize(data: string): number {
  const sizes = readdirSync(data).map((name) => {
    return statSync(join(data, name), { throwIfNoEntry: false })?.size ?? 0;
  });
  return sizes.reduce((total, size) => total + size, 0);
}

const formatMib = (bytes: number): string => (bytes / MIB).toFixed(0);
