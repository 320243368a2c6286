// What the system lets the server have, and its clock.

import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

import { SECOND_MS } from "#base/units/time.ts";
import type { Holder } from "#data/access/server-lock.ts";
import { inMib } from "#data/files/room.ts";

import { failure, fine, warning } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

const MIB = 1024 * 1024;
/** What the server takes with all its threads at some hundred matches. */
const LEAST_MEMORY = 512 * MIB;
const GOOD_MEMORY = 1024 * MIB;
const LEAST_FREE = 128 * MIB;
/** Files of the server itself: database, threads, replays on their way. */
const OWN_FILES = 256;
const ROOM_FOR_PAGES = 1024;

/** `running` is the server that has the data folder, or null. */
export function lookAtLimits(maxConcurrent: number, running: Holder): Diagnosis[] {
  return [openFiles(maxConcurrent, running), memory()];
}

function openFiles(maxConcurrent: number, running: Holder): Diagnosis {
  const { limit, whose } = limitOf(running);
  if (limit === null) return fine("open files", "this system does not tell its limit");
  const bots = 2 * maxConcurrent;
  const found = `${whose} may open ${limit} files and sockets; ${bots} bots may be in matches`;
  const advice = "Raise it: LimitNOFILE=65536 for systemd, or ulimit -n 65536.";
  if (limit < bots + OWN_FILES) return failure("open files", found, advice);
  return limit < bots + OWN_FILES + ROOM_FOR_PAGES
    ? warning("open files", found, advice)
    : fine("open files", found);
}

type FileLimit = { limit: number | null; whose: string };

function limitOf(running: Holder): FileLimit {
  const ofServer = running === null ? null : limitIn(`/proc/${running.pid}/limits`);
  if (ofServer !== null) return { limit: ofServer, whose: "the server" };
  return { limit: limitIn("/proc/self/limits"), whose: "a process started like this one" };
}

/** Null where there is no such file, or it is another user's. */
function limitIn(path: string): number | null {
  try {
    const [, soft = ""] = /^Max open files +(\S+)/m.exec(readFileSync(path, "utf8")) ?? [];
    return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft) || null;
  } catch {
    return null;
  }
}

function memory(): Diagnosis {
  const limit = process.constrainedMemory();
  const all = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const free = process.availableMemory();
  const found = `${inMib(all)} MiB, ${inMib(free)} of them free`;
  const advice = "Give the server 1 GiB or more, and lower max_concurrent until it has that.";
  if (all < LEAST_MEMORY) return failure("memory", found, advice);
  return all < GOOD_MEMORY || free < LEAST_FREE
    ? warning("memory", found, advice)
    : fine("memory", found);
}

const CLOCK_LOOK_MS = 1000;
const STEADY_MS = 20;

/** Whether the wall clock goes as fast as the monotonic one, which deadlines run on. */
export async function lookAtClock(): Promise<Diagnosis[]> {
  const [wall, steady] = [Date.now(), performance.now()];
  await pause(CLOCK_LOOK_MS);
  const moved = Date.now() - wall - (performance.now() - steady);
  const now = new Date().toISOString();
  if (Math.abs(moved) <= STEADY_MS) return [fine("clock", `${now}, and it goes evenly`)];
  const found = `${now}; within a second it was moved by ${Math.round(moved)} ms`;
  return [
    warning("clock", found, "Something sets this clock: use one time service, such as chrony."),
  ];
}

const LITTLE_SKEW_S = 5;
const LARGE_SKEW_S = 60;

/** Compares this machine's clock with another's instant, known to within `grain` ms. */
export function skewFinding(check: string, theirs: number, ours: number, grain: number): Diagnosis {
  const skew = (theirs - ours) / SECOND_MS;
  const size = Math.max(0, Math.abs(skew) - grain / SECOND_MS);
  const found = `its clock is ${Math.abs(skew).toFixed(1)} s ${skew < 0 ? "behind" : "ahead of"} ours`;
  const advice = "Set both clocks by NTP: seasons, windows and sessions go by them.";
  if (size > LARGE_SKEW_S) return failure(check, found, advice);
  return size > LITTLE_SKEW_S ? warning(check, found, advice) : fine(check, found);
}
