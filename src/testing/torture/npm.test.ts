// Servers that are started through npm and stopped by signals to npm, as process supervisors do.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const HANG_TIMEOUT_MS = 120_000;

const START_COMMANDS = {
  "npm start": ["npm", "start", "--"],
  "npm run demo": ["npm", "run", "demo", "--"],
  "npx bout serve": ["npx", "bout", "serve"],
};

/** Removes the npm variables of this process, which would affect the npm under test. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  return Object.fromEntries(inherited);
}

type Started = { npm: ChildProcess; baseUrl: string };

async function startThroughNpm(start: keyof typeof START_COMMANDS, data: string): Promise<Started> {
  folders.push(data);
  const [command, ...args] = START_COMMANDS[start] as [string, ...string[]];
  const flags = ["--data", data, "--port", "0", "--house", "none", "--anonymous"];
  const npm = spawn(command, [...args, ...flags], {
    cwd: ROOT,
    env: cleanEnvironment(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const line of createInterface({ input: npm.stdout }))
    if (line.startsWith("ready ")) return { npm, baseUrl: line.slice("ready ".length) };
  throw new Error("npm ended before the server was ready");
}

async function startMatches(
  baseUrl: string,
): Promise<{ bots: BotClient[]; finishMatches(): void }> {
  const bots = await Promise.all(
    ["ada", "bob"].map(async (name) =>
      BotClient.connect(baseUrl, await registerBot(baseUrl, `${name}-of-npm`)),
    ),
  );
  for (const bot of bots) bot.queue();
  for (const bot of bots) await bot.waitFor("hello");
  for (const bot of bots) bot.send({ type: "ready" });
  for (const bot of bots) await bot.waitFor("observation");
  const finishMatches = () => {
    for (const bot of bots) bot.autoplay();
    for (const bot of bots) bot.send({ type: "turn", tick: 0 });
  };
  return { bots, finishMatches };
}

/** Returns the processes whose command line contains the data folder, including sample bots. */
function findProcesses(data: string): string[] {
  const processLines = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return processLines.filter((line) => line.includes(data));
}

async function waitUntilGone(data: string): Promise<void> {
  while (findProcesses(data).length > 0) await sleep(50);
}

const folders: string[] = [];
after(() => {
  for (const data of folders)
    for (const line of findProcesses(data)) process.kill(Number.parseInt(line, 10), "SIGKILL");
});

suite(
  "T102 a server that was started through npm",
  { concurrency: 2, timeout: HANG_TIMEOUT_MS },
  () => {
    for (const start of ["npm start", "npm run demo"] as const)
      for (const signal of ["SIGTERM", "SIGINT"] as const)
        test(`${signal} to the PID of ${start} stops the server, and npm exits with 0`, async () => {
          const data = temporaryTestFolder();
          const { npm } = await startThroughNpm(start, data);
          assert.ok(findProcesses(data).length >= 2, "npm and the server");
          npm.kill(signal);
          assert.deepEqual(await once(npm, "exit"), [0, null]);
          assert.deepEqual(findProcesses(data), []);
        });

    test("SIGTERM to the PID of npx bout serve stops the server", async () => {
      const data = temporaryTestFolder();
      const { npm } = await startThroughNpm("npx bout serve", data);
      npm.kill("SIGTERM");
      await once(npm, "exit");
      await waitUntilGone(data);
    });

    test("killing npm stops the server", async () => {
      const data = temporaryTestFolder();
      const { npm } = await startThroughNpm("npm start", data);
      npm.kill("SIGKILL");
      await once(npm, "exit");
      await waitUntilGone(data);
    });

    test("SIGTERM to the PID of npm start lets a running match finish", async () => {
      const data = temporaryTestFolder();
      const { npm, baseUrl } = await startThroughNpm("npm start", data);
      const { bots, finishMatches } = await startMatches(baseUrl);
      npm.kill("SIGTERM");
      await bots[0]!.waitFor("server_draining");
      finishMatches();
      for (const bot of bots) await bot.waitFor("end");
      assert.deepEqual(await once(npm, "exit"), [0, null]);
      assert.deepEqual(findProcesses(data), []);
    });

    test("Ctrl-C, which signals both npm and the server, drains instead of aborting", async () => {
      const data = temporaryTestFolder();
      const { npm, baseUrl } = await startThroughNpm("npm start", data);
      const { bots, finishMatches } = await startMatches(baseUrl);
      const pids = findProcesses(data).map((line) => Number.parseInt(line, 10));
      const server = pids.findLast((pid) => pid !== npm.pid);
      assert.ok(server !== undefined);
      npm.kill("SIGINT");
      await bots[0]!.waitFor("server_draining");
      process.kill(server, "SIGINT");
      finishMatches();
      for (const bot of bots) await bot.waitFor("end");
      assert.deepEqual(await once(npm, "exit"), [0, null]);
      assert.deepEqual(findProcesses(data), []);
    });

    test("a server can be started while the previous one is stopping", async (context) => {
      const data = temporaryTestFolder();
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
  },
);
