import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { promisify } from "node:util";

const execFileAsync = promisify(execFile);

/** Keeps a hanging git process from delaying startup. */
const GIT_TIMEOUT_MS = 5000;

/**
 * Returns `BOUT_COMMIT` if set. Otherwise returns the commit checked out at `root`, with `-dirty`
 * appended if a tracked file has changed. Returns null without git, or if `root` is inside another
 * project's checkout, as for an installed package.
 */
export async function runningCommit(
  root: string,
  { BOUT_COMMIT: configuredCommit = "" }: NodeJS.ProcessEnv,
): Promise<string | null> {
  if (configuredCommit !== "") return configuredCommit;
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

async function git(root: string, ...args: string[]): Promise<string> {
  return (await execFileAsync("git", ["-C", root, ...args], { timeout: GIT_TIMEOUT_MS })).stdout;
}
