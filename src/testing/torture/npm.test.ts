// Servers that are started through npm, and stopped by signals to npm, as supervisors do it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { BotClient, register } from "#testing/harness/bot-client.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** A process that survives must end the test. */
const HANG_MS = 120_000;

const STARTS = {
  "npm start": ["npm", "start", "--"],
  "npm run demo": ["npm", "run", "demo", "--"],
  "npx bout serve": ["npx", "bout", "serve"],
};

/** What npm sets for its scripts would reach the npm that is tested. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  return Object.fromEntries(inherited);
}

type Started = { npm: ChildProcess; baseUrl: string };

/** Starts a server through npm and waits for its `ready` line. */
async function startThroughNpm(start: keyof typeof STARTS, data: string): Promise<Started> {
  folders.push(data);
  const [command, ...args] = STARTS[start] as [string, ...string[]];
  const flags = ["--data", data, "--port", "0", "--house", "none", "--anonymous"];
  const npm = spawn(command, [...args, ...flags], {
    cwd: ROOT,
    env: ownEnvironment(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const line of createInterface({ input: npm.stdout }))
    if (line.startsWith("ready ")) return { npm, baseUrl: line.slice("ready ".length) };
  throw new Error("npm ended before the server was ready");
}

/** Two bots in a running match, which `finish` plays to its end. */
async function matchOn(baseUrl: string): Promise<{ bots: BotClient[]; finish(): void }> {
  const bots = await Promise.all(
    ["ada", "bob"].map(async (name) =>
      BotClient.connect(baseUrl, await register(baseUrl, `${name}-of-npm`)),
    ),
  );
  for (const bot of bots) bot.queue();
  for (const bot of bots) await bot.next("hello");
  for (const bot of bots) bot.say({ type: "ready" });
  for (const bot of bots) await bot.next("observation");
  const finish = () => {
    for (const bot of bots) bot.autoplay();
    for (const bot of bots) bot.say({ type: "turn", tick: 0 });
  };
  return { bots, finish };
}

/** Processes whose command line names the data folder. Sample bots run in it. */
function processesOf(data: string): string[] {
  const all = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return all.filter((line) => line.includes(data));
}

async function allGone(data: string): Promise<void> {
  while (processesOf(data).length > 0) await sleep(50);
}

const folders: string[] = [];
after(() => {
  for (const data of folders)
    for (const line of processesOf(data)) process.kill(Number.parseInt(line, 10), "SIGKILL");
});

suite("T102 a server that was started through npm", { concurrency: 2, timeout: HANG_MS }, () => {
  for (const start of ["npm start", "npm run demo"] as const)
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      test(`${signal} to the pid of ${start} stops the server, and npm exits with 0`, async () => {
        const data = temporaryFolder();
        const { npm } = await startThroughNpm(start, data);
        assert.ok(processesOf(data).length >= 2, "npm and the server");
        npm.kill(signal);
        assert.deepEqual(await once(npm, "exit"), [0, null]);
        assert.deepEqual(processesOf(data), []);
      });

  test("SIGTERM to the pid of npx bout serve stops the server", async () => {
    const data = temporaryFolder();
    const { npm } = await startThroughNpm("npx bout serve", data);
    npm.kill("SIGTERM");
    await once(npm, "exit");
    await allGone(data);
  });

  test("the server stops when npm is killed", async () => {
    const data = temporaryFolder();
    const { npm } = await startThroughNpm("npm start", data);
    npm.kill("SIGKILL");
    await once(npm, "exit");
    await allGone(data);
  });

  test("SIGTERM to the pid of npm start plays a running match to its end", async () => {
    const data = temporaryFolder();
    const { npm, baseUrl } = await startThroughNpm("npm start", data);
    const { bots, finish } = await matchOn(baseUrl);
    npm.kill("SIGTERM");
    await bots[0]!.next("server_draining");
    finish();
    for (const bot of bots) await bot.next("end");
    assert.deepEqual(await once(npm, "exit"), [0, null]);
    assert.deepEqual(processesOf(data), []);
  });

  test("Ctrl-C, which reaches npm and the server, drains instead of aborting", async () => {
    const data = temporaryFolder();
    const { npm, baseUrl } = await startThroughNpm("npm start", data);
    const { bots, finish } = await matchOn(baseUrl);
    const pids = processesOf(data).map((line) => Number.parseInt(line, 10));
    const server = pids.findLast((pid) => pid !== npm.pid);
    assert.ok(server !== undefined);
    npm.kill("SIGINT");
    await bots[0]!.next("server_draining");
    process.kill(server, "SIGINT");
    finish();
    for (const bot of bots) await bot.next("end");
    assert.deepEqual(await once(npm, "exit"), [0, null]);
    assert.deepEqual(processesOf(data), []);
  });

  test("a start that overlaps the stop of the last server succeeds", async (context) => {
    const data = temporaryFolder();
    const first = await spawnLadder(data);
    context.after(() => first.child.kill("SIGKILL"));
    const second = spawnLadder(data);
    await sleep(1_000);
    first.child.kill("SIGTERM");
    assert.equal(await first.exited, 0);
    const { child, exited } = await second;
    child.kill("SIGTERM");
    assert.equal(await exited, 0);
  });
});
