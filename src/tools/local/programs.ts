// Programs that fight. Each leads a process group of its own: what it started ends with it.

import { constants } from "node:os";

/** Is told the group of a program that runs, or NO_PROGRAM when it has ended. */
export type NoteProgram = (group: number) => void;

export const NO_PROGRAM = 0;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const SIGNALLED = 128;

/** Kills whatever is left of a group. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // Nothing is left.
  }
}

/** Takes the programs along when this process ends; a signal does not reach them by itself. */
export function endWithProcess(groups: Int32Array): void {
  process.on("exit", () => {
    for (const group of groups) if (group !== NO_PROGRAM) killGroup(group);
  });
  for (const signal of SIGNALS)
    process.once(signal, () => process.exit(SIGNALLED + constants.signals[signal]));
}
