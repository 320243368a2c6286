// Starts a server and a swarm as child processes of a bench, and sends requests to them.

import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { SECOND_US } from "#base/util/time.ts";

import { startCommand } from "../../scripts/start-command.ts";
import type { SwarmOrder } from "./swarm.ts";

/** Report from a server process. The bare server doesn't count matches. */
export type ProcessUsage = {
  cpu: { user: number; system: number };
  running?: number;
  rss?: number;
};

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function middleValue(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

export function cpuSeconds(before: ProcessUsage, after: ProcessUsage): number {
  const { cpu } = after;
  return (cpu.user + cpu.system - before.cpu.user - before.cpu.system) / SECOND_US;
}

const CHILDREN = {
  "bout-server": new URL("./bout-server.ts", import.meta.url),
  "bare-server": new URL("./bare-server.ts", import.meta.url),
  swarm: new URL("./swarm.ts", import.meta.url),
};

const PLAIN_OPTIONS = { env: {}, nodeFlags: [] };

function forkChild(name: keyof typeof CHILDREN, args: readonly string[] = []): ChildProcess {
  const { env, nodeFlags } = name === "bout-server" ? startCommand() : PLAIN_OPTIONS;
  return fork(fileURLToPath(CHILDREN[name]), [...args], {
    execArgv: [...nodeFlags],
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

export function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(new Error(`a child process of the bench exited with ${code}`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message as T);
    });
  });
}

export async function ask<T>(child: ChildProcess, question: string): Promise<T> {
  const reply = nextMessage<T>(child);
  child.send(question);
  return reply;
}

// Deletes the data from all rounds at exit. ext4 avoids recently deleted inodes, so deleting the
// data from one round would slow down file creation in the next.
const dataFolders: string[] = [];
process.once("exit", () => {
  for (const data of dataFolders) rmSync(data, { recursive: true, force: true });
});

export type SwarmProcesses = { server: ChildProcess; swarm: ChildProcess; baseUrl: string };

export async function withSwarm<T>(
  serverKind: "bout-server" | "bare-server",
  { bots, thinkMs }: Pick<SwarmOrder, "bots" | "thinkMs">,
  measure: (crew: SwarmProcesses) => Promise<T>,
  flags: readonly string[] = [],
): Promise<T> {
  const data = await mkdtemp(join(tmpdir(), "bout-bench-"));
  dataFolders.push(data);
  const server = forkChild(serverKind, [data, ...flags]);
  const swarm = forkChild("swarm");
  try {
    const { baseUrl } = await nextMessage<{ baseUrl: string }>(server);
    const pendingJoin = nextMessage(swarm);
    swarm.send({
      baseUrl,
      bots,
      thinkMs,
      register: serverKind === "bout-server",
    } satisfies SwarmOrder);
    await pendingJoin;
    return await measure({ server, swarm, baseUrl });
  } finally {
    for (const child of [swarm, server]) {
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
    }
  }
}
