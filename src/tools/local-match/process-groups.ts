// Each bot program leads its own process group, so that its children can be killed with it.

import { constants } from "node:os";

/**
 * Called with a running program's process group, then with NO_PROGRAM once the program has ended.
 */
export type ProcessGroupListener = (processGroup: number) => void;

export const NO_PROCESS_GROUP = 0;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const SIGNAL_EXIT_BASE = 128;

export function killGroup(processGroup: number): void {
  try {
    process.kill(-processGroup, "SIGKILL");
  } catch {}
}

/** Kills the programs when this process exits. Signals to this process don't reach them. */
export function killGroupsOnExit(processGroups: Int32Array): void {
  process.on("exit", () => {
    for (const processGroup of processGroups)
      if (processGroup !== NO_PROCESS_GROUP) killGroup(processGroup);
  });
  for (const signal of SIGNALS)
    process.once(signal, () => process.exit(SIGNAL_EXIT_BASE + constants.signals[signal]));
}
