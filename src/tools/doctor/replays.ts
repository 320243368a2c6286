// Whether every match that keeps its replay has the file.

import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { replayFileName } from "#data/files/replays.ts";

import { fine, warning } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

/** Match ids that are listed. */
const MOST_LISTED = 5;

/** `readIds` reads the ids of the matches that keep their replays from the database. */
export async function replayFinding(
  data: string,
  readIds: () => Promise<readonly string[]>,
): Promise<Diagnosis> {
  const folder = join(data, "replays");
  const ids = await readIds();
  let missing = await withoutFile(folder, ids);
  if (missing.length > 0) {
    // A running server may have removed replays between the two reads.
    const current = new Set(await readIds());
    missing = missing.filter((id) => current.has(id));
  }
  if (missing.length === 0) return fine("replays", `all ${ids.length} files are there`);
  const more = missing.length > MOST_LISTED ? ` and ${missing.length - MOST_LISTED} more` : "";
  const listed = `${missing.slice(0, MOST_LISTED).join(", ")}${more}`;
  const advice = `Copy the files from a backup into ${folder}. Without them these matches can't be watched; results and ratings don't change.`;
  return warning("replays", `${missing.length} of ${ids.length} are missing: ${listed}`, advice);
}

async function withoutFile(folder: string, ids: readonly string[]): Promise<string[]> {
  const names = new Set(await namesIn(folder));
  return ids.filter((id) => !names.has(replayFileName(id)));
}

/** A folder that does not exist has no files. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
