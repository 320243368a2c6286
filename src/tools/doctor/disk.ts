// The disk of the data folder: room, speed, kind, and who may read the folder.

import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync } from "node:fs";
import { accessSync, constants, lstatSync, readdirSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { FULL_DISK_BYTES, LOW_DISK_BYTES } from "#core/operator/attention.ts";
import { ownerOf } from "#data/files/folder.ts";
import { freeBytes, inMib } from "#data/files/room.ts";

import { failure, fine, warning } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

const FEW_FILES = 100_000;
const SYNCS = 15;
const SLOW_SYNC_MS = 25;
const SLOWEST_SYNC_MS = 500;
const BLOCK = Buffer.alloc(4096);
const PRIVATE_FILE = 0o600;
const TRIAL_FILE = "doctor.tmp";

/** Kinds of file systems as statfs numbers them. */
const ODD_SYSTEMS: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "SMB",
  0xfe534d42: "SMB",
  0x01021994: "memory (tmpfs)",
};

/** Reads, and writes one small file that is removed again. */
export function lookAtDisk(data: string): Diagnosis[] {
  const folder = resolve(data);
  if (!existsSync(folder)) return [lookAtMissing(folder)];
  return [
    roomIn(folder),
    kindOf(folder),
    guarded(folder),
    ownersIn(folder),
    syncsIn(folder),
  ].flat();
}

function lookAtMissing(folder: string): Diagnosis {
  let above = dirname(folder);
  while (!existsSync(above)) above = dirname(above);
  try {
    accessSync(above, constants.W_OK);
    const room = `${inMib(freeBytes(above))} MiB are free`;
    return fine("data folder", `${folder} is made at the first start; ${room}`);
  } catch {
    return failure(
      "data folder",
      `${folder} is not there, and ${above} cannot be written`,
      "Make the folder and give it to the user who runs the server.",
    );
  }
}

function roomIn(folder: string): Diagnosis[] {
  const bytes = freeBytes(folder);
  const { files, ffree } = statfsSync(folder);
  const room = `${inMib(bytes)} MiB are free`;
  const advice = "Free some, or take a larger disk: a full one stops new matches.";
  const disk =
    bytes < FULL_DISK_BYTES
      ? failure("disk room", room, advice)
      : bytes < LOW_DISK_BYTES
        ? warning("disk room", room, advice)
        : fine("disk room", room);
  // Some file systems have no limit on files, and say 0.
  if (files === 0 || ffree >= FEW_FILES) return [disk];
  const left = `room for ${ffree} more files`;
  return [disk, warning("disk files", left, "Each match has a file: lower replays_per_bot.")];
}

function kindOf(folder: string): Diagnosis[] {
  const kind = ODD_SYSTEMS[statfsSync(folder).type];
  if (kind === undefined) return [];
  const found = `${folder} is on ${kind}`;
  return [warning("disk kind", found, "Take a local disk: locks and syncs must be real.")];
}

function guarded(folder: string): Diagnosis {
  const { mode } = statSync(folder);
  if ((mode & 0o077) === 0) return fine("data folder", `${folder} is its owner's alone`);
  return warning(
    "data folder",
    `others may open ${folder} (mode ${(mode & 0o777).toString(8)})`,
    `chmod 700 ${folder}`,
  );
}

/** Files of another user, as a command of root leaves them, may keep the server from starting. */
function ownersIn(folder: string): Diagnosis[] {
  const { uid, gid } = ownerOf(folder);
  const strange = readdirSync(folder).filter((name) => lstatSync(join(folder, name)).uid !== uid);
  if (strange.length === 0) return [];
  const found = `${strange.join(", ")} in ${folder} belong to another user than the folder`;
  return [failure("data owner", found, `chown -R ${uid}:${gid} ${folder}`)];
}

function syncsIn(folder: string): Diagnosis {
  const path = join(folder, TRIAL_FILE);
  try {
    const times = timedSyncs(path).toSorted((one, other) => one - other);
    const median = times[Math.floor(SYNCS / 2)] ?? 0;
    const found = `a sync takes ${median.toFixed(1)} ms, the slowest of ${SYNCS} ${(times.at(-1) ?? 0).toFixed(1)} ms`;
    const advice = "Every result waits for a sync: take a faster disk.";
    if (median > SLOWEST_SYNC_MS) return failure("disk speed", found, advice);
    return median > SLOW_SYNC_MS ? warning("disk speed", found, advice) : fine("disk speed", found);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failure(
      "disk speed",
      `${folder} cannot be written (${code})`,
      "See to its owner and room.",
    );
  }
}

function timedSyncs(path: string): number[] {
  const file = openSync(path, "w", PRIVATE_FILE);
  try {
    return Array.from({ length: SYNCS }, () => {
      const start = performance.now();
      writeSync(file, BLOCK);
      fsyncSync(file);
      return performance.now() - start;
    });
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}
