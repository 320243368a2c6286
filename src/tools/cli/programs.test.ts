// However a simulation ends, it leaves behind none of the programs it started, nor their children.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";
import { isRunning, until } from "#testing/harness/process-state.ts";

const BOUT = fileURLToPath(new URL("../../../bin/bout.ts", import.meta.url));
const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

/** Plays, and hangs after its input has ended, as does its child. Both leave their process ids. */
const HANGS = `
  import { spawn } from "node:child_process";
  import { writeFileSync } from "node:fs";
  import { createInterface } from "node:readline";
  const [folder, when = ""] = process.argv.slice(2);
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  writeFileSync(folder + "/" + process.pid + ".pids", process.pid + " " + child.pid);
  setInterval(() => {}, 1000);
  for await (const line of createInterface({ input: process.stdin })) {
    const { type, match_id, tick } = JSON.parse(line);
    if (type === "hello") console.log(JSON.stringify({ type: "ready", match_id }));
    if (type === "observation" && tick === 2 && when === "exits") process.exit();
    if (type === "observation" && when !== "silent")
      console.log(JSON.stringify({ type: "turn", tick }));
  }`;

const BOTS: Record<string, string> = {
  "hangs.mjs": HANGS,
  "waits.mjs": "export const decide = () => null;",
  "throws.mjs": "export const decide = ({ tick, gone }) => (tick < 3 ? {} : gone.away);",
  "leaves.mjs": "export const decide = ({ tick }) => (tick < 3 ? {} : process.exit());",
  "nothing.mjs": "export const bot = 1;",
};

before(() => {
  for (const [name, text] of Object.entries(BOTS)) writeFileSync(path(name), text);
});

const program = (...args: string[]) =>
  `cmd:'${process.execPath}' "${path("hangs.mjs")}" '${folder}' ${args.join(" ")}`;

function startedPrograms(): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".pids"));
  const pids = files.flatMap((name) => readFileSync(path(name), "utf8").split(" "));
  return pids.filter((pid) => pid !== "");
}

async function nothingRuns(): Promise<void> {
  assert.ok(startedPrograms().length >= 2);
  assert.ok(await until(() => !startedPrograms().some(isRunning)), "a program is left");
}

describe("no program is left", () => {
  const ways: [way: string, rival: () => string, flags: string[], exit: number][] = [
    ["after the last game", () => path("waits.mjs"), ["--games", "1", "--map", "cage"], 0],
    ["when the other bot throws", () => path("throws.mjs"), ["--jobs", "2"], 1],
    ["when the other bot ends the process", () => path("leaves.mjs"), [], 1],
    ["when the other bot cannot be opened", () => path("nothing.mjs"), [], 2],
    ["when another program ends too early", () => program("exits"), ["--jobs", "2"], 1],
  ];
  for (const [way, rival, flags, exit] of ways)
    it(way, async () => {
      const { code } = await runBout(["sim", program(), rival(), ...flags]);
      assert.equal(code, exit);
      await nothingRuns();
    });

  for (const [command, signal] of [
    ["sim", "SIGINT"],
    ["sim", "SIGTERM"],
    ["play", "SIGTERM"],
  ] as const)
    it(`when bout ${command} is told to end by ${signal}`, async () => {
      const before = startedPrograms().length;
      const bots = command === "sim" ? [program("silent"), "random"] : ["--against", program()];
      const bout = spawn(process.execPath, [BOUT, command, ...bots], { stdio: "pipe" });
      const ended = once(bout, "exit");
      assert.ok(await until(() => startedPrograms().length > before));
      assert.ok(startedPrograms().some(isRunning));
      bout.kill(signal);
      const [code] = (await ended) as [number | null];
      assert.equal(code, signal === "SIGINT" ? 130 : 143);
      await nothingRuns();
    });
});
