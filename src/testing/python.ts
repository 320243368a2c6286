// A Python that can run bots, where this machine can have one.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** How long a package may take to install before the tests go on without it. */
const INSTALL_MS = 90_000;

/** False when the program runs, else why not. */
export async function reasonAgainst(
  program: string,
  args: readonly string[],
): Promise<string | false> {
  try {
    await run(program, args, { timeout: INSTALL_MS });
    return false;
  } catch (error) {
    return `${program} cannot be used here: ${(error as Error).message.split("\n", 1)[0]}`;
  }
}

type Python = { program: string; missing: string | false };

/** A Python with the package `websockets`: the one of this machine, else one made for the test. */
export async function findPython(folder: string): Promise<Python> {
  const asks = ["-c", "import websockets.asyncio.client, sys; assert sys.version_info >= (3, 10)"];
  if ((await reasonAgainst("python3", asks)) === false)
    return { program: "python3", missing: false };
  const program = join(folder, "bin", "python");
  const install = ["-m", "pip", "install", "--quiet", "--retries", "0", "websockets"];
  const missing =
    (await reasonAgainst("python3", ["-m", "venv", folder])) ||
    (await reasonAgainst(program, install)) ||
    (await reasonAgainst(program, asks));
  return { program, missing };
}
