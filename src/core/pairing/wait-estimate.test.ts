import assert from "node:assert/strict";
import { test } from "node:test";

import { createCrowd, CROWD_PAIRING_NUMBERS, runWaves } from "#testing/harness/simulated-crowd.ts";
import type { CrowdOptions } from "#testing/harness/simulated-crowd.ts";

import { estimateWait } from "./wait-estimate.ts";
import type { QueueOutlook, Prospect } from "./wait-estimate.ts";

const EMPTY_OUTLOOK: QueueOutlook = {
  firstWaveSeconds: 1.5,
  waveSeconds: 2,
  waitSeconds: 0,
  prospects: [],
  startsAhead: 0,
  endsPerSecond: 0.5,
  typicalWaitSeconds: 7,
  numbers: CROWD_PAIRING_NUMBERS,
};

const READY_PROSPECT: Prospect = { gap: 100, inSeconds: 0, waitSeconds: 30 };

const cases: { name: string; changes: Partial<QueueOutlook>; seconds: number }[] = [
  {
    name: "until the first wave, if a near opponent waits",
    changes: { prospects: [READY_PROSPECT] },
    seconds: 1.5,
  },
  { name: "the typical wait, without prospects", changes: {}, seconds: 7.5 },
  {
    name: "until the wave after the rest of a hold",
    changes: { prospects: [{ ...READY_PROSPECT, inSeconds: 6 }] },
    seconds: 7.5,
  },
  {
    name: "until the end of a match",
    changes: { prospects: [{ gap: 0, inSeconds: 12, waitSeconds: -12 }] },
    seconds: 13.5,
  },
  {
    name: "until the window covers a gap",
    changes: { prospects: [{ ...READY_PROSPECT, gap: 700 }] },
    seconds: 15.5,
  },
  {
    name: "less if the bot has waited already",
    changes: { prospects: [{ ...READY_PROSPECT, gap: 700 }], waitSeconds: 10 },
    seconds: 5.5,
  },
  {
    name: "less if the opponent has priority soon",
    changes: { prospects: [{ ...READY_PROSPECT, gap: 700, waitSeconds: 57 }] },
    seconds: 3.5,
  },
  {
    name: "no longer for a gap within the cap once both have waited",
    changes: { prospects: [{ ...READY_PROSPECT, gap: 1200 }] },
    seconds: 21.5,
  },
  {
    name: "until one has waited too long, for a gap beyond the cap",
    changes: { prospects: [{ ...READY_PROSPECT, gap: 1201 }] },
    seconds: 45.5,
  },
  {
    name: "less for such a gap if the opponent has waited too long",
    changes: { prospects: [{ ...READY_PROSPECT, gap: 3000, waitSeconds: 70 }] },
    seconds: 5.5,
  },
  {
    name: "for the best of many",
    changes: {
      prospects: [
        { ...READY_PROSPECT, gap: 700 },
        { ...READY_PROSPECT, inSeconds: 3 },
        READY_PROSPECT,
      ],
    },
    seconds: 1.5,
  },
  {
    name: "for its turn on a full server",
    changes: { prospects: [READY_PROSPECT], startsAhead: 10 },
    seconds: 21.5,
  },
  {
    name: "the typical wait on a full server where no match ends",
    changes: { prospects: [READY_PROSPECT], startsAhead: 10, endsPerSecond: 0 },
    seconds: 7.5,
  },
];
for (const { name, changes, seconds } of cases)
  test(`a bot waits ${name}`, () => {
    assert.equal(estimateWait({ ...EMPTY_OUTLOOK, ...changes }), seconds);
  });

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, crowdName) => one - crowdName)[values.length >> 1]!;
}

/** Returns the median absolute error of the estimates, and of always predicting the median wait. */
function errorsIn(options: CrowdOptions): { estimateError: number; constantError: number } {
  const crowd = createCrowd(options);
  for (const { at } of runWaves(crowd, 3600)) assert.ok(at > 0);
  const typicalWait = medianOf(crowd.waits.map((wait) => wait.true));
  return {
    estimateError: medianOf(crowd.waits.map((wait) => Math.abs(wait.estimated - wait.true))),
    constantError: medianOf(crowd.waits.map((wait) => Math.abs(typicalWait - wait.true))),
  };
}

const crowds: { name: string; options: Omit<CrowdOptions, "seed">; most: number }[] = [
  { name: "sixty bots", options: { size: 60 }, most: 0.1 },
  { name: "fifteen bots", options: { size: 15, matchSeconds: 60, away: 0.2 }, most: 2.1 },
  { name: "a handful of bots", options: { size: 7, matchSeconds: 30, away: 0.2 }, most: 4.1 },
  { name: "a full server", options: { size: 60, limits: { maxMatches: 12 } }, most: 7 },
];
for (const { name, options, most } of crowds)
  test(`the median error for ${name} is at most ${most} s and lower than when predicting the median wait`, () => {
    for (const seed of [1, 2, 3]) {
      const { estimateError, constantError } = errorsIn({ seed, ...options });
      assert.ok(estimateError <= most, `${estimateError} s`);
      assert.ok(estimateError <= constantError, `${estimateError} s beside ${constantError} s`);
    }
  });
