import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

const MAX_WAIT_MS = 20_000;
const POLL_INTERVAL_MS = 50;

/** A zombie (state Z) has exited, but its parent hasn't collected the exit code. */
export function isRunning(pid: string): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" });
  return !["", "Z"].includes(stdout.trim().slice(0, 1));
}

/** Waits until the condition holds. Returns false on timeout. */
export async function waitUntil(condition: () => boolean): Promise<boolean> {
  for (let waitedMs = 0; !condition() && waitedMs < MAX_WAIT_MS; waitedMs += POLL_INTERVAL_MS)
    await sleep(POLL_INTERVAL_MS);
  return condition();
}
