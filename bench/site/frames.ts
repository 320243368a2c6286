// Measures script time per frame while the viewer is playing a match, as thread CPU time from the
// browser's trace.

import type { Browser } from "playwright-core";

import { assertDefined } from "#base/util/assert-defined.ts";

const TIMEOUT_MS = 30_000;
const TRACE_MS = 6000;

/**
 * `dur` is elapsed time, `tdur` the CPU time of the thread. Both in µs. Other load on the machine
 * doesn't affect CPU time.
 */
type TraceEvent = { name: string; dur?: number; tdur?: number };

export type FrameStats = { count: number; medianMs: number; p99Ms: number };

export async function measureFrames(browser: Browser, url: string): Promise<FrameStats> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.goto(url);
    await page.locator("canvas").first().waitFor({ timeout: TIMEOUT_MS });
    await browser.startTracing(page, { categories: ["devtools.timeline"] });
    await page.waitForTimeout(TRACE_MS);
    const trace = (await browser.stopTracing()).toString();
    const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
    return frameStats(traceEvents.filter(({ name }) => name === "FireAnimationFrame"));
  } finally {
    await page.close();
  }
}

function frameStats(frames: readonly TraceEvent[]): FrameStats {
  const times = frames.map(({ dur = 0, tdur = dur }) => tdur / 1000).toSorted((a, b) => a - b);
  const quantile = (share: number) =>
    assertDefined(times[Math.floor(times.length * share)], "frame");
  return { count: times.length, medianMs: quantile(0.5), p99Ms: quantile(0.99) };
}
