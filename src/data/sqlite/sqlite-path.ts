import { join } from "node:path";

import { makePrivateFolder } from "#data/files/private-folder.ts";

const FILE_NAME = "bout.db";

/**
 * Returns the database file of a data directory, creating the directory with owner-only
 * permissions.
 */
export function sqlitePath(directory: string): string {
  makePrivateFolder(directory);
  return join(directory, FILE_NAME);
}
