// Script time of a frame while the viewer plays a fight, from the browser's own trace.

import type { Browser } from "playwright-core";

import { sure } from "#base/units/sure.ts";

const PATIENCE_MS = 30_000;
const WATCHED_MS = 6000;

/** `dur` in µs. */
type TraceEvent = { name: string; dur?: number };

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
  const times = frames.map(({ dur = 0 }) => dur / 1000).toSorted((one, other) => one - other);
  const at = (share: number) => sure(times[Math.floor(times.length * share)], "frame");
  return { count: times.length, medianMs: at(0.5), p99Ms: at(0.99) };
}
