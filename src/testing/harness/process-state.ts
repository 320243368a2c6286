// Whether a process is still running, for tests of processes that must end.

import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 20_000;
const PAUSE_MS = 50;

/** A process that has ended, but whose exit nobody has collected, is a zombie: Z. */
export function isRunning(pid: string): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" });
  return !["", "Z"].includes(stdout.trim().slice(0, 1));
}

/** Waits until the condition holds; false if it never does. */
export async function until(isSo: () => boolean): Promise<boolean> {
  for (let waited = 0; !isSo() && waited < PATIENCE_MS; waited += PAUSE_MS) await sleep(PAUSE_MS);
  return isSo();
}
