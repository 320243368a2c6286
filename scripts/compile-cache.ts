// Fills Node's compile cache with the sources after type stripping. Each server thread then saves
// the 10 MB that the type stripper needs, and startup takes half the time.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

const COMMAND = join(import.meta.dirname, "../bin/bout.ts");
const SETTLE_MS = 1000;

/** Briefly runs a demo server without matches, so that Node caches its modules in `folder`. */
export async function writeCompileCache(folder: string): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "bout-compile-"));
  try {
    await runOnce(folder, ["demo", "--port", "0", "--data", data, "--max-concurrent", "0"]);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

async function runOnce(folder: string, args: readonly string[]): Promise<void> {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: folder };
  const demo = spawn(process.execPath, [COMMAND, ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exitEvent = once(demo, "exit") as Promise<[number | null]>;
  let stderrText = "";
  demo.stderr.on("data", (chunk) => (stderrText += chunk));
  for await (const line of createInterface(demo.stdout)) {
    if (!line.startsWith("ready ")) continue;
    await pause(SETTLE_MS);
    demo.kill("SIGTERM");
  }
  const [code] = await exitEvent;
  if (code !== 0) throw new Error(`the server did not run:\n${stderrText}`);
}
