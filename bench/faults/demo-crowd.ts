// Runs the demo as a user would, for a few minutes with a mix of clients. Then checks messages to
// bots, responses, the log, memory, the exit code and the data. Prints anomalies, and exits with 1
// if there are any.
// node bench/faults/demo-crowd.ts [MINUTES]

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { MINUTE_MS } from "#base/util/time.ts";
import { runMixedTraffic, TRAFFIC_OPERATOR_EMAIL } from "#testing/harness/mixed-traffic.ts";
import type { TrafficReport } from "#testing/harness/mixed-traffic.ts";
import {
  fetchAllMatches,
  assertEndsInData,
  assertEndsStored,
} from "#testing/harness/stored-match-checks.ts";
import { createTemporaryFolder } from "#testing/harness/test-server.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SLOW_MS = 50;
const WARN_LEVEL = 40;
type LogLine = { level: number; msg: string };

const minutes = Number(process.argv[2] ?? 10);
const folder = await createTemporaryFolder();
const { child, log: logLines, baseUrl, exited: exitCode } = await startDemo(folder.path);
const memory: number[] = [];
const memorySampler = setInterval(() => memory.push(residentMiB(child.pid!)), MINUTE_MS / 2);

console.log(`${minutes} minutes at ${baseUrl}`);
const report = await runMixedTraffic(baseUrl, AbortSignal.timeout(minutes * MINUTE_MS));
clearInterval(memorySampler);
// Bots keep playing until the server stops, so matches that end after this point aren't in the
// list.
const endsBeforeShutdown = [...report.matchEnds];
const matches = await fetchAllMatches(baseUrl);
const shutdownStart = performance.now();
child.kill("SIGTERM");
const exitStatus = await exitCode;
const stopSeconds = (performance.now() - shutdownStart) / 1000;

const warnings = logLines.filter(({ level }) => level >= WARN_LEVEL);
console.log(
  `${matches.length} matches, ${report.matchEnds.length} reported results, ${report.humanMatches} played by hand`,
);
console.log(`void: ${matches.filter(({ voided }) => voided).length}`);
console.log(`resident memory every half minute, MiB: ${memory.map(Math.round).join(" ")}`);
console.log(`exit code ${exitStatus}, ${stopSeconds.toFixed(1)} s after SIGTERM`);
printResponses(report);
console.log(`log lines of level warning or above: ${warnings.length}`);
for (const [message, count] of countBy(warnings, ({ msg }) => msg))
  console.log(`  ${count} ${message}`);
assertEndsStored(matches, endsBeforeShutdown);
await assertEndsInData(folder.path, report.matchEnds);
console.log("every reported result is stored, each match has its replay, the data is consistent");
await folder.remove();
process.exit(exitStatus === 0 && report.unexpectedAnswers.length === 0 ? 0 : 1);

async function startDemo(data: string) {
  const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    scripts: { demo: string };
  };
  const command = `${scripts.demo} "$@"`;
  const flags = ["--data", data, "--port", "0", "--admin-email", TRAFFIC_OPERATOR_EMAIL];
  const demo = spawn("sh", ["-c", command, "demo", ...flags], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: LogLine[] = [];
  createInterface({ input: demo.stderr }).on("line", (line) => {
    if (line.startsWith("{")) lines.push(JSON.parse(line) as LogLine);
    else console.error(line);
  });
  const exit = new Promise<number | null>((resolve) => demo.on("exit", resolve));
  const ready = Promise.withResolvers<string>();
  createInterface({ input: demo.stdout }).on("line", (line) => {
    if (line.startsWith("ready ")) ready.resolve(line.slice("ready ".length));
  });
  return { child: demo, log: lines, baseUrl: await ready.promise, exited: exit };
}

function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function printResponses({ requests, unexpectedAnswers }: TrafficReport): void {
  const failedRequests = requests.filter(({ status }) => status !== 200);
  const slowRequests = requests.filter(({ ms }) => ms > SLOW_MS);
  console.log(
    `${requests.length} requests, ${failedRequests.length} without status 200, ${slowRequests.length} slow`,
  );
  for (const [message, count] of countBy(failedRequests, ({ path, status }) => `${status} ${path}`))
    console.log(`  ${count} ${message}`);
  const slowestRequests = slowRequests.toSorted((a, b) => b.ms - a.ms).slice(0, 8);
  for (const { path, ms } of slowestRequests) console.log(`  ${ms.toFixed(0)} ms ${path}`);
  for (const message of unexpectedAnswers) console.log(`  anomaly: ${message}`);
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one);
}
