import { closeSync, cpSync, fsyncSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

// How long it takes to upgrade a database with `--matches N` (default 200,000) from the released
// schema `--from N` (default 25) to the newest, and how much disk space.
import { SECOND_MS } from "#base/units/time.ts";
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
  UPGRADED,
} from "#testing/store-cases/upgrade-fixture.ts";

const DEFAULT_MATCHES = 200_000;
const DEFAULT_FROM = 25;
const LOOK_EVERY_MS = 20;
const MIB = 1024 * 1024;

export async function run(): Promise<void> {
  const options = {
    matches: { type: "string", default: String(DEFAULT_MATCHES) },
    from: { type: "string", default: String(DEFAULT_FROM) },
  } as const;
  const { values } = parseArgs({ options, strict: false });
  const [matches, from] = [Number(values.matches), Number(values.from)];
  const newest = MIGRATIONS[MIGRATIONS.length - 1]!.number;
  const older = fixtureSchemas().filter((schema) => schema < newest);
  if (!older.includes(from))
    return console.log(`--from takes ${older.join(" or ")}: the newest schema is ${newest}`);
  const data = await mkdtemp(join(tmpdir(), "bout-bench-upgrade-"));
  await fill(data, from, matches);
  const copying = secondsToCopy(data);
  console.log(`${matches} matches, schema ${from} to ${newest}:`);
  await upgrade(data, copying);
  await rm(data, { recursive: true });
}

async function fill(data: string, schema: number, matches: number): Promise<void> {
  const backend = sqliteBackend(sqliteDialect(sqlitePath(data), "write"));
  await loadFixture(backend, schema);
  await multiplyMatches(backend, Math.ceil(matches / FIXTURE_MATCHES.length));
  await backend.database.destroy();
}

/** The reference: a copy of the file, flushed to disk. */
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

/** Watches the folder while the store's thread does the work. */
async function upgrade(data: string, copying: number): Promise<void> {
  const before = folderSize(data);
  let peak = before;
  const look = setInterval(() => (peak = Math.max(peak, folderSize(data))), LOOK_EVERY_MS);
  const start = performance.now();
  const tell = ({ msg, ...figures }: { msg: string }) =>
    console.log(`  ${msg}: ${JSON.stringify(figures)}`);
  const store = await openStore({ data }, UPGRADED, { keepsCopy: true, tell });
  const seconds = (performance.now() - start) / SECOND_MS;
  clearInterval(look);
  const faults = await store.database.faults();
  await store.close();
  if (faults.length > 0) throw new Error(faults.join("; "));
  const after = folderSize(data);
  const ratio = (seconds / copying).toFixed(1);
  console.log(`  ${seconds.toFixed(1)} s, ${ratio} times a copy of the file to the disk`);
  console.log(`  MiB in the folder: ${inMib(before)} before, ${inMib(after)} after with the copy`);
  console.log(`  ${inMib(peak)} at most: ${((peak - before) / before).toFixed(2)} times more`);
}

function folderSize(data: string): number {
  const sizes = readdirSync(data).map((name) => {
    return statSync(join(data, name), { throwIfNoEntry: false })?.size ?? 0;
  });
  return sizes.reduce((total, size) => total + size, 0);
}

const inMib = (bytes: number): string => (bytes / MIB).toFixed(0);
