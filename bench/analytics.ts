// npm run bench analytics: makes `--days N` (default 400) simulated days with `--seed N`, and counts
// them again from the stored matches and the audit. A day whose sums differ ends it with 1.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

import { dayNumber, dayText } from "#base/units/days.ts";
import { SECOND_MS } from "#base/units/time.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { recount, simulateDays, simulatedSpan } from "#testing/store-cases/analytics-days.ts";
import { SAMPLES_MADE } from "#testing/store-cases/store-samples.ts";

const MOST_BOTS = 10;

export async function run(): Promise<void> {
  const options = {
    days: { type: "string", default: "400" },
    seed: { type: "string", default: "1" },
  } as const;
  const { values } = parseArgs({ options, strict: false });
  const [days, seed] = [Number(values.days), Number(values.seed)];
  const data = await mkdtemp(join(tmpdir(), "bout-bench-analytics-"));
  const store = await openStore({ data }, SAMPLES_MADE);
  try {
    const start = performance.now();
    await simulateDays(store, days, seed);
    console.log(`${days} days of seed ${seed} made in ${secondsSince(start)} s`);
    await compare(store, days);
  } finally {
    await store.close();
    await rm(data, { recursive: true });
  }
}

/** All days together, and spans that begin and end anywhere. */
async function compare(store: Store, days: number): Promise<void> {
  const whole = simulatedSpan(days);
  const first = dayNumber(whole.from) ?? 0;
  const parts = [0.25, 0.5, 0.9].map((share) => dayText(first + Math.floor(share * (days - 1))));
  const spans = [
    whole,
    ...parts.map((day) => ({ from: day, to: day })),
    ...parts.map((from) => ({ ...whole, from })),
  ];
  for (const span of spans) {
    const start = performance.now();
    const {
      activeBots,
      days: daily,
      topBots,
      maps,
    } = await store.figures.analytics({
      ...span,
      most: MOST_BOTS,
    });
    const ms = performance.now() - start;
    assert.deepEqual(
      { activeBots, days: daily, topBots, maps },
      await recount(store, span, MOST_BOTS),
    );
    const { from, to } = span;
    const games = daily.reduce((sum, { ranked, other }) => sum + ranked + other, 0);
    console.log(
      `${from} to ${to}: ${games} games, equal to the recount, read in ${ms.toFixed(1)} ms`,
    );
  }
}

const secondsSince = (start: number): string =>
  ((performance.now() - start) / SECOND_MS).toFixed(0);
