import assert from "node:assert/strict";
import { test } from "node:test";

import { createCrowd, NUMBERS, wavesOf } from "#testing/harness/crowd.ts";
import type { CrowdOptions } from "#testing/harness/crowd.ts";

import { estimatedWait } from "./estimate.ts";
import type { Outlook, Prospect } from "./estimate.ts";

const NOBODY: Outlook = {
  firstWaveSeconds: 1.5,
  waveSeconds: 2,
  waitSeconds: 0,
  prospects: [],
  startsAhead: 0,
  endsPerSecond: 0.5,
  usualWaitSeconds: 7,
  numbers: NUMBERS,
};

/** A near opponent that has waited long enough. */
const READY: Prospect = { gap: 100, inSeconds: 0, waitSeconds: 30 };

const cases: { name: string; changes: Partial<Outlook>; seconds: number }[] = [
  { name: "the first wave, if somebody near waits", changes: { prospects: [READY] }, seconds: 1.5 },
  { name: "as long as usual, if nobody is there", changes: {}, seconds: 7.5 },
  {
    name: "the wave after the rest of a hold",
    changes: { prospects: [{ ...READY, inSeconds: 6 }] },
    seconds: 7.5,
  },
  {
    name: "for the end of a match",
    changes: { prospects: [{ gap: 0, inSeconds: 12, waitSeconds: -12 }] },
    seconds: 13.5,
  },
  {
    name: "until the window covers a gap",
    changes: { prospects: [{ ...READY, gap: 700 }] },
    seconds: 15.5,
  },
  {
    name: "less if the bot has waited already",
    changes: { prospects: [{ ...READY, gap: 700 }], waitSeconds: 10 },
    seconds: 5.5,
  },
  {
    name: "less if the other comes first of all soon",
    changes: { prospects: [{ ...READY, gap: 700, waitSeconds: 57 }] },
    seconds: 3.5,
  },
  {
    name: "not for a gap within the cap once both have waited",
    changes: { prospects: [{ ...READY, gap: 1200 }] },
    seconds: 21.5,
  },
  {
    name: "until one has waited too long, for a gap beyond the cap",
    changes: { prospects: [{ ...READY, gap: 1201 }] },
    seconds: 45.5,
  },
  {
    name: "less for such a gap if the other has waited too long",
    changes: { prospects: [{ ...READY, gap: 3000, waitSeconds: 70 }] },
    seconds: 5.5,
  },
  {
    name: "for the best of many",
    changes: { prospects: [{ ...READY, gap: 700 }, { ...READY, inSeconds: 3 }, READY] },
    seconds: 1.5,
  },
  {
    name: "for its turn on a full server",
    changes: { prospects: [READY], startsAhead: 10 },
    seconds: 21.5,
  },
  {
    name: "as long as usual on a full server where nothing ends",
    changes: { prospects: [READY], startsAhead: 10, endsPerSecond: 0 },
    seconds: 7.5,
  },
];
for (const { name, changes, seconds } of cases)
  test(`a bot waits ${name}`, () => {
    assert.equal(estimatedWait({ ...NOBODY, ...changes }), seconds);
  });

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1]!;
}

/** Median absolute error of the estimates, and of always answering the median of all true waits. */
function errorsIn(options: CrowdOptions): { own: number; constant: number } {
  const crowd = createCrowd(options);
  for (const { at } of wavesOf(crowd, 3600)) assert.ok(at > 0);
  const usual = medianOf(crowd.waits.map((wait) => wait.true));
  return {
    own: medianOf(crowd.waits.map((wait) => Math.abs(wait.estimated - wait.true))),
    constant: medianOf(crowd.waits.map((wait) => Math.abs(usual - wait.true))),
  };
}

const crowds: { name: string; options: Omit<CrowdOptions, "seed">; most: number }[] = [
  { name: "sixty bots", options: { size: 60 }, most: 0.1 },
  { name: "fifteen bots", options: { size: 15, matchSeconds: 60, away: 0.2 }, most: 2.1 },
  { name: "a handful of bots", options: { size: 7, matchSeconds: 30, away: 0.2 }, most: 4.1 },
  { name: "a full server", options: { size: 60, limits: { mostMatches: 12 } }, most: 7 },
];
for (const { name, options, most } of crowds)
  test(`the median estimate of ${name} is off by ${most} s at most, and better than the median wait`, () => {
    for (const seed of [1, 2, 3]) {
      const { own, constant } = errorsIn({ seed, ...options });
      assert.ok(own <= most, `${own} s`);
      assert.ok(own <= constant, `${own} s beside ${constant} s`);
    }
  });
