import { join } from "node:path";

import { makePrivateFolder } from "#data/files/private-folder.ts";

const FILE_NAME = "bout.db";

/**
 * Returns the path of the database file. Creates the directory with owner-only permissions if
 * needed.
 */
export function sqlitePath(directory: string): string {
  makePrivateFolder(directory);
  return join(directory, FILE_NAME);
}
