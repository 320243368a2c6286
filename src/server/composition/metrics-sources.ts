import { readFileSync } from "node:fs";
import { readdir, statfs } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";

import type { StoredEmailMetrics } from "#core/api/email-metrics.ts";
import type { MachineStats } from "#core/api/server-metrics.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { Store } from "#data/store/store.ts";
import type { MetricsSources } from "#web/http/deps.ts";
import { openRequestCounts } from "#web/http/request-counts.ts";

type MetricsSourceDeps = {
  data: string;
  store: Pick<Store, "deliveries" | "incidents">;
  wall: () => Date;
};

const READ_TIMEOUT_MS = 2000;

export function openMetricsSources({ data, store, wall }: MetricsSourceDeps): MetricsSources {
  const mostFiles = openFileLimit();
  return {
    requests: openRequestCounts(),
    machine: async () => ({
      ...processMetrics(),
      maxFiles: mostFiles,
      ...(await fileMetricsOf(data)),
    }),
    stored: singleFlight(() => readStoredMetrics(store, wall().toISOString())),
  };
}

const MICROSECONDS = 1e6;

function processMetrics() {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: rss,
    heapUsedBytes: heapUsed,
    heapLimitBytes: getHeapStatistics().heap_size_limit,
    cpuSeconds: (user + system) / MICROSECONDS,
    startTimeSeconds: Math.round(performance.timeOrigin) / 1000,
  };
}

async function fileMetricsOf(data: string): Promise<Pick<MachineStats, "openFiles" | "disk">> {
  const [open, disk] = await Promise.allSettled([readdir("/proc/self/fd"), statfs(data)]);
  if (disk.status === "rejected")
    return { openFiles: open.status === "fulfilled" ? open.value.length : null, disk: null };
  const { bsize, blocks, bavail } = disk.value;
  return {
    openFiles: open.status === "fulfilled" ? open.value.length : null,
    disk: { sizeBytes: bsize * blocks, freeBytes: bsize * bavail },
  };
}

/** Returns null if the system sets or reports no limit. */
function openFileLimit(): number | null {
  try {
    const [, softLimit = ""] = /^Max open files +(\S+)/m.exec(readLimits()) ?? [];
    return Number(softLimit) || null;
  } catch {
    return null;
  }
}

const readLimits = () => readFileSync("/proc/self/limits", "utf8");

async function readStoredMetrics(
  { deliveries, incidents }: MetricsSourceDeps["store"],
  at: string,
): Promise<StoredEmailMetrics> {
  const { pending, scheduled, sending } = await deliveries.counts(at);
  const { total } = await deliveries.listSuppressed(1);
  const recentIncidents = await incidents.list(FIXED_LIMITS.mail_incidents);
  const open = recentIncidents
    .filter(({ resolved }) => resolved === null)
    .map(({ scope }) => scope);
  return { queue: { pending, scheduled, sending }, suppressed: total, incidents: open };
}

/**
 * Shares one read between concurrent callers. Resolves with null if the read fails or times out.
 */
function singleFlight<T>(read: () => Promise<T>): () => Promise<T | null> {
  let pendingRead: Promise<T | null> | null = null;
  return () => {
    pendingRead ??= read()
      .catch(() => null)
      .finally(() => (pendingRead = null));
    return Promise.race([pendingRead, wait(READ_TIMEOUT_MS, null, { ref: false })]);
  };
}
