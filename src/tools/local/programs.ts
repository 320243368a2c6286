// Programs that fight. Each leads its own process group, so whatever it started ends with it.

import { constants } from "node:os";

/** Receives the group of a running program, or NO_PROGRAM once it has ended. */
export type NoteProgram = (group: number) => void;

export const NO_PROGRAM = 0;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const SIGNALLED = 128;

/** Kills whatever is left of a group. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // Nothing is left to kill.
  }
}

/** Ends the programs when this process ends; a signal to this process does not reach them. */
export function endWithProcess(groups: Int32Array): void {
  process.on("exit", () => {
    for (const group of groups) if (group !== NO_PROGRAM) killGroup(group);
  });
  for (const signal of SIGNALS)
    process.once(signal, () => process.exit(SIGNALLED + constants.signals[signal]));
}
