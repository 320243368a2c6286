// T42: a real PostgreSQL goes away for ten seconds under an active ladder. Run by hand, on Debian
// with the package postgresql. Matches go on, the API answers 503, and every result is stored once
// it is back.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { BotClient, register } from "#testing/harness/bot-client.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";

import { pause } from "../sockets/children.ts";

const BOTS = 8;
const BEFORE_MS = 12_000;
const DOWN_MS = 10_000;
const AFTER_MS = 15_000;
const INSTALLED = "/usr/lib/postgresql";

const version = readdirSync(INSTALLED).toSorted().reverse()[0]!;
const folder = mkdtempSync(join(tmpdir(), "bout-postgres-"));
const data = join(folder, "cluster");
const port = await freePort();
const user = userOf("postgres");
chownSync(folder, user.uid, user.gid);

/** PostgreSQL refuses to run as root. */
function postgres(program: string, ...args: string[]): void {
  const file = join(INSTALLED, version, "bin", program);
  execFileSync(file, args, { ...user, stdio: "ignore", cwd: folder });
}

function userOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync("id", [flag, name]).toString());
  return { uid: id("-u"), gid: id("-g") };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const found = (server.address() as AddressInfo).port;
  await new Promise((resolve) => server.close(resolve));
  return found;
}

const start = () =>
  postgres("pg_ctl", "-D", data, "-w", "-o", `-p ${port} -k ${folder} -h 127.0.0.1`, "start");
const stop = () => postgres("pg_ctl", "-D", data, "-m", "immediate", "stop");

async function matchIds(baseUrl: string): Promise<string[]> {
  const response = await fetch(`${baseUrl}/api/matches?limit=500`);
  assert.equal(response.status, 200);
  return ((await response.json()) as { id: string }[]).map(({ id }) => id);
}

/** The bots play forever, and record every match whose end they are told. */
async function startBots(baseUrl: string): Promise<Set<string>> {
  const ended = new Set<string>();
  for (let number = 0; number < BOTS; number += 1) {
    const bot = await BotClient.connect(baseUrl, await register(baseUrl, `bot-${number}`));
    bot.autoplay();
    bot.socket.on("message", (message) => {
      const { type, match_id } = JSON.parse((message as Buffer).toString()) as Record<
        string,
        string
      >;
      if (type !== "end") return;
      ended.add(match_id!);
      bot.queue();
    });
    bot.queue();
  }
  return ended;
}

async function outage(baseUrl: string): Promise<void> {
  const ended = await startBots(baseUrl);
  await pause(BEFORE_MS);
  const before = ended.size;
  stop();
  await pause(DOWN_MS / 2);
  const { status } = await fetch(`${baseUrl}/api/matches`);
  console.log(`${before} matches ended before; while it is down the list answers ${status}`);
  assert.equal(status, 503);
  await pause(DOWN_MS / 2);
  start();
  await pause(AFTER_MS);
  const stored = await matchIds(baseUrl);
  const lost = [...ended].filter((id) => !stored.includes(id));
  console.log(
    `${ended.size} matches ended in all, ${stored.length} are stored, ${lost.length} lost`,
  );
  assert.deepEqual(lost, []);
  assert.equal(new Set(stored).size, stored.length);
  assert.ok(ended.size > before, "play goes on after the outage");
}

postgres("initdb", "-D", data, "-A", "trust", "-U", "postgres");
start();
try {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const flags = ["--database", url, "--drain-timeout", "5"];
  const ladder = await spawnLadder(join(folder, "ladder"), flags);
  try {
    await outage(ladder.baseUrl);
  } finally {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
  }
} finally {
  stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();
