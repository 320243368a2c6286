// Metrics from outside the arena: HTTP requests, the machine, and counts in the database.

import { readFileSync } from "node:fs";
import { readdir, statfs } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";

import type { StoredFigures } from "#core/operator/email-metrics.ts";
import type { MachineFigures } from "#core/operator/server-metrics.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Store } from "#data/store/store.ts";
import type { MetricsSources } from "#web/http/deps.ts";
import { openRequestCounts } from "#web/http/request-counts.ts";

type SourceDeps = {
  /** The data folder. */
  data: string;
  store: Pick<Store, "deliveries" | "incidents">;
  wall: () => Date;
};

/** How long a request for metrics waits for the database. */
const PATIENCE_MS = 2000;

export function openMetricsSources({ data, store, wall }: SourceDeps): MetricsSources {
  const mostFiles = openFileLimit();
  return {
    requests: openRequestCounts(),
    machine: async () => ({ ...processFigures(), mostFiles, ...(await filesOf(data)) }),
    stored: bounded(() => readStored(store, wall().toISOString())),
  };
}

const MICROSECONDS = 1e6;

function processFigures() {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: rss,
    heapUsedBytes: heapUsed,
    heapLimitBytes: getHeapStatistics().heap_size_limit,
    cpuSeconds: (user + system) / MICROSECONDS,
    startedSeconds: Math.round(performance.timeOrigin) / 1000,
  };
}

async function filesOf(data: string): Promise<Pick<MachineFigures, "openFiles" | "disk">> {
  const [open, disk] = await Promise.allSettled([readdir("/proc/self/fd"), statfs(data)]);
  if (disk.status === "rejected")
    return { openFiles: open.status === "fulfilled" ? open.value.length : null, disk: null };
  const { bsize, blocks, bavail } = disk.value;
  return {
    openFiles: open.status === "fulfilled" ? open.value.length : null,
    disk: { sizeBytes: bsize * blocks, freeBytes: bsize * bavail },
  };
}

/** Null where the system doesn't tell, or sets no limit. */
function openFileLimit(): number | null {
  try {
    const [, soft = ""] = /^Max open files +(\S+)/m.exec(readLimits()) ?? [];
    return Number(soft) || null;
  } catch {
    return null;
  }
}

const readLimits = () => readFileSync("/proc/self/limits", "utf8");

async function readStored(
  { deliveries, incidents }: SourceDeps["store"],
  at: string,
): Promise<StoredFigures> {
  const { pending, scheduled, sending } = await deliveries.counts(at);
  const { total } = await deliveries.suppressed(1);
  const known = await incidents.list(FIXED.mail_incidents);
  const open = known.filter(({ resolved }) => resolved === null).map(({ scope }) => scope);
  return { queue: { pending, scheduled, sending }, suppressed: total, incidents: open };
}

/** Reads once at a time; null if a read fails or takes too long. */
function bounded<T>(read: () => Promise<T>): () => Promise<T | null> {
  let reading: Promise<T | null> | null = null;
  return () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => (reading = null));
    return Promise.race([reading, wait(PATIENCE_MS, null, { ref: false })]);
  };
}
