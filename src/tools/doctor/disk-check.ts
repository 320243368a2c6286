import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync } from "node:fs";
import { accessSync, constants, lstatSync, readdirSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { FULL_DISK_BYTES, LOW_DISK_BYTES } from "#core/api/attention.ts";
import { freeBytes, toMib } from "#data/files/disk-space.ts";
import { fileOwner } from "#data/files/private-folder.ts";

import { failDiagnosis, okDiagnosis, warnDiagnosis } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

const FEW_FREE_FILES = 100_000;
const SYNC_COUNT = 15;
const SLOW_SYNC_MS = 25;
const FAILING_SYNC_MS = 500;
const BLOCK = Buffer.alloc(4096);
const PRIVATE_MODE = 0o600;
const TRIAL_FILE = "doctor.tmp";

const UNSUITABLE_FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "SMB",
  0xfe534d42: "SMB",
  0x01021994: "memory (tmpfs)",
};

/** Writes a small file and removes it again. */
export function checkDisk(data: string): Diagnosis[] {
  const folder = resolve(data);
  if (!existsSync(folder)) return [checkMissingFolder(folder)];
  return [
    checkFreeSpace(folder),
    checkFileSystem(folder),
    checkPermissions(folder),
    checkOwners(folder),
    checkSyncSpeed(folder),
  ].flat();
}

function checkMissingFolder(folder: string): Diagnosis {
  let parentFolder = dirname(folder);
  while (!existsSync(parentFolder)) parentFolder = dirname(parentFolder);
  try {
    accessSync(parentFolder, constants.W_OK);
    const freeSpace = `${toMib(freeBytes(parentFolder))} MiB free`;
    return okDiagnosis("data folder", `${folder} will be created at the first start; ${freeSpace}`);
  } catch {
    return failDiagnosis(
      "data folder",
      `${folder} is missing, and ${parentFolder} is not writable`,
      "Create the folder, owned by the user who runs the server.",
    );
  }
}

function checkFreeSpace(folder: string): Diagnosis[] {
  const bytes = freeBytes(folder);
  const { files, ffree } = statfsSync(folder);
  const freeSpace = `${toMib(bytes)} MiB free`;
  const advice = "Free some space, or use a larger disk: no matches start on a full disk.";
  const spaceFinding =
    bytes < FULL_DISK_BYTES
      ? failDiagnosis("disk room", freeSpace, advice)
      : bytes < LOW_DISK_BYTES
        ? warnDiagnosis("disk room", freeSpace, advice)
        : okDiagnosis("disk room", freeSpace);
  // Some file systems have no limit on files and report 0.
  if (files === 0 || ffree >= FEW_FREE_FILES) return [spaceFinding];
  const freeFilesText = `${ffree} inodes free`;
  return [
    spaceFinding,
    warnDiagnosis("disk files", freeFilesText, "Each match has a file: lower replays_per_bot."),
  ];
}

function checkFileSystem(folder: string): Diagnosis[] {
  const kind = UNSUITABLE_FILE_SYSTEMS[statfsSync(folder).type];
  if (kind === undefined) return [];
  const found = `${folder} is on ${kind}`;
  return [
    warnDiagnosis(
      "disk kind",
      found,
      "Use a local disk: the server relies on its locks and syncs.",
    ),
  ];
}

function checkPermissions(folder: string): Diagnosis {
  const { mode } = statSync(folder);
  if ((mode & 0o077) === 0) return okDiagnosis("data folder", `only the owner can open ${folder}`);
  return warnDiagnosis(
    "data folder",
    `other users can open ${folder} (mode ${(mode & 0o777).toString(8)})`,
    `chmod 700 ${folder}`,
  );
}

/**
 * Files that belong to another user may keep the server from starting, for example after a command
 * was run as root.
 */
function checkOwners(folder: string): Diagnosis[] {
  const { uid, gid } = fileOwner(folder);
  const otherOwnersFiles = readdirSync(folder).filter(
    (name) => lstatSync(join(folder, name)).uid !== uid,
  );
  if (otherOwnersFiles.length === 0) return [];
  const found = `${otherOwnersFiles.join(", ")} in ${folder} belong to a different user than the folder`;
  return [failDiagnosis("data owner", found, `chown -R ${uid}:${gid} ${folder}`)];
}

function checkSyncSpeed(folder: string): Diagnosis {
  const path = join(folder, TRIAL_FILE);
  try {
    const times = measureSyncs(path).toSorted((a, b) => a - b);
    const median = times[Math.floor(SYNC_COUNT / 2)] ?? 0;
    const found = `a sync takes ${median.toFixed(1)} ms (median); slowest of ${SYNC_COUNT}: ${(times.at(-1) ?? 0).toFixed(1)} ms`;
    const advice = "Every result waits for a sync: use a faster disk.";
    if (median > FAILING_SYNC_MS) return failDiagnosis("disk speed", found, advice);
    return median > SLOW_SYNC_MS
      ? warnDiagnosis("disk speed", found, advice)
      : okDiagnosis("disk speed", found);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failDiagnosis(
      "disk speed",
      `${folder} is not writable (${code})`,
      "Check its owner and its free space.",
    );
  }
}

function measureSyncs(path: string): number[] {
  const file = openSync(path, "w", PRIVATE_MODE);
  try {
    return Array.from({ length: SYNC_COUNT }, () => {
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
