// The server of an image, run as `docker run --read-only` does: see container.ts.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

import { BotClient, register } from "#testing/harness/bot-client.ts";
import { replayOf } from "#testing/harness/duel.ts";
import { freePort } from "#testing/harness/free-port.ts";

import { perform, run } from "./container-base.ts";
import type { Image } from "./container-build.ts";

const READY_MS = 60_000;
const GAME_MS = 180_000;
const STOP_MS = 60_000;

/** Nothing can be written but the volume and /tmp, as deploy/compose.yaml has it. */
const ENTER = `
mount --bind ROOT ROOT
mount --bind DATA ROOTVOLUME
mount --bind /dev ROOT/dev
mount -t proc proc ROOT/proc
mount -t tmpfs tmpfs ROOT/tmp
mount -o remount,bind,ro ROOT
exec chroot --userspec=USER ROOT /bin/sh -c 'cd "$0" && exec "$@"' "$@"`;

type Inside = { image: Image; data: string; variables: Record<string, string> };

function enter({ image, data, variables }: Inside, command: readonly string[]): ChildProcess {
  const { root, volume, user, workDirectory } = image;
  const script = ENTER.replaceAll("ROOTVOLUME", root + volume)
    .replaceAll("ROOT", root)
    .replaceAll("DATA", data)
    .replaceAll("USER", user);
  const args = ["--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", script];
  return spawn("unshare", [...args, "sh", workDirectory, ...command], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", ...image.variables, ...variables },
  });
}

async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const late = pause(ms, null, { ref: false }).then(() => {
    throw new Error(`${what}: not in ${ms / 1000} s`);
  });
  return Promise.race([work, late]);
}

/** The process that Docker would signal: the only child of `unshare`. */
async function serverOf({ pid }: ChildProcess): Promise<number> {
  return Number(await readFile(`/proc/${pid}/task/${pid}/children`, "utf8"));
}

async function untilReady(child: ChildProcess, said: string[]): Promise<void> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the server ended with ${code}:\n${said.join("\n")}`);
  });
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      if (line.startsWith("ready ")) resolve();
    });
  });
  await within(READY_MS, "ready", Promise.race([ready, ended]));
}

async function healthOf(inside: Inside): Promise<number | null> {
  const [code] = (await once(enter(inside, inside.image.healthCheck), "exit")) as [number | null];
  return code;
}

async function playGame(baseUrl: string): Promise<void> {
  const bot = await BotClient.connect(baseUrl, await register(baseUrl, "contained"));
  bot.autoplay();
  bot.queue();
  const end = await within(GAME_MS, "a game", bot.next("end"));
  assert.equal(end.rated, true);
  await replayOf(baseUrl, end);
  bot.socket.close(1000);
  await bot.closed;
}

/** As whom it runs, and that it can write nothing but its data. */
async function checkBounds(inside: Inside, pid: number): Promise<void> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const [, uid] = /^Uid:\s+(\d+)/m.exec(status) ?? [];
  const { stdout } = await run("chroot", [inside.image.root, "id", "-u", inside.image.user]);
  assert.equal(uid, stdout.trim());
  assert.notEqual(uid, "0");
  const tried = enter(inside, ["sh", "-c", "touch /opt/bout/x || touch /etc/x || touch /x"]);
  assert.notEqual((await once(tried, "exit"))[0], 0, "the root is read-only");
}

/** Docker makes a volume with the owner and mode of the folder below it. */
async function makeVolume({ root, volume }: Image, data: string): Promise<void> {
  const { uid, gid, mode } = await stat(join(root, volume));
  await mkdir(data, { mode });
  await perform("chown", [`${uid}:${gid}`, data]);
}

export async function tryImage(image: Image, data: string): Promise<void> {
  await makeVolume(image, data);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const local = { BOUT_HOST: "127.0.0.1", BOUT_PORT: String(port), BOUT_BASE_URL: baseUrl };
  const inside = { image, data, variables: { ...local, BOUT_ANONYMOUS: "on" } };
  const child = enter(inside, [...image.entryPoint, ...image.command]);
  const said: string[] = [];
  createInterface({ input: child.stderr! }).on("line", (line) => said.push(line));
  try {
    await untilReady(child, said);
    console.log("holds   the server is ready");
    const pid = await serverOf(child);
    await checkBounds(inside, pid);
    console.log(`holds   it runs as ${image.user} and writes nothing but ${image.volume}`);
    assert.equal(await healthOf(inside), 0);
    console.log("holds   its health check says that it is healthy");
    await playGame(baseUrl);
    console.log("holds   a bot is registered and plays a rated game");
    const exited = once(child, "exit") as Promise<[number | null]>;
    process.kill(pid, "SIGTERM");
    const [code] = await within(STOP_MS, "the end after SIGTERM", exited);
    assert.equal(code, 0);
    console.log("holds   it ends with 0 after SIGTERM");
    assert.notEqual(await healthOf(inside), 0);
    assert.ok((await readdir(data)).length > 0);
    console.log("holds   without it the health check fails, and its data is there");
  } catch (error) {
    console.error(said.slice(-20).join("\n"));
    throw error;
  } finally {
    if (child.exitCode === null) child.kill("SIGKILL");
  }
}
