// Bots that run as programs. Each leads its own process group, so its children end with it.

import { constants } from "node:os";

/** Receives the process group of a running program, or NO_PROGRAM once it has ended. */
export type ProcessGroupListener = (processGroup: number) => void;

export const NO_PROCESS_GROUP = 0;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const SIGNAL_EXIT_BASE = 128;

/** Kills all remaining processes of a group. */
export function killGroup(processGroup: number): void {
  try {
    process.kill(-processGroup, "SIGKILL");
  } catch {
    // No process is left.
  }
}

/** Ends the programs when this process exits. Signals to this process don't reach them. */
export function killGroupsOnExit(processGroups: Int32Array): void {
  process.on("exit", () => {
    for (const processGroup of processGroups)
      if (processGroup !== NO_PROCESS_GROUP) killGroup(processGroup);
  });
  for (const signal of SIGNALS)
    process.once(signal, () => process.exit(SIGNAL_EXIT_BASE + constants.signals[signal]));
}
