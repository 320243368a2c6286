// T42: a real PostgreSQL server is down for ten seconds while a ladder is active. Checks that
// matches continue, that the API returns 503, and that every result is stored once after PostgreSQL
// is back. Run manually, on Debian with the postgresql package.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";

import { pause } from "../sockets/children.ts";

const BOTS = 8;
const BEFORE_MS = 12_000;
const DOWN_MS = 10_000;
const AFTER_MS = 15_000;
const POSTGRES_FOLDER = "/usr/lib/postgresql";

const version = readdirSync(POSTGRES_FOLDER).toSorted().reverse()[0]!;
const folder = mkdtempSync(join(tmpdir(), "bout-postgres-"));
const data = join(folder, "cluster");
const port = await freePort();
const user = userIds("postgres");
chownSync(folder, user.uid, user.gid);

function runPostgres(program: string, ...args: string[]): void {
  const file = join(POSTGRES_FOLDER, version, "bin", program);
  execFileSync(file, args, { ...user, stdio: "ignore", cwd: folder });
}

function userIds(name: string): { uid: number; gid: number } {
  const id = (idFlag: string) => Number(execFileSync("id", [idFlag, name]).toString());
  return { uid: id("-u"), gid: id("-g") };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const freePortNumber = (server.address() as AddressInfo).port;
  await new Promise((resolve) => server.close(resolve));
  return freePortNumber;
}

const start = () =>
  runPostgres("pg_ctl", "-D", data, "-w", "-o", `-p ${port} -k ${folder} -h 127.0.0.1`, "start");
const stop = () => runPostgres("pg_ctl", "-D", data, "-m", "immediate", "stop");

async function matchIds(baseUrl: string): Promise<string[]> {
  const response = await fetch(`${baseUrl}/api/matches?limit=500`);
  assert.equal(response.status, 200);
  return ((await response.json()) as { id: string }[]).map(({ id }) => id);
}

async function startBots(baseUrl: string): Promise<Set<string>> {
  const endedMatchIds = new Set<string>();
  for (let number = 0; number < BOTS; number += 1) {
    const bot = await BotClient.connect(baseUrl, await registerBot(baseUrl, `bot-${number}`));
    bot.autoplay();
    bot.socket.on("message", (message) => {
      const { type, match_id } = JSON.parse((message as Buffer).toString()) as Record<
        string,
        string
      >;
      if (type !== "end") return;
      endedMatchIds.add(match_id!);
      bot.queue();
    });
    bot.queue();
  }
  return endedMatchIds;
}

async function testOutage(baseUrl: string): Promise<void> {
  const endedMatchIds = await startBots(baseUrl);
  await pause(BEFORE_MS);
  const endedBefore = endedMatchIds.size;
  stop();
  await pause(DOWN_MS / 2);
  const { status } = await fetch(`${baseUrl}/api/matches`);
  console.log(`${endedBefore} matches ended before; during the outage the list returns ${status}`);
  assert.equal(status, 503);
  await pause(DOWN_MS / 2);
  start();
  await pause(AFTER_MS);
  const storedIds = await matchIds(baseUrl);
  const lostIds = [...endedMatchIds].filter((id) => !storedIds.includes(id));
  console.log(
    `${endedMatchIds.size} matches ended in total, ${storedIds.length} stored, ${lostIds.length} lost`,
  );
  assert.deepEqual(lostIds, []);
  assert.equal(new Set(storedIds).size, storedIds.length);
  assert.ok(endedMatchIds.size > endedBefore, "play continues after the outage");
}

runPostgres("initdb", "-D", data, "-A", "trust", "-U", "postgres");
start();
try {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const flags = ["--database", url, "--drain-timeout", "5"];
  const ladder = await spawnLadder(join(folder, "ladder"), flags);
  try {
    await testOutage(ladder.baseUrl);
  } finally {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
  }
} finally {
  stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();
