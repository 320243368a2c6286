// Measures the memory usage of a process: the heaps of its threads, memory outside the heaps, and
// the program itself.

import { readFileSync } from "node:fs";
import { getHeapStatistics } from "node:v8";
import type { HeapInfo } from "node:v8";
import type { Worker } from "node:worker_threads";

type HeapUsage = { thread: string; total: number; used: number; external: number };

/** In bytes. */
export type MemoryUsage = {
  heaps: HeapUsage[];
  /** Resident anonymous pages. Null if the system doesn't report them. */
  anonymous: number | null;
  /** Resident file-backed pages: the program and its libraries. */
  files: number | null;
};

const MEBIBYTE = 2 ** 20;

export async function readMemory(workers: ReadonlySet<Worker>): Promise<MemoryUsage> {
  const workerHeaps = [...workers].map(async (worker) =>
    toHeapUsage(worker.threadName ?? "", await worker.getHeapStatistics()),
  );
  return {
    heaps: [toHeapUsage("main", getHeapStatistics()), ...(await Promise.all(workerHeaps))],
    anonymous: residentBytes("RssAnon"),
    files: residentBytes("RssFile"),
  };
}

function toHeapUsage(thread: string, info: HeapInfo): HeapUsage {
  return {
    thread,
    total: info.total_physical_size,
    used: info.used_heap_size,
    external: info.external_memory,
  };
}

/** Returns null on systems other than Linux. */
function residentBytes(field: string): number | null {
  try {
    const [, kibibytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(
      readFileSync("/proc/self/status", "utf8"),
    ) ?? [null, null];
    return kibibytes === null ? null : Number(kibibytes) * 1024;
  } catch {
    return null;
  }
}

export function memoryTable({ heaps, anonymous, files }: MemoryUsage): string {
  const rows = heaps
    .toSorted((a, b) => b.total - a.total)
    .map(({ thread, total, used, external }) => {
      return `| heap: ${thread} | ${formatMib(total)} | ${formatMib(used)} in use, ${formatMib(external)} in buffers |`;
    });
  const heapBytes = heaps.reduce((sum, { total }) => sum + total, 0);
  const outsideHeaps = anonymous === null ? null : anonymous - heapBytes;
  return [
    "| Where | MiB | |",
    "|---|---|---|",
    ...rows,
    `| outside heaps: buffers, database caches, stacks, compiled code | ${formatMib(outsideHeaps)} | |`,
    `| program and libraries | ${formatMib(files)} | shared with other processes |`,
    `| all | ${formatMib(anonymous === null || files === null ? null : anonymous + files)} | |`,
  ].join("\n");
}

const formatMib = (bytes: number | null): string =>
  bytes === null ? "unknown" : (bytes / MEBIBYTE).toFixed(1);
