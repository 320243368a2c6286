import { constants, setPriority } from "node:os";

import type { Command } from "commander";

import { LockHeld } from "#data/credentials/server-lock.ts";
import { StoreError } from "#data/store/errors.ts";
import { UsageError } from "#server/configuration/flag-values.ts";
import { readFlagSecret } from "#server/configuration/secret-files.ts";
import { CommandFailure, EXIT_FAILED, EXIT_USAGE } from "#tools/cli/command.ts";
import { startProgress } from "#tools/terminal/progress.ts";

import { InvalidBackupError } from "./manifest.ts";

const DEFAULT_DATA = "./data";

/**
 * Where the server keeps its data, from flags or from the environment variables of `bout serve`.
 */
export type LocationFlags = { data?: string; database?: string; databaseFile?: string };
type DataLocation = { data: string; database: string | null };

export function addLocationFlags(command: Command): Command {
  return command
    .option("--data <DIR>", `data folder (default: BOUT_DATA, or ${DEFAULT_DATA})`)
    .option("--database <URL>", "PostgreSQL instead of SQLite (default: BOUT_DATABASE)")
    .option("--database-file <FILE>", "file that contains that URL (default: BOUT_DATABASE_FILE)");
}

export function resolveLocation({ data, database, databaseFile }: LocationFlags): DataLocation {
  const url = readDatabaseUrl(
    database ?? process.env["BOUT_DATABASE"],
    databaseFile ?? process.env["BOUT_DATABASE_FILE"] ?? null,
  );
  if (url !== null && !/^postgres(ql)?:\/\//.test(url))
    throw new CommandFailure(
      "--database must be a URL such as postgres://user:password@host:port/name.",
      EXIT_USAGE,
    );
  return { data: data ?? process.env["BOUT_DATA"] ?? DEFAULT_DATA, database: url };
}

function readDatabaseUrl(url: string | undefined, path: string | null): string | null {
  try {
    return readFlagSecret("database", url, path) ?? null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new CommandFailure(`${error.message}.`, EXIT_USAGE);
  }
}

/** Runs long work at a lower priority than the server, and shows progress. */
export async function runWithProgress<T>(
  runTask: (reportProgress: (statusText: string) => void) => Promise<T>,
) {
  setPriority(constants.priority.PRIORITY_LOW);
  const progress = await startProgress();
  try {
    return await runTask(progress.update);
  } catch (error) {
    throw toCommandFailure(error);
  } finally {
    progress.stop();
  }
}

function toCommandFailure(error: unknown): unknown {
  if (error instanceof LockHeld) return new CommandFailure(error.message, EXIT_USAGE);
  const { code } = error as NodeJS.ErrnoException;
  const isFileSystemError = /^E[A-Z]+$/.test(code ?? "");
  const isKnown =
    error instanceof InvalidBackupError || error instanceof StoreError || isFileSystemError;
  return isKnown ? new CommandFailure((error as Error).message, EXIT_FAILED) : error;
}
