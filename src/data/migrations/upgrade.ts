// Upgrades an existing database: checks disk space, makes a copy for rollback, and logs each step.

import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

import { sql } from "kysely";

import { freeBytes, toMib, FREE_SPACE_MARGIN, fileSize } from "#data/files/disk-space.ts";
import type { Database } from "#data/queries/tables.ts";
import { toStoreError, StoreError } from "#data/store/errors.ts";

import { elapsedSeconds } from "./migrations.ts";
import type { UpgradeStep, SchemaUpgrade, UpgradeObserver } from "./migrations.ts";

export type UpgradeLogEntry =
  | ({ msg: "upgrading the database" } & SchemaUpgrade)
  | { msg: "saved a copy of the database"; file: string; seconds: number }
  | {
      msg: "PostgreSQL databases are not copied; to be able to go back, run pg_dump before upgrading";
    }
  | ({ msg: "upgrade step finished" } & UpgradeStep);

export type UpgradeOptions = {
  /** False for PostgreSQL. */
  keepsCopy: boolean;
  log: (entry: UpgradeLogEntry) => void;
};

const PRIVATE_FILE = 0o600;

/**
 * Creates an observer for the upgrade of a database file. No other process may write to the file
 * during the upgrade.
 */
export function fileUpgradeObserver(
  database: Database,
  path: string,
  { keepsCopy, log }: UpgradeOptions,
): UpgradeObserver {
  return {
    onBegin: async (upgrade) => {
      const copy = `${path}.schema-${upgrade.from}`;
      // Frees the space taken by an incomplete copy from an earlier run.
      rmSync(partialPath(copy), { force: true });
      assertFreeSpace(path, upgrade, keepsCopy);
      log({ msg: "upgrading the database", ...upgrade });
      if (!keepsCopy) return;
      const start = performance.now();
      await writeDatabaseCopy(database, copy);
      log({ msg: "saved a copy of the database", file: copy, seconds: elapsedSeconds(start) });
    },
    onStepDone: (step) => log({ msg: "upgrade step finished", ...step }),
  };
}

export function postgresUpgradeObserver({ log }: UpgradeOptions): UpgradeObserver {
  return {
    onBegin: async (upgrade) => {
      log({ msg: "upgrading the database", ...upgrade });
      log({
        msg: "PostgreSQL databases are not copied; to be able to go back, run pg_dump before upgrading",
      });
    },
    onStepDone: (step) => log({ msg: "upgrade step finished", ...step }),
  };
}

/** Migrations may write as much as the size of the database. The copy needs the same again. */
function assertFreeSpace(path: string, { from, to }: SchemaUpgrade, keepsCopy: boolean): void {
  const size = fileSize(path) + fileSize(`${path}-wal`);
  const requiredBytes = size * (keepsCopy ? 2 : 1) + FREE_SPACE_MARGIN;
  const freeSpace = freeBytes(dirname(path));
  if (freeSpace >= requiredBytes) return;
  const upgradeText = `the upgrade of ${path} from schema ${from} to ${to}`;
  throw new StoreError(
    "full",
    `${upgradeText} needs ${toMib(requiredBytes)} MiB of free disk space, but only ${toMib(freeSpace)} MiB are free; nothing was changed`,
  );
}

const partialPath = (copy: string): string => `${copy}.part`;

/**
 * Copies a database as of one instant, replacing an older copy. The copy is either complete or
 * missing, even after a power failure.
 */
export async function writeDatabaseCopy(database: Database, copy: string): Promise<void> {
  const partialCopy = partialPath(copy);
  try {
    closeSync(openSync(partialCopy, "wx", PRIVATE_FILE));
    // Only SQLite may open the original file, because closing any other descriptor would release
    // SQLite's locks.
    await sql`vacuum into ${partialCopy}`.execute(database);
    sync(partialCopy, "r+");
    renameSync(partialCopy, copy);
    sync(dirname(copy), "r");
  } catch (error) {
    rmSync(partialCopy, { force: true });
    throw toStoreError(error);
  }
}

function sync(path: string, flags: "r" | "r+"): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
