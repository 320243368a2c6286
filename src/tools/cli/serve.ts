// `bout serve`: one process, one port, graceful shutdown.

import { join } from "node:path";

import { StoreError } from "#data/store/errors.ts";
import { LockHeld, serve } from "#server/composition/serve.ts";
import { optionsProblem } from "#server/composition/server-address.ts";
import { firstStopSignal } from "#server/composition/stop-signal.ts";
import { UsageError } from "#server/configuration/flag-values.ts";
import { readServeOptions, serveHelp } from "#server/configuration/flags.ts";
import type { ServeOptions, ServingCommand } from "#server/configuration/flags.ts";
import { DATABASE_FILES } from "#tools/backup/manifest.ts";

const EXIT_USAGE = 2;
const EXIT_FAILED = 1;

export async function runServe(args: readonly string[]): Promise<void> {
  if (printHelpIfRequested("serve", args)) return;
  await runServer("serve", readServeOptions(args, process.env), async () => {});
  process.exit();
}

/** Prints the help of a serving command if requested. Returns whether it did. */
export function printHelpIfRequested(command: ServingCommand, args: readonly string[]): boolean {
  const isHelpRequested = args.includes("--help") || args.includes("-h");
  if (isHelpRequested) console.log(serveHelp(command));
  return isHelpRequested;
}

/**
 * Serves until a signal arrives. Calls `whenReady` with the base URL once the `ready` line is
 * printed.
 */
export async function runServer(
  command: ServingCommand,
  options: ServeOptions | { error: string },
  whenReady: (baseUrl: string) => Promise<void>,
  housePaceMs = 0,
): Promise<void> {
  const problem = "error" in options ? options.error : optionsProblem(options);
  if ("error" in options || problem !== null) {
    console.error(`bout ${command}: ${problem}. See bout ${command} --help.`);
    process.exitCode = EXIT_USAGE;
    return;
  }
  const stopRequested = firstStopSignal(() => process.exit(EXIT_FAILED));
  try {
    const tell = (line: string) => console.log(line);
    const server = await serve(options, () => process.exit(EXIT_FAILED), {
      housePaceMs,
      printLine: tell,
    });
    console.log(`ready ${server.baseUrl}`);
    await whenReady(server.baseUrl);
    await stopRequested;
    process.exitCode = (await server.shutDown()) ? 0 : EXIT_FAILED;
  } catch (error) {
    console.error(`bout ${command}: ${formatStartError(error, options)}`);
    const isUsage = error instanceof LockHeld || error instanceof UsageError;
    process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAILED;
  }
}

function formatStartError(
  error: unknown,
  { data, database }: Pick<ServeOptions, "data" | "database">,
): string {
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof StoreError) || error.code !== "damaged") return text;
  const databaseName =
    database === null ? `the database file ${join(data, DATABASE_FILES.sqlite)}` : "the database";
  return `${databaseName} is damaged (${text}). Run bout doctor, then restore a backup: bout restore.`;
}
