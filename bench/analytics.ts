// npm run bench analytics: generates `--days N` simulated days (default 400) with `--seed N`, then
// recounts them from the stored matches and the audit log. Exits with 1 if the totals of any day
// differ.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

import { dayNumber, dayFromNumber } from "#base/util/calendar-days.ts";
import { SECOND_MS } from "#base/util/time.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import {
  recountAnalytics,
  simulateDays,
  simulatedSpan,
} from "#testing/store-contract/simulated-days.ts";
import { SAMPLES_CREATED_AT } from "#testing/store-contract/store-samples.ts";

const BOT_LIMIT = 10;

export async function run(): Promise<void> {
  const options = {
    days: { type: "string", default: "400" },
    seed: { type: "string", default: "1" },
  } as const;
  const { values } = parseArgs({ options, strict: false });
  const [days, seed] = [Number(values.days), Number(values.seed)];
  const data = await mkdtemp(join(tmpdir(), "bout-bench-analytics-"));
  const store = await openStore({ data }, SAMPLES_CREATED_AT);
  try {
    const start = performance.now();
    await simulateDays(store, days, seed);
    console.log(`${days} days generated with seed ${seed} in ${secondsSince(start)} s`);
    await compareWithRecount(store, days);
  } finally {
    await store.close();
    await rm(data, { recursive: true });
  }
}

async function compareWithRecount(store: Store, days: number): Promise<void> {
  const fullSpan = simulatedSpan(days);
  const firstDay = dayNumber(fullSpan.from) ?? 0;
  const dates = [0.25, 0.5, 0.9].map((share) =>
    dayFromNumber(firstDay + Math.floor(share * (days - 1))),
  );
  const spans = [
    fullSpan,
    ...dates.map((day) => ({ from: day, to: day })),
    ...dates.map((from) => ({ ...fullSpan, from })),
  ];
  for (const span of spans) {
    const start = performance.now();
    const {
      activeBots,
      days: daily,
      topBots,
      maps,
    } = await store.stats.analytics({
      ...span,
      limit: BOT_LIMIT,
    });
    const ms = performance.now() - start;
    assert.deepEqual(
      { activeBots, days: daily, topBots, maps },
      await recountAnalytics(store, span, BOT_LIMIT),
    );
    const { from, to } = span;
    const games = daily.reduce((sum, { ranked, other }) => sum + ranked + other, 0);
    console.log(
      `${from} to ${to}: ${games} matches, equal to the recount, read in ${ms.toFixed(1)} ms`,
    );
  }
}

const secondsSince = (start: number): string =>
  ((performance.now() - start) / SECOND_MS).toFixed(0);
