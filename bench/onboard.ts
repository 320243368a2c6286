// How long it takes from nothing to a ranked bot, as the command `bout onboard` goes: an account
// with its mail, an agent key, a bot, a practice game, the first rated game, a rank. The server has
// fresh data, the four house bots and 20 others that play all the time; theirs need no account.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

import { SECOND_MS } from "#base/units/time.ts";
import { registerQuickBots } from "#testing/harness/quick-bot.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";

const OTHERS = 20;
/** About as long as a program in a scripting language thinks. */
const THINK_MS = 5;
const NAME = "newcomer";
const LOOK_EVERY_MS = 200;

/** What must be reached, in order, and the most seconds it may take. */
const GOALS = [
  ["registered", 60],
  ["practised", 60],
  ["rated", 60],
  ["ranked", 600],
] as const;
type Goal = (typeof GOALS)[number][0];

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bout-bench-onboard-"));
  const data = join(folder, "data");
  const flags = ["--accounts", "embedded", "--anonymous", "--house", "all"];
  const ladder = await spawnLadder(data, flags);
  const others = await registerQuickBots(ladder.baseUrl, "other", OTHERS, { thinkMs: THINK_MS });
  const sockets = await Promise.all(others.map((bot) => bot.play(ladder.baseUrl)));
  const began = performance.now();
  const command = startOnboard(folder, ladder.baseUrl);
  const reached = followLines(command, began);
  try {
    reached.set("rated", await until(began, GOALS[2][1], () => hasRated(ladder.baseUrl)));
    reached.set("ranked", await until(began, GOALS[3][1], () => hasRank(ladder.baseUrl)));
  } finally {
    command.kill();
    for (const socket of sockets) socket.terminate();
    ladder.child.kill();
    await ladder.exited;
    await rm(folder, { recursive: true, force: true });
  }
  tell(reached);
}

function startOnboard(folder: string, baseUrl: string): ChildProcess {
  const program = join(import.meta.dirname, "../bin/bout.ts");
  const flags = ["--name", NAME, "--url", baseUrl, "--email", "newcomer@example.org", "--json"];
  const command = spawn(process.execPath, [program, "onboard", ...flags], {
    cwd: folder,
    env: { ...process.env, BOUT_PASSWORD: "correct horse battery" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  void once(command, "exit").then(([code]) => {
    if (code !== null && code !== 0) throw new Error(`bout onboard ended with ${code}`);
  });
  return command;
}

/** When the command told of the steps that it knows of, in ms. */
function followLines({ stdout }: ChildProcess, began: number): Map<Goal, number> {
  const reached = new Map<Goal, number>();
  if (stdout === null) throw new Error("the command's stdout is a pipe");
  createInterface({ input: stdout }).on("line", (line) => {
    const { told, name, practice } = JSON.parse(line) as Record<string, string>;
    console.log(`  ${seconds(performance.now() - began).padStart(6)} s  ${told}`);
    if (name !== undefined) reached.set("registered", performance.now() - began);
    if (practice !== undefined) reached.set("practised", performance.now() - began);
  });
  return reached;
}

async function until(began: number, most: number, isSo: () => Promise<boolean>): Promise<number> {
  for (;;) {
    const passed = performance.now() - began;
    if (await isSo()) return passed;
    if (passed > 2 * most * SECOND_MS) return Infinity;
    await pause(LOOK_EVERY_MS);
  }
}

const ask = async (url: string): Promise<unknown> => {
  const answer = await fetch(url);
  return answer.ok ? answer.json() : null;
};

async function hasRated(baseUrl: string): Promise<boolean> {
  const matches = await ask(`${baseUrl}/api/matches?bot=${NAME}`);
  return Array.isArray(matches) && matches.length > 0;
}

async function hasRank(baseUrl: string): Promise<boolean> {
  const bot = (await ask(`${baseUrl}/api/bots/${NAME}`)) as Versions | null;
  return bot?.versions.some(({ rank }) => rank !== null) === true;
}
type Versions = { versions: { rank: number | null }[] };

const seconds = (ms: number): string => (ms / SECOND_MS).toFixed(1);

function tell(reached: ReadonlyMap<Goal, number>): void {
  console.log("step          seconds   at most");
  for (const [goal, most] of GOALS) {
    const took = reached.get(goal) ?? Infinity;
    const isLate = took > most * SECOND_MS;
    console.log(
      `${goal.padEnd(12)} ${seconds(took).padStart(8)}  ${String(most).padStart(8)}${isLate ? "  too late" : ""}`,
    );
    if (isLate) process.exitCode = 1;
  }
}
