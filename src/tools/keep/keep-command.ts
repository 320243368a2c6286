// What the commands that look after a data folder share.

import { constants, setPriority } from "node:os";

import type { Command } from "commander";

import { LockHeld } from "#data/access/server-lock.ts";
import { StoreError } from "#data/store/errors.ts";
import { UsageError } from "#server/configuration/flag-values.ts";
import { secretFrom } from "#server/configuration/secret-files.ts";
import { CommandFailure, EXIT_FAILED, EXIT_USAGE } from "#tools/cli/command.ts";
import { startProgress } from "#tools/terminal/progress.ts";

import { BadBackup } from "./manifest.ts";

const DEFAULT_DATA = "./data";

/** Where the server keeps its data: flags, then the variables of `bout serve`. */
export type PlaceFlags = { data?: string; database?: string; databaseFile?: string };
type Places = { data: string; database: string | null };

export function addPlaceFlags(command: Command): Command {
  return command
    .option("--data <DIR>", `the data folder (default: BOUT_DATA, or ${DEFAULT_DATA})`)
    .option("--database <URL>", "PostgreSQL instead of SQLite (default: BOUT_DATABASE)")
    .option("--database-file <FILE>", "file with that URL (default: BOUT_DATABASE_FILE)");
}

export function placesOf({ data, database, databaseFile }: PlaceFlags): Places {
  const url = databaseUrlOf(
    database ?? process.env["BOUT_DATABASE"],
    databaseFile ?? process.env["BOUT_DATABASE_FILE"] ?? null,
  );
  if (url !== null && !/^postgres(ql)?:\/\//.test(url))
    throw new CommandFailure(
      "--database takes postgres://user:password@host:port/name.",
      EXIT_USAGE,
    );
  return { data: data ?? process.env["BOUT_DATA"] ?? DEFAULT_DATA, database: url };
}

function databaseUrlOf(url: string | undefined, path: string | null): string | null {
  try {
    return secretFrom("database", url, path) ?? null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new CommandFailure(`${error.message}.`, EXIT_USAGE);
  }
}

/** Runs long work behind whatever a server on this machine does, and tells how far it is. */
export async function withProgress<T>(run: (tell: (news: string) => void) => Promise<T>) {
  setPriority(constants.priority.PRIORITY_LOW);
  const progress = await startProgress();
  try {
    return await run(progress.tell);
  } catch (error) {
    throw failureOf(error);
  } finally {
    progress.stop();
  }
}

function failureOf(error: unknown): unknown {
  if (error instanceof LockHeld) return new CommandFailure(error.message, EXIT_USAGE);
  const { code } = error as NodeJS.ErrnoException;
  const isOfTheDisk = /^E[A-Z]+$/.test(code ?? "");
  const isKnown = error instanceof BadBackup || error instanceof StoreError || isOfTheDisk;
  return isKnown ? new CommandFailure((error as Error).message, EXIT_FAILED) : error;
}
