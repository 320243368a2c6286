// Files that the operator writes and that hold secrets: nobody but their owner may read them, and no
// message repeats what is in them.

import { readFile, stat } from "node:fs/promises";

import { UsageError } from "./flag-values.ts";

/** The text of the file that a flag names. Rejects with a UsageError if it is not right. */
export async function readPrivate(flag: string, path: string): Promise<string> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) throw wrong(flag, path, `others can read it: chmod 600 ${path}`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw wrong(flag, path, `it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

export const wrong = (flag: string, path: string, problem: string) =>
  new UsageError(`--${flag} ${path}: ${problem}`);
