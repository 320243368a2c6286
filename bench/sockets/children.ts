// Children of a bench: a server, a swarm on it, and questions to both.

import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { SECOND } from "#base/units/time.ts";

import { startCommand } from "../../scripts/start-command.ts";
import type { SwarmOrder } from "./swarm.ts";

/** What a server child reports about itself; the bare one counts no matches. */
export type Usage = {
  cpu: { user: number; system: number };
  running?: number;
  rss?: number;
};

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

/** CPU seconds between two reports, all threads included. */
export function cpuSeconds(before: Usage, after: Usage): number {
  const { cpu } = after;
  return (cpu.user + cpu.system - before.cpu.user - before.cpu.system) / SECOND;
}

const CHILDREN = {
  "bout-server": new URL("./bout-server.ts", import.meta.url),
  "bare-server": new URL("./bare-server.ts", import.meta.url),
  swarm: new URL("./swarm.ts", import.meta.url),
};

const PLAIN = { env: {}, nodeFlags: [] };

function start(name: keyof typeof CHILDREN, args: readonly string[] = []): ChildProcess {
  const { env, nodeFlags } = name === "bout-server" ? startCommand() : PLAIN;
  return fork(fileURLToPath(CHILDREN[name]), [...args], {
    execArgv: [...nodeFlags],
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** The next message from a child. */
export function hear<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) =>
      reject(new Error(`a child of the bench ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T);
    });
  });
}

export async function ask<T>(child: ChildProcess, question: string): Promise<T> {
  const answer = hear<T>(child);
  child.send(question);
  return answer;
}

// ext4 avoids recently deleted inodes, and takes long to place new files among them: removing the
// data of one round would slow down the next.
const leftBehind: string[] = [];
process.once("exit", () => {
  for (const data of leftBehind) rmSync(data, { recursive: true, force: true });
});

export type Crew = { server: ChildProcess; swarm: ChildProcess; baseUrl: string };

/** Runs one server, with flags, and a full swarm on it, and passes both to the measurement. */
export async function withSwarm<T>(
  kind: "bout-server" | "bare-server",
  { bots, thinkMs }: Pick<SwarmOrder, "bots" | "thinkMs">,
  measure: (crew: Crew) => Promise<T>,
  flags: readonly string[] = [],
): Promise<T> {
  const data = await mkdtemp(join(tmpdir(), "bout-bench-"));
  leftBehind.push(data);
  const server = start(kind, [data, ...flags]);
  const swarm = start("swarm");
  try {
    const { baseUrl } = await hear<{ baseUrl: string }>(server);
    const joined = hear(swarm);
    swarm.send({ baseUrl, bots, thinkMs, register: kind === "bout-server" } satisfies SwarmOrder);
    await joined;
    return await measure({ server, swarm, baseUrl });
  } finally {
    for (const child of [swarm, server]) {
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
    }
  }
}
