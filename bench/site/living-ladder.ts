// A demo as a child: house bots and sample bots that fight each other, with data of its own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

import { startCommand } from "../../scripts/start-command.ts";
import { ask } from "./addresses.ts";

const COMMAND = join(import.meta.dirname, "../../bin/bout.ts");
const LOOK_EVERY_MS = 2000;
/** A ranked bot needs 30 games: two minutes, and longer where the machine is busy. */
const PATIENCE_MS = 10 * 60_000;

export type LivingLadder = { baseUrl: string; stop(): Promise<void> };

/** Resolves once its pages have something to show: ranked bots, and so matches too. */
export async function startLivingLadder(): Promise<LivingLadder> {
  const data = await mkdtemp(join(tmpdir(), "bout-bench-site-"));
  const { env, nodeFlags } = startCommand();
  const args = [...nodeFlags, COMMAND, "demo", "--port", "0", "--data", data];
  const demo = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(demo, "exit");
  const stop = async () => {
    demo.kill("SIGTERM");
    await ended;
    await rm(data, { recursive: true, force: true });
  };
  try {
    const baseUrl = await readyAt(createInterface(demo.stdout));
    await untilRanked(baseUrl);
    return { baseUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readyAt(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) if (line.startsWith("ready ")) return line.slice("ready ".length);
  throw new Error("the demo did not start");
}

async function untilRanked(baseUrl: string): Promise<void> {
  const lastLook = performance.now() + PATIENCE_MS;
  while (performance.now() < lastLook) {
    const board = await ask<{ rank: number | null }[]>(baseUrl, "/api/leaderboard");
    if (board.some(({ rank }) => rank !== null)) return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error("no bot was ranked in time");
}
