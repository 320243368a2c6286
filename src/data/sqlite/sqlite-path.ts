import { join } from "node:path";

import { makeFolder } from "#data/files/folder.ts";

const FILE_NAME = "bout.db";

/** The database file of a data directory, which is made for the owner alone. */
export function sqlitePath(directory: string): string {
  makeFolder(directory);
  return join(directory, FILE_NAME);
}
