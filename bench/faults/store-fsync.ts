// Run by hand, on Linux with strace: kills a saving process at its Nth sync, and makes that sync fail
// once and forever, for N = 1 up to the argument (default 12), in a new data directory and in an
// existing one. Each thread counts its own syncs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { openStore } from "#server/composition/open-store.ts";
import { addSamplePlayers } from "#testing/store-cases/store-samples.ts";
import { acknowledgedIn, checkSurvivors } from "#testing/store-cases/survivors.ts";

const SAVING = fileURLToPath(
  new URL("../../src/testing/store-cases/saving-process.ts", import.meta.url),
);
const MATCHES = 60;
const DEFAULT_LAST = 12;

const FAULTS: [name: string, action: (at: number) => string][] = [
  ["killed", (at) => `signal=KILL:when=${at}`],
  ["EIO once", (at) => `error=EIO:when=${at}`],
  ["EIO for ever", (at) => `error=EIO:when=${at}+`],
];

/** What a process under strace reported before it ended, by itself or not. */
async function toldUnder(action: string, data: string): Promise<string> {
  const calls = "fsync,fdatasync";
  const inject = ["-e", `trace=${calls}`, "-e", `inject=${calls}:${action}`];
  const saving = [process.execPath, SAVING, data, "0", String(MATCHES)];
  const child = spawn("strace", ["-f", "-qq", "-o", "/dev/null", ...inject, ...saving], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  let told = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (told += text));
  child.stdin.end("go\n");
  await once(child, "close");
  return told;
}

async function make(data: string): Promise<void> {
  const store = await openStore({ data });
  await addSamplePlayers(store, 2);
  await store.close();
}

async function check(name: string, made: boolean, at: number, action: string): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "bout-fsync-"));
  if (made) await make(data);
  const told = await toldUnder(action, data);
  const acknowledged = acknowledgedIn(told);
  const refused = told.split("\n").filter((line) => line.startsWith("refused"));
  const { stored, swept } = await checkSurvivors(data, acknowledged);
  const figures = `${acknowledged.length} acknowledged, ${refused.length} refused, ${stored} stored`;
  const reasons = [...new Set(refused)].join(", ");
  console.log(
    `${made ? "made" : "new"}, ${name} at sync ${at}: ${figures}, ${swept} swept, sound ${reasons}`,
  );
  await rm(data, { recursive: true });
}

const last = Number(process.argv[2] ?? DEFAULT_LAST);
for (const [name, action] of FAULTS) {
  for (const made of [false, true])
    for (let at = 1; at <= last; at++) await check(name, made, at, action(at));
}
