// How long the loop of docs/agents.md takes: its first commands as they stand there, with thirty real
// games, against a server of its own with fresh data. The opponents are the four house bots alone,
// which is the least company that a ladder has.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";

import { SECOND_MS } from "#base/units/time.ts";
import { pageOf, runnable } from "#testing/fixtures/doc-page.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";

const PAGE_URL = "http://localhost:7777";
const NAME = "my-agent-bot";

type Version = { label: string; wins: number; losses: number; draws: number; rank: number | null };

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bout-bench-agents-loop-"));
  const ladder = await spawnLadder(join(folder, "data"), ["--anonymous", "--house", "all"]);
  const began = performance.now();
  try {
    const report = await runLoop(folder, ladder.baseUrl);
    const seconds = (performance.now() - began) / SECOND_MS;
    const answer = await fetch(`${ladder.baseUrl}/api/bots/${NAME}`);
    const { versions } = (await answer.json()) as { versions: Version[] };
    tell(report, seconds, versions[0]);
  } finally {
    ladder.child.kill();
    await ladder.exited;
    await rm(folder, { recursive: true, force: true });
  }
}

/** The report that the loop prints. */
async function runLoop(cwd: string, baseUrl: string): Promise<string> {
  const [script = ""] = runnable(pageOf("agents"));
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const child = spawn("sh", ["-ec", script.replaceAll(PAGE_URL, baseUrl)], {
    cwd,
    env: { ...process.env, PATH },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit") as Promise<[number | null]>;
  const [report, [code]] = await Promise.all([text(child.stdout), ended]);
  if (code !== 0) throw new Error(`the loop ended with ${code}`);
  return report;
}

function tell(report: string, seconds: number, version: Version | undefined): void {
  const { wins = 0, losses = 0, draws = 0, rank = null } = version ?? {};
  console.log(report.split("\n", 1)[0]);
  console.log(`games ${wins + losses + draws}, rank ${rank ?? "none"}, ${seconds.toFixed(1)} s`);
  if (rank === null) process.exitCode = 1;
}
