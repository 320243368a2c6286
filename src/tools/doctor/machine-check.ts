import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

import { SECOND_MS } from "#base/util/time.ts";
import type { LockHolder } from "#data/credentials/server-lock.ts";
import { toMib } from "#data/files/disk-space.ts";

import { failDiagnosis, okDiagnosis, warnDiagnosis } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

const MIB = 1024 * 1024;
/** Memory that the server and all its threads use during several hundred matches. */
const MIN_MEMORY = 512 * MIB;
const GOOD_MEMORY = 1024 * MIB;
const MIN_FREE_MEMORY = 128 * MIB;
/** Files that the server opens besides sockets: database, threads, and replays being written. */
const SERVER_FILES = 256;
const PAGE_CONNECTIONS = 1024;

/** `running` holds the data folder's lock; null if no server is running. */
export function checkLimits(maxConcurrent: number, running: LockHolder): Diagnosis[] {
  return [checkOpenFiles(maxConcurrent, running), checkMemory()];
}

function checkOpenFiles(maxConcurrent: number, running: LockHolder): Diagnosis {
  const { limit, ownerText } = findFileLimit(running);
  if (limit === null) return okDiagnosis("open files", "this system doesn't report its limit");
  const bots = 2 * maxConcurrent;
  const found = `${ownerText} may open ${limit} files and sockets; up to ${bots} bots can be in matches`;
  const advice = "Raise the limit: LimitNOFILE=65536 for systemd, or ulimit -n 65536.";
  if (limit < bots + SERVER_FILES) return failDiagnosis("open files", found, advice);
  return limit < bots + SERVER_FILES + PAGE_CONNECTIONS
    ? warnDiagnosis("open files", found, advice)
    : okDiagnosis("open files", found);
}

type FileLimit = { limit: number | null; ownerText: string };

function findFileLimit(running: LockHolder): FileLimit {
  const serverLimit = running === null ? null : readFileLimit(`/proc/${running.pid}/limits`);
  if (serverLimit !== null) return { limit: serverLimit, ownerText: "the server" };
  return {
    limit: readFileLimit("/proc/self/limits"),
    ownerText: "a process started like this one",
  };
}

/** Returns null if the file is missing or belongs to another user. */
function readFileLimit(path: string): number | null {
  try {
    const [, softLimit = ""] = /^Max open files +(\S+)/m.exec(readFileSync(path, "utf8")) ?? [];
    return softLimit === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(softLimit) || null;
  } catch {
    return null;
  }
}

function checkMemory(): Diagnosis {
  const limit = process.constrainedMemory();
  const totalBytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const freeMemory = process.availableMemory();
  const found = `${toMib(totalBytes)} MiB, ${toMib(freeMemory)} MiB free`;
  const advice = "Give the server at least 1 GiB, and lower max_concurrent until then.";
  if (totalBytes < MIN_MEMORY) return failDiagnosis("memory", found, advice);
  return totalBytes < GOOD_MEMORY || freeMemory < MIN_FREE_MEMORY
    ? warnDiagnosis("memory", found, advice)
    : okDiagnosis("memory", found);
}

const CLOCK_CHECK_MS = 1000;
const MAX_DRIFT_MS = 20;

/**
 * Checks whether the wall clock keeps pace with the monotonic clock, on which deadlines are based.
 */
export async function checkClock(): Promise<Diagnosis[]> {
  const [wallStart, monotonicStart] = [Date.now(), performance.now()];
  await pause(CLOCK_CHECK_MS);
  const driftMs = Date.now() - wallStart - (performance.now() - monotonicStart);
  const now = new Date().toISOString();
  if (Math.abs(driftMs) <= MAX_DRIFT_MS) return [okDiagnosis("clock", `${now}; steady`)];
  const found = `${now}; adjusted by ${Math.round(driftMs)} ms within a second`;
  return [
    warnDiagnosis(
      "clock",
      found,
      "Several services may set this clock: use only one, such as chrony.",
    ),
  ];
}

const WARN_SKEW_S = 5;
const FAIL_SKEW_S = 60;

/** Compares this machine's clock with another clock that is accurate to `precisionMs`. */
export function skewFinding(
  check: string,
  theirTime: number,
  ourTime: number,
  precisionMs: number,
): Diagnosis {
  const skew = (theirTime - ourTime) / SECOND_MS;
  const certainSkew = Math.max(0, Math.abs(skew) - precisionMs / SECOND_MS);
  const found = `its clock is ${Math.abs(skew).toFixed(1)} s ${skew < 0 ? "behind" : "ahead of"} ours`;
  const advice = "Synchronise both clocks by NTP: seasons, windows and sessions depend on them.";
  if (certainSkew > FAIL_SKEW_S) return failDiagnosis(check, found, advice);
  return certainSkew > WARN_SKEW_S
    ? warnDiagnosis(check, found, advice)
    : okDiagnosis(check, found);
}
