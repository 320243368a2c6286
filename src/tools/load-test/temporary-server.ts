// A temporary server in a new folder, which is removed when the server stops.

import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

import { CommandFailure, EXIT_FAILED } from "#tools/cli/command.ts";

const EXIT_WITH_PARENT = import.meta.resolve("#tools/cli/exit-with-parent.ts");
const STALL_MESSAGE = "event loop stalled";
const MAX_QUOTA = "1000000";
/** The system counts CPU time in hundredths of a second. */
const CLOCK_TICKS_PER_SECOND = 100;
const KIB = 1024;

type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** Totals since startup; null if the system doesn't report them. */
type ProcessUsage = {
  /** CPU seconds, for the thread that serves matches and for the whole process. */
  thread: number | null;
  process: number | null;
  peakBytes: number | null;
};

export type TemporaryServer = {
  baseUrl: string;
  stalls: number[];
  usage: () => Promise<ProcessUsage>;
  /** Size of the database and of all other files, in bytes. */
  bytes: () => Promise<{ database: number; files: number }>;
  close: () => Promise<void>;
};

/**
 * Starts the server in a new folder in `place`. Ignores the BOUT_ environment variables, which
 * belong to a real server.
 */
export async function startTemporaryServer(
  parentFolder: string,
  maxConcurrent: number,
): Promise<TemporaryServer> {
  const folder = await mkdtemp(join(parentFolder, "bout-rehearsal-"));
  const data = join(folder, "data");
  const flags = ["--port", "0", "--data", data, "--accounts", "none", "--anonymous"];
  const limits = ["--max-concurrent", `${maxConcurrent}`, "--hourly-quota", MAX_QUOTA];
  const serveArguments = ["serve", ...flags, "--house", "none", "--play", "off", ...limits];
  const args = ["--import", EXIT_WITH_PARENT, process.argv[1] ?? "", ...serveArguments];
  const variables = Object.entries(process.env).filter(([name]) => !name.startsWith("BOUT_"));
  const env = Object.fromEntries(variables);
  const child: ServerProcess = spawn(process.execPath, args, {
    env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  const stalls: number[] = [];
  const logLines: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    logLines.push(line);
    recordStall(line, stalls);
  });
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const baseUrl = await Promise.race([waitForReady(child), exited.then(() => null)]);
  if (baseUrl === null) {
    await close();
    throw new CommandFailure(`the server did not start: ${logLines.at(-1) ?? ""}`, EXIT_FAILED);
  }
  return {
    baseUrl,
    stalls,
    usage: () => readUsage(child.pid ?? 0),
    bytes: () => sumBytes(data),
    close,
  };
}

function waitForReady({ stdout }: ServerProcess): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on("line", (line) => {
      if (line.startsWith("ready ")) resolve(line.slice("ready ".length));
    });
  });
}

function recordStall(line: string, stalls: number[]): void {
  if (!line.includes(STALL_MESSAGE)) return;
  stalls.push((JSON.parse(line) as { lateness_ms: number }).lateness_ms);
}

async function readUsage(pid: number): Promise<ProcessUsage> {
  const read = (path: string) => readFile(`/proc/${pid}/${path}`, "utf8").catch(() => null);
  const [thread, processStat, status] = await Promise.all([
    read(`task/${pid}/stat`),
    read("stat"),
    read("status"),
  ]);
  const [, peakKib] = /^VmHWM:\s+(\d+) kB/m.exec(status ?? "") ?? [];
  return {
    thread: parseCpuSeconds(thread),
    process: parseCpuSeconds(processStat),
    peakBytes: peakKib === undefined ? null : Number(peakKib) * KIB,
  };
}

/** Parses fields 14 and 15 of proc(5). They follow a name that may contain spaces. */
function parseCpuSeconds(text: string | null): number | null {
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields === undefined
    ? null
    : (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}

async function sumBytes(data: string): Promise<{ database: number; files: number }> {
  const sums = { database: 0, files: 0 };
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const fileStat = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    sums[entry.name === "bout.db" ? "database" : "files"] +=
      sizeFactor(entry.name) * (fileStat?.size ?? 0);
  }
  return sums;
}

/**
 * Excludes the write-ahead log, which is emptied repeatedly, and page scripts, which don't grow.
 */
const sizeFactor = (name: string): number => (/^bout\.db$|\.jsonl\.gz$/.test(name) ? 1 : 0);
