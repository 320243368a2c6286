// `bout serve`: one process, one port, an orderly shutdown.

import { optionsProblem } from "#server/composition/address.ts";
import { LockHeld, serve } from "#server/composition/serve.ts";
import { UsageError } from "#server/configuration/flag-values.ts";
import { readServeOptions, serveHelp } from "#server/configuration/flags.ts";
import type { ServeOptions, ServingCommand } from "#server/configuration/flags.ts";

const EXIT_USAGE = 2;
const EXIT_FAILED = 1;

export async function runServe(args: readonly string[]): Promise<void> {
  if (askedForHelp("serve", args)) return;
  await runServer("serve", readServeOptions(args, process.env), async () => {});
  process.exit();
}

/** Prints the help of a serving command if the call asks for it. */
export function askedForHelp(command: ServingCommand, args: readonly string[]): boolean {
  const isAsked = args.includes("--help") || args.includes("-h");
  if (isAsked) console.log(serveHelp(command));
  return isAsked;
}

/** Serves until a signal arrives; `whenReady` receives the base URL after the `ready` line. */
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
  const stopRequested = firstSignal();
  try {
    const tell = (line: string) => console.log(line);
    const server = await serve(options, () => process.exit(EXIT_FAILED), { housePaceMs, tell });
    console.log(`ready ${server.baseUrl}`);
    await whenReady(server.baseUrl);
    await stopRequested;
    process.exitCode = (await server.shutDown()) ? 0 : EXIT_FAILED;
  } catch (error) {
    console.error(`bout ${command}: ${error instanceof Error ? error.message : String(error)}`);
    const isUsage = error instanceof LockHeld || error instanceof UsageError;
    process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAILED;
  }
}

/** The first signal starts an orderly stop; a second one ends the process at once. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = () => {
      if (isStopping) process.exit(EXIT_FAILED);
      isStopping = true;
      resolve();
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  });
}
