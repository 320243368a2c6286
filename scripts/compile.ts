// Node keeps what it has compiled, types stripped, for the next start: each thread of the server
// then spares the ten megabytes of the stripper, and the process half of its start.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

const COMMAND = join(import.meta.dirname, "../bin/bout.ts");
/** In which house bots and sample bots come to their first line. */
const SETTLED_MS = 1000;

/** Runs a demo without matches for a moment, whose modules Node leaves compiled in `folder`. */
export async function compileServer(folder: string): Promise<void> {
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
  const ended = once(demo, "exit") as Promise<[number | null]>;
  let said = "";
  demo.stderr.on("data", (text) => (said += text));
  for await (const line of createInterface(demo.stdout)) {
    if (!line.startsWith("ready ")) continue;
    await pause(SETTLED_MS);
    demo.kill("SIGTERM");
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`the server did not run:\n${said}`);
}
