// Reads the CPU time of each thread of a process from /proc. Linux only.

import { readdirSync, readFileSync } from "node:fs";

/** The unit of these counters on Linux is fixed at a hundredth of a second. */
const TICKS_A_SECOND = 100;
// Field positions, counted after the parenthesized thread name. See proc_pid_stat(5).
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** Returns CPU seconds by thread name, or null if the system doesn't report them. */
export function threadSeconds(pid: number): Map<string, number> | null {
  const seconds = new Map<string, number>();
  const folder = `/proc/${pid}/task`;
  try {
    for (const thread of readdirSync(folder)) {
      const stat = readFileSync(`${folder}/${thread}/stat`, "utf8");
      const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
      seconds.set(name, (seconds.get(name) ?? 0) + ticks / TICKS_A_SECOND);
    }
  } catch {
    return null;
  }
  return seconds;
}
