// What surrounds the upgrade of an existing database: a check for disk space, a copy to go back to,
// and log lines.

import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

import { sql } from "kysely";

import { freeBytes, inMib, ROOM_MARGIN, sizeOf } from "#data/files/room.ts";
import type { Database } from "#data/queries/tables.ts";
import { storeError, StoreError } from "#data/store/errors.ts";

import { secondsSince } from "./migrations.ts";
import type { Step, Upgrade, UpgradeWatch } from "./migrations.ts";

/** A log line and its figures. */
export type UpgradeNote =
  | ({ msg: "the database is being upgraded" } & Upgrade)
  | { msg: "a copy of the database is kept"; file: string; seconds: number }
  | { msg: "PostgreSQL databases are not copied: going back needs a dump made by pg_dump before" }
  | ({ msg: "a step of the upgrade is done" } & Step);

export type UpgradeOptions = {
  /** PostgreSQL databases are not copied. */
  keepsCopy: boolean;
  tell: (note: UpgradeNote) => void;
};

const PRIVATE_FILE = 0o600;

/** Watches the upgrade of a database file, to which nobody else may write meanwhile. */
export function fileWatch(
  database: Database,
  path: string,
  { keepsCopy, tell }: UpgradeOptions,
): UpgradeWatch {
  return {
    begins: async (upgrade) => {
      const copy = `${path}.schema-${upgrade.from}`;
      // Remains of a copy that was cut short would waste room.
      rmSync(partOf(copy), { force: true });
      assertRoom(path, upgrade, keepsCopy);
      tell({ msg: "the database is being upgraded", ...upgrade });
      if (!keepsCopy) return;
      const start = performance.now();
      await keepCopy(database, copy);
      tell({ msg: "a copy of the database is kept", file: copy, seconds: secondsSince(start) });
    },
    stepDone: (step) => tell({ msg: "a step of the upgrade is done", ...step }),
  };
}

export function postgresWatch({ tell }: UpgradeOptions): UpgradeWatch {
  return {
    begins: async (upgrade) => {
      tell({ msg: "the database is being upgraded", ...upgrade });
      tell({
        msg: "PostgreSQL databases are not copied: going back needs a dump made by pg_dump before",
      });
    },
    stepDone: (step) => tell({ msg: "a step of the upgrade is done", ...step }),
  };
}

/** As much room as the database has for what the steps write, and as much again for the copy. */
function assertRoom(path: string, { from, to }: Upgrade, keepsCopy: boolean): void {
  const size = sizeOf(path) + sizeOf(`${path}-wal`);
  const needed = size * (keepsCopy ? 2 : 1) + ROOM_MARGIN;
  const free = freeBytes(dirname(path));
  if (free >= needed) return;
  const way = `the upgrade of ${path} from schema ${from} to ${to}`;
  throw new StoreError(
    "full",
    `${way} needs ${inMib(needed)} MiB of free disk, and there are ${inMib(free)}: nothing was changed`,
  );
}

const partOf = (copy: string): string => `${copy}.part`;

/**
 * Copies a database as it is at one instant. The copy exists completely or not at all, even after a
 * power cut. It replaces an older one.
 */
export async function keepCopy(database: Database, copy: string): Promise<void> {
  const part = partOf(copy);
  try {
    closeSync(openSync(part, "wx", PRIVATE_FILE));
    // Only SQLite may read the file: closing a descriptor of our own would release its locks.
    await sql`vacuum into ${part}`.execute(database);
    sync(part, "r+");
    renameSync(part, copy);
    sync(dirname(copy), "r");
  } catch (error) {
    rmSync(part, { force: true });
    throw storeError(error);
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
