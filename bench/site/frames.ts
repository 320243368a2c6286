// Script time of a frame (the thread's own) while the viewer plays a fight, from the browser's own trace.

import type { Browser } from "playwright-core";

import { sure } from "#base/units/sure.ts";

const PATIENCE_MS = 30_000;
const WATCHED_MS = 6000;

/** In µs: time that has passed, and the thread's own, which others on the machine do not lengthen. */
type TraceEvent = { name: string; dur?: number; tdur?: number };

export type Frames = { count: number; medianMs: number; p99Ms: number };

export async function framesOf(browser: Browser, url: string): Promise<Frames> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.goto(url);
    await page.locator("canvas").first().waitFor({ timeout: PATIENCE_MS });
    await browser.startTracing(page, { categories: ["devtools.timeline"] });
    await page.waitForTimeout(WATCHED_MS);
    const trace = (await browser.stopTracing()).toString();
    const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
    return figuresOf(traceEvents.filter(({ name }) => name === "FireAnimationFrame"));
  } finally {
    await page.close();
  }
}

function figuresOf(frames: readonly TraceEvent[]): Frames {
  const times = frames
    .map(({ dur = 0, tdur = dur }) => tdur / 1000)
    .toSorted((one, other) => one - other);
  const at = (share: number) => sure(times[Math.floor(times.length * share)], "frame");
  return { count: times.length, medianMs: at(0.5), p99Ms: at(0.99) };
}
