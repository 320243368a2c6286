// Measures how long the loop in docs/agents.md takes. Runs its first commands verbatim, with 30
// real matches, against a local server with a new data folder. The only opponents are the four
// house bots, the minimum on any ladder.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";

import { SECOND_MS } from "#base/util/time.ts";
import { readDocPage, runnableCommands } from "#testing/fixtures/doc-page.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";

const PAGE_URL = "http://localhost:7777";
const BOT_NAME = "my-agent-bot";

type Version = { label: string; wins: number; losses: number; draws: number; rank: number | null };

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bout-bench-agents-loop-"));
  const ladder = await spawnLadder(join(folder, "data"), ["--anonymous", "--house", "all"]);
  const startMs = performance.now();
  try {
    const report = await runLoop(folder, ladder.baseUrl);
    const seconds = (performance.now() - startMs) / SECOND_MS;
    const response = await fetch(`${ladder.baseUrl}/api/bots/${BOT_NAME}`);
    const { versions } = (await response.json()) as { versions: Version[] };
    printReport(report, seconds, versions[0]);
  } finally {
    ladder.child.kill();
    await ladder.exited;
    await rm(folder, { recursive: true, force: true });
  }
}

async function runLoop(cwd: string, baseUrl: string): Promise<string> {
  const [script = ""] = runnableCommands(readDocPage("agents"));
  const searchPath = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const child = spawn("sh", ["-ec", script.replaceAll(PAGE_URL, baseUrl)], {
    cwd,
    env: { ...process.env, PATH: searchPath },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit") as Promise<[number | null]>;
  const [report, [code]] = await Promise.all([text(child.stdout), exit]);
  if (code !== 0) throw new Error(`the loop exited with ${code}`);
  return report;
}

function printReport(report: string, seconds: number, version: Version | undefined): void {
  const { wins = 0, losses = 0, draws = 0, rank = null } = version ?? {};
  console.log(report.split("\n", 1)[0]);
  console.log(`${wins + losses + draws} matches, rank ${rank ?? "none"}, ${seconds.toFixed(1)} s`);
  if (rank === null) process.exitCode = 1;
}
