// However a simulation ends, no bot program or child process of a bot program keeps running.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { isRunning, waitUntil } from "#testing/harness/process-state.ts";

const BOUT = fileURLToPath(new URL("../../../bin/bout.ts", import.meta.url));
const folder = temporaryTestFolder();
const path = (name: string) => join(folder, name);

/**
 * Plays, then hangs after its input ends. Its child process hangs too. Both write their process
 * ids.
 */
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

const botProgram = (...args: string[]) =>
  `cmd:'${process.execPath}' "${path("hangs.mjs")}" '${folder}' ${args.join(" ")}`;

function listBotProcesses(): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".pids"));
  const pids = files.flatMap((name) => readFileSync(path(name), "utf8").split(" "));
  return pids.filter((pid) => pid !== "");
}

async function assertNoBotProcesses(): Promise<void> {
  assert.ok(listBotProcesses().length >= 2);
  assert.ok(
    await waitUntil(() => !listBotProcesses().some(isRunning)),
    "a program is still running",
  );
}

describe("leaves no program running", () => {
  const exitWays: [way: string, rival: () => string, flags: string[], exit: number][] = [
    ["after the last match", () => path("waits.mjs"), ["--games", "1", "--map", "cage"], 0],
    ["when the other bot throws", () => path("throws.mjs"), ["--jobs", "2"], 1],
    ["when the other bot exits the process", () => path("leaves.mjs"), [], 1],
    ["when the other bot can't be opened", () => path("nothing.mjs"), [], 2],
    ["when another program exits too early", () => botProgram("exits"), ["--jobs", "2"], 1],
  ];
  for (const [exitWay, rivalSpec, flags, exit] of exitWays)
    it(exitWay, async () => {
      const { code } = await runBout(["sim", botProgram(), rivalSpec(), ...flags]);
      assert.equal(code, exit);
      await assertNoBotProcesses();
    });

  for (const [command, signal] of [
    ["sim", "SIGINT"],
    ["sim", "SIGTERM"],
    ["play", "SIGTERM"],
  ] as const)
    it(`when bout ${command} receives ${signal}`, async () => {
      const processesBefore = listBotProcesses().length;
      const bots =
        command === "sim" ? [botProgram("silent"), "random"] : ["--against", botProgram()];
      const bout = spawn(process.execPath, [BOUT, command, ...bots], { stdio: "pipe" });
      const boutExit = once(bout, "exit");
      assert.ok(await waitUntil(() => listBotProcesses().length > processesBefore));
      assert.ok(listBotProcesses().some(isRunning));
      bout.kill(signal);
      const [code] = (await boutExit) as [number | null];
      assert.equal(code, signal === "SIGINT" ? 130 : 143);
      await assertNoBotProcesses();
    });
});
