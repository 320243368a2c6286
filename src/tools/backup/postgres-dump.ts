// Copies and restores PostgreSQL databases in a consistent state, with pg_dump and pg_restore.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import { openLockSession } from "#data/postgres/postgres-lock.ts";
import { CommandFailure, EXIT_FAILED } from "#tools/cli/command.ts";

/** Writes the whole database to a file. Rejects with CommandFailure. */
export async function dumpDatabase(url: string, file: string): Promise<void> {
  await runPostgresTool("pg_dump", url, [
    "--format=custom",
    "--no-owner",
    "--no-privileges",
    "--file",
    file,
  ]);
}

/** Restores a dump into an empty database in one transaction. Rejects with CommandFailure. */
export async function loadDump(url: string, file: string): Promise<void> {
  const flags = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"];
  await runPostgresTool("pg_restore", url, [...flags, file]);
}

/** Keeps the password out of the process list. */
async function runPostgresTool(
  toolName: string,
  url: string,
  flags: readonly string[],
): Promise<void> {
  const address = new URL(url);
  const PGPASSWORD = decodeURIComponent(address.password);
  address.password = "";
  const env = PGPASSWORD === "" ? process.env : { ...process.env, PGPASSWORD };
  const args = ["--no-password", "--dbname", address.href, ...flags];
  const child = spawn(toolName, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const closeEvent = once(child, "close") as Promise<[number | null]>;
  const errorOutput = text(child.stderr);
  const [code] = await closeEvent.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new CommandFailure(
      `${toolName} was not found on this machine. Install the PostgreSQL client for the server's ` +
        "version or newer.",
      EXIT_FAILED,
    );
  });
  if (code === 0) return;
  const reason = (await errorOutput).trim() || `exit code ${code}`;
  throw new CommandFailure(`${toolName}: ${reason}`, EXIT_FAILED);
}

async function queryNumber(url: string, queryText: string): Promise<number> {
  const session = await openLockSession(url);
  try {
    const [row] = await session.query(queryText);
    return Number(row?.["answer"] ?? 0);
  } finally {
    await session.end();
  }
}

export const readDatabaseSchema = (url: string): Promise<number> =>
  queryNumber(url, "select max(number) as answer from schema_migrations");

export const isDatabaseEmpty = async (url: string): Promise<boolean> =>
  (await queryNumber(
    url,
    "select count(*) as answer from pg_tables where schemaname = 'public'",
  )) === 0;
