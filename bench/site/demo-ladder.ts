// Runs a demo as a child process with its own data folder. House bots and sample bots play each
// other.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

import { startCommand } from "../../scripts/start-command.ts";
import { fetchPageJson } from "./page-paths.ts";

const COMMAND = join(import.meta.dirname, "../../bin/bout.ts");
const POLL_INTERVAL_MS = 2000;
/** A bot needs 30 matches to be ranked, which takes two minutes, or longer on a busy machine. */
const TIMEOUT_MS = 10 * 60_000;

export type DemoLadder = { baseUrl: string; stop(): Promise<void> };

/** Resolves once the pages have content: ranked bots, and therefore matches. */
export async function startDemoLadder(): Promise<DemoLadder> {
  const data = await mkdtemp(join(tmpdir(), "bout-bench-site-"));
  const { env, nodeFlags } = startCommand();
  const args = [...nodeFlags, COMMAND, "demo", "--port", "0", "--data", data];
  const demo = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exit = once(demo, "exit");
  const stop = async () => {
    demo.kill("SIGTERM");
    await exit;
    await rm(data, { recursive: true, force: true });
  };
  try {
    const baseUrl = await readReadyUrl(createInterface(demo.stdout));
    await waitUntilRanked(baseUrl);
    return { baseUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readReadyUrl(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) if (line.startsWith("ready ")) return line.slice("ready ".length);
  throw new Error("the demo did not start");
}

async function waitUntilRanked(baseUrl: string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    const leaderboard = await fetchPageJson<{ rank: number | null }[]>(baseUrl, "/api/leaderboard");
    if (leaderboard.some(({ rank }) => rank !== null)) return;
    await pause(POLL_INTERVAL_MS);
  }
  throw new Error("no bot was ranked in time");
}
