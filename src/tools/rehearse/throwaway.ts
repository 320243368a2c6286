// A server of its own in an empty folder, which goes with everything in it.

import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

import { CommandFailure, EXIT_FAILED } from "#tools/cli/command.ts";

const END_WITH_PARENT = import.meta.resolve("#tools/cli/end-with-parent.ts");
const STILL = "the process stood still";
const MOST_QUOTA = "1000000";
/** The system counts processor time in hundredths of a second. */
const CLOCK_TICKS = 100;
const KIB = 1024;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Totals since the start; null where the system does not tell. */
type Usage = {
  /** Seconds of the thread that serves matches, and of the whole process. */
  thread: number | null;
  process: number | null;
  peakBytes: number | null;
};

export type Throwaway = {
  baseUrl: string;
  /** Delays of its event loop that it noticed, in ms. */
  stalls: number[];
  usage: () => Promise<Usage>;
  /** Bytes of the database and of everything else. */
  bytes: () => Promise<{ database: number; files: number }>;
  close: () => Promise<void>;
};

/** Starts it in a new folder within `place`. Variables of a real server do not reach it. */
export async function openThrowaway(place: string, maxConcurrent: number): Promise<Throwaway> {
  const folder = await mkdtemp(join(place, "bout-rehearsal-"));
  const data = join(folder, "data");
  const flags = ["--port", "0", "--data", data, "--accounts", "none", "--anonymous"];
  const limits = ["--max-concurrent", `${maxConcurrent}`, "--hourly-quota", MOST_QUOTA];
  const call = ["serve", ...flags, "--house", "none", "--play", "off", ...limits];
  const args = ["--import", END_WITH_PARENT, process.argv[1] ?? "", ...call];
  const variables = Object.entries(process.env).filter(([name]) => !name.startsWith("BOUT_"));
  const env = Object.fromEntries(variables);
  const child: Child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  const exited = once(child, "exit");
  const stalls: number[] = [];
  const told: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    told.push(line);
    noteStall(line, stalls);
  });
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const baseUrl = await Promise.race([readyAt(child), exited.then(() => null)]);
  if (baseUrl === null) {
    await close();
    throw new CommandFailure(`the server did not start: ${told.at(-1) ?? ""}`, EXIT_FAILED);
  }
  return {
    baseUrl,
    stalls,
    usage: () => usageOf(child.pid ?? 0),
    bytes: () => bytesIn(data),
    close,
  };
}

function readyAt({ stdout }: Child): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on("line", (line) => {
      if (line.startsWith("ready ")) resolve(line.slice("ready ".length));
    });
  });
}

function noteStall(line: string, stalls: number[]): void {
  if (!line.includes(STILL)) return;
  stalls.push((JSON.parse(line) as { lateness_ms: number }).lateness_ms);
}

async function usageOf(pid: number): Promise<Usage> {
  const read = (path: string) => readFile(`/proc/${pid}/${path}`, "utf8").catch(() => null);
  const [thread, whole, status] = await Promise.all([
    read(`task/${pid}/stat`),
    read("stat"),
    read("status"),
  ]);
  const [, peak] = /^VmHWM:\s+(\d+) kB/m.exec(status ?? "") ?? [];
  return {
    thread: secondsIn(thread),
    process: secondsIn(whole),
    peakBytes: peak === undefined ? null : Number(peak) * KIB,
  };
}

/** Fields 14 and 15 of proc(5), behind a name that may have spaces. */
function secondsIn(text: string | null): number | null {
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}

async function bytesIn(data: string): Promise<{ database: number; files: number }> {
  const sums = { database: 0, files: 0 };
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    sums[entry.name === "bout.db" ? "database" : "files"] +=
      ofLadder(entry.name) * (found?.size ?? 0);
  }
  return sums;
}

/** The log of the database is emptied again and again, and scripts of pages do not grow. */
const ofLadder = (name: string): number => (/^bout\.db$|\.jsonl\.gz$/.test(name) ? 1 : 0);
