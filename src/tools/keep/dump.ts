// PostgreSQL's own programs, which copy a database as it is at one instant, and bring it back.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import { connectTo } from "#data/postgres/postgres-lock.ts";
import { CommandFailure, EXIT_FAILED } from "#tools/cli/command.ts";

/** Writes the whole database to a file. Rejects with CommandFailure. */
export async function dumpDatabase(url: string, file: string): Promise<void> {
  await run("pg_dump", url, ["--format=custom", "--no-owner", "--no-privileges", "--file", file]);
}

/** Brings such a file into an empty database, all of it or nothing. Rejects with CommandFailure. */
export async function loadDump(url: string, file: string): Promise<void> {
  const flags = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"];
  await run("pg_restore", url, [...flags, file]);
}

/** The password stays out of the list of processes. */
async function run(program: string, url: string, flags: readonly string[]): Promise<void> {
  const address = new URL(url);
  const PGPASSWORD = decodeURIComponent(address.password);
  address.password = "";
  const env = PGPASSWORD === "" ? process.env : { ...process.env, PGPASSWORD };
  const args = ["--no-password", "--dbname", address.href, ...flags];
  const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const closed = once(child, "close") as Promise<[number | null]>;
  const said = text(child.stderr);
  const [code] = await closed.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new CommandFailure(
      `there is no ${program} on this machine: install the PostgreSQL client, of the server's ` +
        "version or a later one.",
      EXIT_FAILED,
    );
  });
  if (code === 0) return;
  const reason = (await said).trim() || `it ended with ${code}`;
  throw new CommandFailure(`${program}: ${reason}`, EXIT_FAILED);
}

/** Asks a database one thing. */
async function ask(url: string, question: string): Promise<number> {
  const session = await connectTo(url);
  try {
    const [row] = await session.query(question);
    return Number(row?.["answer"] ?? 0);
  } finally {
    await session.end();
  }
}

/** Number of the schema of a ladder's database. */
export const schemaAt = (url: string): Promise<number> =>
  ask(url, "select max(number) as answer from schema_migrations");

export const isEmptyAt = async (url: string): Promise<boolean> =>
  (await ask(url, "select count(*) as answer from pg_tables where schemaname = 'public'")) === 0;
