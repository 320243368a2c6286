// Measures how long `bout onboard` takes from nothing to a ranked bot: account and email, agent
// key, bot, practice match, first rated match, rank. The server has a new data folder, the four
// house bots, and 20 bots without accounts that play constantly.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

import { SECOND_MS } from "#base/util/time.ts";
import { registerQuickBots } from "#testing/harness/quick-bot.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";

const OPPONENT_BOTS = 20;
/** Typical think time of a bot written in a scripting language. */
const THINK_MS = 5;
const BOT_NAME = "newcomer";
const POLL_INTERVAL_MS = 200;

const MILESTONES = [
  ["registered", 60],
  ["practised", 60],
  ["rated", 60],
  ["ranked", 600],
] as const;
type Milestone = (typeof MILESTONES)[number][0];

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bout-bench-onboard-"));
  const data = join(folder, "data");
  const flags = ["--accounts", "embedded", "--anonymous", "--house", "all"];
  const ladder = await spawnLadder(data, flags);
  const opponents = await registerQuickBots(ladder.baseUrl, "other", OPPONENT_BOTS, {
    thinkMs: THINK_MS,
  });
  const sockets = await Promise.all(opponents.map((bot) => bot.play(ladder.baseUrl)));
  const startMs = performance.now();
  const command = startOnboard(folder, ladder.baseUrl);
  const milestoneTimes = trackMilestones(command, startMs);
  try {
    milestoneTimes.set(
      "rated",
      await waitUntil(startMs, MILESTONES[2][1], () => hasRatedMatch(ladder.baseUrl)),
    );
    milestoneTimes.set(
      "ranked",
      await waitUntil(startMs, MILESTONES[3][1], () => hasRank(ladder.baseUrl)),
    );
  } finally {
    command.kill();
    for (const socket of sockets) socket.terminate();
    ladder.child.kill();
    await ladder.exited;
    await rm(folder, { recursive: true, force: true });
  }
  printMilestones(milestoneTimes);
}

function startOnboard(folder: string, baseUrl: string): ChildProcess {
  const program = join(import.meta.dirname, "../bin/bout.ts");
  const flags = ["--name", BOT_NAME, "--url", baseUrl, "--email", "newcomer@example.org", "--json"];
  const command = spawn(process.execPath, [program, "onboard", ...flags], {
    cwd: folder,
    env: { ...process.env, BOUT_PASSWORD: "correct horse battery" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  void once(command, "exit").then(([code]) => {
    if (code !== null && code !== 0) throw new Error(`bout onboard exited with ${code}`);
  });
  return command;
}

function trackMilestones({ stdout }: ChildProcess, startMs: number): Map<Milestone, number> {
  const milestoneTimes = new Map<Milestone, number>();
  if (stdout === null) throw new Error("the command's stdout is a pipe");
  createInterface({ input: stdout }).on("line", (line) => {
    const { told: stepMessage, name, practice } = JSON.parse(line) as Record<string, string>;
    console.log(`  ${formatSeconds(performance.now() - startMs).padStart(6)} s  ${stepMessage}`);
    if (name !== undefined) milestoneTimes.set("registered", performance.now() - startMs);
    if (practice !== undefined) milestoneTimes.set("practised", performance.now() - startMs);
  });
  return milestoneTimes;
}

async function waitUntil(
  startMs: number,
  maxSeconds: number,
  isReached: () => Promise<boolean>,
): Promise<number> {
  for (;;) {
    const elapsedMs = performance.now() - startMs;
    if (await isReached()) return elapsedMs;
    if (elapsedMs > 2 * maxSeconds * SECOND_MS) return Infinity;
    await pause(POLL_INTERVAL_MS);
  }
}

const fetchJson = async (url: string): Promise<unknown> => {
  const response = await fetch(url);
  return response.ok ? response.json() : null;
};

async function hasRatedMatch(baseUrl: string): Promise<boolean> {
  const matches = await fetchJson(`${baseUrl}/api/matches?bot=${BOT_NAME}`);
  return Array.isArray(matches) && matches.length > 0;
}

async function hasRank(baseUrl: string): Promise<boolean> {
  const bot = (await fetchJson(`${baseUrl}/api/bots/${BOT_NAME}`)) as BotVersions | null;
  return bot?.versions.some(({ rank }) => rank !== null) === true;
}
type BotVersions = { versions: { rank: number | null }[] };

const formatSeconds = (ms: number): string => (ms / SECOND_MS).toFixed(1);

function printMilestones(milestoneTimes: ReadonlyMap<Milestone, number>): void {
  console.log("step          seconds       max");
  for (const [milestone, maxSeconds] of MILESTONES) {
    const elapsedMs = milestoneTimes.get(milestone) ?? Infinity;
    const isLate = elapsedMs > maxSeconds * SECOND_MS;
    console.log(
      `${milestone.padEnd(12)} ${formatSeconds(elapsedMs).padStart(8)}  ${String(maxSeconds).padStart(8)}${isLate ? "  too late" : ""}`,
    );
    if (isLate) process.exitCode = 1;
  }
}
