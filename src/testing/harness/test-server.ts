// Starts a real server on a free port, in this process or in a child process.

import { spawn } from "node:child_process";
import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

import type { Limits } from "#core/limits/limits.ts";
import { serve } from "#server/composition/serve.ts";
import type { Server } from "#server/composition/serve.ts";
import { readServeOptions } from "#server/configuration/flags.ts";
import { limitsOf } from "#server/configuration/limit-flags.ts";
import { openSettings } from "#server/configuration/settings.ts";

const BOUT_SCRIPT = fileURLToPath(new URL("../../../bin/bout.ts", import.meta.url));

export async function createTemporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "bout-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * Returns server flags for tests and benchmarks: no house bots, fast pairing, and anonymous mode
 * unless the caller configures accounts.
 */
function serverFlags(data: string, flags: readonly string[]): string[] {
  const accounts = flags.includes("--accounts") ? [] : ["--accounts", "none", "--anonymous"];
  return ["--data", data, "--port", "0", "--house", "none", ...accounts, ...flags];
}

/** Serves in this process, with limits that can't be set by flags. */
export async function serveLadder(
  data: string,
  flags: readonly string[] = [],
  limits: Partial<Limits> = {},
): Promise<Server> {
  const options = readServeOptions(serverFlags(data, flags), {});
  if ("error" in options) throw new Error(options.error);
  const panic = (error: unknown) => {
    throw error;
  };
  const settings = openSettings({ ...limitsOf(options), ...limits });
  return serve(options, panic, { settings });
}

export type TestLadder = Server & { data: string; close(): Promise<void> };

/**
 * Serves in this process with a new data folder. `close` drains and stops the server, then removes
 * the folder.
 */
export async function startLadder(
  flags: readonly string[] = [],
  limits: Partial<Limits> = {},
): Promise<TestLadder> {
  const folder = await createTemporaryFolder();
  const server = await serveLadder(folder.path, flags, limits);
  const close = async () => {
    await server.shutDown();
    await folder.remove();
  };
  return { ...server, data: folder.path, close };
}

export type LadderProcess = {
  baseUrl: string;
  child: ChildProcess;
  log: string[];
  /** Resolves with the exit code, or null if a signal ended the process. */
  exited: Promise<number | null>;
};

const PIPED_STDIO: StdioPipe = ["ignore", "pipe", "pipe"];
type StdioPipe = ["ignore", "pipe", "pipe"];
type ServerChild = ChildProcessByStdio<null, Readable, Readable>;

/** Starts a server in a child process without waiting until it is ready. */
export function launchLadder(
  data: string,
  flags: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): Omit<LadderProcess, "baseUrl"> {
  const args = [...nodeFlags, BOUT_SCRIPT, "serve", ...serverFlags(data, flags)];
  return attachLog(spawn(process.execPath, args, { stdio: PIPED_STDIO }));
}

/** Starts a server with a limit on open files and sockets. Resolves once it is ready. */
export async function spawnLadderWithFileLimit(
  data: string,
  openFiles: number,
): Promise<LadderProcess> {
  const args = [process.execPath, BOUT_SCRIPT, "serve", ...serverFlags(data, [])];
  const limitedCommand = `ulimit -n ${openFiles}; exec "$0" "$@"`;
  return waitUntilReady(
    attachLog(spawn("sh", ["-c", limitedCommand, ...args], { stdio: PIPED_STDIO })),
  );
}

function attachLog(child: ServerChild): Omit<LadderProcess, "baseUrl"> {
  const log: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => log.push(line));
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  return { child, log, exited };
}

/** Serves in a child process, for tests that stop, kill or starve the server. */
export async function spawnLadder(
  data: string,
  flags: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): Promise<LadderProcess> {
  return waitUntilReady(launchLadder(data, flags, nodeFlags));
}

async function waitUntilReady(
  launchedProcess: Omit<LadderProcess, "baseUrl">,
): Promise<LadderProcess> {
  const { child, log, exited } = launchedProcess;
  const baseUrl = await Promise.race([
    readReadyUrl(child),
    exited.then((code) => {
      throw new Error(`server exited with ${code} before it was ready:\n${log.join("\n")}`);
    }),
  ]);
  return { baseUrl, child, log, exited };
}

function readReadyUrl({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("the child's stdout is a pipe");
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on("line", (line) => {
      if (line.startsWith("ready ")) resolve(line.slice("ready ".length));
    });
  });
}
