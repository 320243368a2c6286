// Fills Node's compile cache with the stripped sources: each thread of the server then saves the
// ten megabytes of the type stripper, and startup takes half the time.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

const COMMAND = join(import.meta.dirname, "../bin/bout.ts");
/** Time for house bots and sample bots to load. */
const SETTLE_MS = 1000;

/** Runs a demo without matches briefly, so that Node caches its compiled modules in `folder`. */
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
