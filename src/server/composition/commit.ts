// The commit of the project that is running: as the operator says, else as git says of this copy.

import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A git that hangs must not hold up startup. */
const PATIENCE_MS = 5000;

/**
 * `BOUT_COMMIT` if it is set; else the commit that `root` is a checkout of, with `-dirty` if a
 * tracked file differs from it. Null without git, and if `root` lies within another project's
 * checkout, as an installed package does.
 */
export async function runningCommit(
  root: string,
  { BOUT_COMMIT: told = "" }: NodeJS.ProcessEnv,
): Promise<string | null> {
  if (told !== "") return told;
  try {
    const [top = "", commit = ""] = (await git(root, "rev-parse", "--show-toplevel", "HEAD"))
      .trim()
      .split("\n");
    if ((await realpath(top)) !== (await realpath(root))) return null;
    const changes = await git(root, "status", "--porcelain", "--untracked-files=no");
    return changes === "" ? commit : `${commit}-dirty`;
  } catch {
    return null;
  }
}

async function git(root: string, ...words: string[]): Promise<string> {
  return (await run("git", ["-C", root, ...words], { timeout: PATIENCE_MS })).stdout;
}
