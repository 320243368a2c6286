// Runs an image's server like `docker run --read-only`. See container.ts.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import { findFreePort } from "#testing/harness/free-port.ts";
import { fetchVerifiedReplay } from "#testing/harness/test-match.ts";

import { runVisibly, execCommand } from "./container-base.ts";
import type { ContainerImage } from "./container-build.ts";

const READY_MS = 60_000;
const MATCH_MS = 180_000;
const STOP_MS = 60_000;

/** Makes everything read-only except the volume and /tmp, as in deploy/compose.yaml. */
const CONTAINER_SCRIPT = `
mount --bind ROOT ROOT
mount --bind DATA ROOTVOLUME
mount --bind /dev ROOT/dev
mount -t proc proc ROOT/proc
mount -t tmpfs tmpfs ROOT/tmp
mount -o remount,bind,ro ROOT
exec chroot --userspec=USER ROOT /bin/sh -c 'cd "$0" && exec "$@"' "$@"`;

type ContainerRun = { image: ContainerImage; data: string; variables: Record<string, string> };

function runInContainer(
  { image, data, variables }: ContainerRun,
  command: readonly string[],
): ChildProcess {
  const { root, volume, user, workDirectory } = image;
  const script = CONTAINER_SCRIPT.replaceAll("ROOTVOLUME", root + volume)
    .replaceAll("ROOT", root)
    .replaceAll("DATA", data)
    .replaceAll("USER", user);
  const args = ["--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", script];
  return spawn("unshare", [...args, "sh", workDirectory, ...command], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", ...image.variables, ...variables },
  });
}

async function withTimeout<T>(ms: number, label: string, work: Promise<T>): Promise<T> {
  const timeout = pause(ms, null, { ref: false }).then(() => {
    throw new Error(`${label}: not within ${ms / 1000} s`);
  });
  return Promise.race([work, timeout]);
}

/** Returns the process that Docker would signal: the only child of `unshare`. */
async function containerServerPid({ pid }: ChildProcess): Promise<number> {
  return Number(await readFile(`/proc/${pid}/task/${pid}/children`, "utf8"));
}

async function waitForReady(child: ChildProcess, stderrLines: string[]): Promise<void> {
  const earlyExit = once(child, "exit").then(([code]) => {
    throw new Error(`the server exited with ${code}:\n${stderrLines.join("\n")}`);
  });
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      if (line.startsWith("ready ")) resolve();
    });
  });
  await withTimeout(READY_MS, "ready", Promise.race([ready, earlyExit]));
}

async function runHealthCheck(containerRun: ContainerRun): Promise<number | null> {
  const [code] = (await once(
    runInContainer(containerRun, containerRun.image.healthCheck),
    "exit",
  )) as [number | null];
  return code;
}

async function playRatedMatch(baseUrl: string): Promise<void> {
  const bot = await BotClient.connect(baseUrl, await registerBot(baseUrl, "contained"));
  bot.autoplay();
  bot.queue();
  const matchEnd = await withTimeout(MATCH_MS, "a game", bot.waitFor("end"));
  assert.equal(matchEnd.rated, true);
  await fetchVerifiedReplay(baseUrl, matchEnd);
  bot.socket.close(1000);
  await bot.closed;
}

async function checkIsolation(containerRun: ContainerRun, pid: number): Promise<void> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const [, uid] = /^Uid:\s+(\d+)/m.exec(status) ?? [];
  const { stdout } = await execCommand("chroot", [
    containerRun.image.root,
    "id",
    "-u",
    containerRun.image.user,
  ]);
  assert.equal(uid, stdout.trim());
  assert.notEqual(uid, "0");
  const writeAttempt = runInContainer(containerRun, [
    "sh",
    "-c",
    "touch /opt/bout/x || touch /etc/x || touch /x",
  ]);
  assert.notEqual((await once(writeAttempt, "exit"))[0], 0, "the root is read-only");
}

/** Docker creates a volume with the owner and mode of the directory it replaces. */
async function makeVolume({ root, volume }: ContainerImage, data: string): Promise<void> {
  const { uid, gid, mode } = await stat(join(root, volume));
  await mkdir(data, { mode });
  await runVisibly("chown", [`${uid}:${gid}`, data]);
}

export async function checkImage(image: ContainerImage, data: string): Promise<void> {
  await makeVolume(image, data);
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const addressVariables = {
    BOUT_HOST: "127.0.0.1",
    BOUT_PORT: String(port),
    BOUT_BASE_URL: baseUrl,
  };
  const containerRun = { image, data, variables: { ...addressVariables, BOUT_ANONYMOUS: "on" } };
  const child = runInContainer(containerRun, [...image.entryPoint, ...image.command]);
  const stderrLines: string[] = [];
  createInterface({ input: child.stderr! }).on("line", (line) => stderrLines.push(line));
  try {
    await waitForReady(child, stderrLines);
    console.log("holds   the server is ready");
    const pid = await containerServerPid(child);
    await checkIsolation(containerRun, pid);
    console.log(`holds   it runs as ${image.user} and only writes to ${image.volume}`);
    assert.equal(await runHealthCheck(containerRun), 0);
    console.log("holds   its health check reports healthy");
    await playRatedMatch(baseUrl);
    console.log("holds   a bot is registered and plays a rated match");
    const exit = once(child, "exit") as Promise<[number | null]>;
    process.kill(pid, "SIGTERM");
    const [code] = await withTimeout(STOP_MS, "exit after SIGTERM", exit);
    assert.equal(code, 0);
    console.log("holds   it exits with 0 after SIGTERM");
    assert.notEqual(await runHealthCheck(containerRun), 0);
    assert.ok((await readdir(data)).length > 0);
    console.log("holds   without it the health check fails, and its data persists");
  } catch (error) {
    console.error(stderrLines.slice(-20).join("\n"));
    throw error;
  } finally {
    if (child.exitCode === null) child.kill("SIGKILL");
  }
}
