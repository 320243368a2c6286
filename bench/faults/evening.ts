// The demo as people start it, for some minutes under a mixed crowd; then a look into what bots were
// told, the answers, the log, the memory, the exit and the data. Whatever is odd is printed, and
// the command ends with 1.
// node bench/faults/evening.ts [MINUTES]

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { MINUTE_MS } from "#base/units/time.ts";
import { mixedCrowd, OPERATOR } from "#testing/harness/mixed-crowd.ts";
import type { CrowdReport } from "#testing/harness/mixed-crowd.ts";
import { temporaryFolder } from "#testing/harness/test-server.ts";
import { allMatches, assertAllThere, assertStored } from "#testing/harness/told-ends.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SLOW_MS = 50;
const WARNING = 40;
/** Of pino. */
type LogLine = { level: number; msg: string };

const minutes = Number(process.argv[2] ?? 10);
const folder = await temporaryFolder();
const { child, log, baseUrl, exited } = await startDemo(folder.path);
const memory: number[] = [];
const watch = setInterval(() => memory.push(residentMiB(child.pid!)), MINUTE_MS / 2);

console.log(`${minutes} minutes at ${baseUrl}`);
const report = await mixedCrowd(baseUrl, AbortSignal.timeout(minutes * MINUTE_MS));
clearInterval(watch);
// The bots play on until the server stops: what they are told later is not in the list.
const early = [...report.ends];
const matches = await allMatches(baseUrl);
const from = performance.now();
child.kill("SIGTERM");
const code = await exited;
const stopSeconds = (performance.now() - from) / 1000;

const warnings = log.filter(({ level }) => level >= WARNING);
console.log(`${matches.length} matches, ${report.ends.length} ends told, ${report.fights} by hand`);
console.log(`void: ${matches.filter(({ voided }) => voided).length}`);
console.log(`resident memory each half minute, MiB: ${memory.map(Math.round).join(" ")}`);
console.log(`exit code ${code}, ${stopSeconds.toFixed(1)} s after SIGTERM`);
printAnswers(report);
console.log(`lines of the log from warning on: ${warnings.length}`);
for (const [text, count] of countBy(warnings, ({ msg }) => msg)) console.log(`  ${count} ${text}`);
assertStored(matches, early);
await assertAllThere(folder.path, report.ends);
console.log("every end is stored as it was told, each match has its replay, the data adds up");
await folder.remove();
process.exit(code === 0 && report.odd.length === 0 ? 0 : 1);

/** By the README's command, without npm in between. */
async function startDemo(data: string) {
  const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    scripts: { demo: string };
  };
  const command = `${scripts.demo} "$@"`;
  const flags = ["--data", data, "--port", "0", "--admin-email", OPERATOR];
  const demo = spawn("sh", ["-c", command, "demo", ...flags], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: LogLine[] = [];
  createInterface({ input: demo.stderr }).on("line", (line) => {
    if (line.startsWith("{")) lines.push(JSON.parse(line) as LogLine);
    else console.error(line);
  });
  const ended = new Promise<number | null>((resolve) => demo.on("exit", resolve));
  const ready = Promise.withResolvers<string>();
  createInterface({ input: demo.stdout }).on("line", (line) => {
    if (line.startsWith("ready ")) ready.resolve(line.slice("ready ".length));
  });
  return { child: demo, log: lines, baseUrl: await ready.promise, exited: ended };
}

function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function printAnswers({ asked, odd }: CrowdReport): void {
  const failed = asked.filter(({ status }) => status !== 200);
  const slow = asked.filter(({ ms }) => ms > SLOW_MS);
  console.log(`${asked.length} requests, ${failed.length} not answered 200, ${slow.length} slow`);
  for (const [text, count] of countBy(failed, ({ path, status }) => `${status} ${path}`))
    console.log(`  ${count} ${text}`);
  const slowest = slow.toSorted((one, other) => other.ms - one.ms).slice(0, 8);
  for (const { path, ms } of slowest) console.log(`  ${ms.toFixed(0)} ms ${path}`);
  for (const text of odd) console.log(`  odd: ${text}`);
}

function countBy<T>(items: readonly T[], nameOf: (item: T) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one);
}
