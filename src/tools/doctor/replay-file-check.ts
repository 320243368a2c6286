import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { replayFileName } from "#data/files/replays.ts";

import { okDiagnosis, warnDiagnosis } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

const MAX_LISTED = 5;

/** `readIds` returns the ids of matches whose replay is kept. */
export async function replayFinding(
  data: string,
  readIds: () => Promise<readonly string[]>,
): Promise<Diagnosis> {
  const folder = join(data, "replays");
  const ids = await readIds();
  let missing = await findMissingFiles(folder, ids);
  if (missing.length > 0) {
    // A running server may have deleted replays since the first read.
    const current = new Set(await readIds());
    missing = missing.filter((id) => current.has(id));
  }
  if (missing.length === 0) return okDiagnosis("replays", `all ${ids.length} files exist`);
  const moreText = missing.length > MAX_LISTED ? ` and ${missing.length - MAX_LISTED} more` : "";
  const missingText = `${missing.slice(0, MAX_LISTED).join(", ")}${moreText}`;
  const advice = `Copy the files from a backup into ${folder}. Without them these matches can't be watched; results and ratings don't change.`;
  return warnDiagnosis(
    "replays",
    `${missing.length} of ${ids.length} are missing: ${missingText}`,
    advice,
  );
}

async function findMissingFiles(folder: string, ids: readonly string[]): Promise<string[]> {
  const names = new Set(await readFileNames(folder));
  return ids.filter((id) => !names.has(replayFileName(id)));
}

async function readFileNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
