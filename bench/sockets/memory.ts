// Where the memory of a process is: its threads' heaps, what lies outside them, the program itself.

import { readFileSync } from "node:fs";
import { getHeapStatistics } from "node:v8";
import type { HeapInfo } from "node:v8";
import type { Worker } from "node:worker_threads";

type Heap = { thread: string; total: number; used: number; external: number };

/** In bytes. */
export type Memory = {
  heaps: Heap[];
  /** Resident pages that belong to no file; null where the system does not tell. */
  anonymous: number | null;
  /** Resident pages of files: the program and its libraries. */
  files: number | null;
};

const MEBIBYTE = 2 ** 20;

/** Of this process, with the workers that were started. */
export async function memoryOf(workers: ReadonlySet<Worker>): Promise<Memory> {
  const others = [...workers].map(async (worker) =>
    heapOf(worker.threadName ?? "", await worker.getHeapStatistics()),
  );
  return {
    heaps: [heapOf("main", getHeapStatistics()), ...(await Promise.all(others))],
    anonymous: resident("RssAnon"),
    files: resident("RssFile"),
  };
}

function heapOf(thread: string, info: HeapInfo): Heap {
  return {
    thread,
    total: info.total_physical_size,
    used: info.used_heap_size,
    external: info.external_memory,
  };
}

/** Only Linux tells. */
function resident(field: string): number | null {
  try {
    const [, kibibytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(
      readFileSync("/proc/self/status", "utf8"),
    ) ?? [null, null];
    return kibibytes === null ? null : Number(kibibytes) * 1024;
  } catch {
    return null;
  }
}

export function memoryTable({ heaps, anonymous, files }: Memory): string {
  const rows = heaps
    .toSorted((one, other) => other.total - one.total)
    .map(({ thread, total, used, external }) => {
      return `| heap: ${thread} | ${mib(total)} | ${mib(used)} in use, ${mib(external)} in buffers |`;
    });
  const inHeaps = heaps.reduce((sum, { total }) => sum + total, 0);
  const rest = anonymous === null ? null : anonymous - inHeaps;
  return [
    "| Where | MiB | |",
    "|---|---|---|",
    ...rows,
    `| outside heaps: buffers, database caches, stacks, compiled code | ${mib(rest)} | |`,
    `| program and libraries | ${mib(files)} | shared with other processes |`,
    `| all | ${mib(anonymous === null || files === null ? null : anonymous + files)} | |`,
  ].join("\n");
}

const mib = (bytes: number | null): string =>
  bytes === null ? "unknown" : (bytes / MEBIBYTE).toFixed(1);
