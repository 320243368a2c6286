import assert from "node:assert/strict";
import { test } from "node:test";

import { MODES, UNRATED_REASONS } from "#core/words/rated.ts";
import type { UnratedReason } from "#core/words/rated.ts";

import { NOTHING_CHANGED, unratedReason } from "./unrated.ts";
import type { RatingFacts } from "./unrated.ts";

const RATED: RatingFacts = {
  nobodyReady: false,
  serverFault: false,
  mode: "ranked",
  ...NOTHING_CHANGED,
};

/** The facts that make each reason hold. */
const FACTS: Record<UnratedReason, Partial<RatingFacts>> = {
  nobody_ready: { nobodyReady: true },
  server_fault: { serverFault: true },
  mode: { mode: "practice" },
  account_changed: { accountChanged: true },
  enrollment_changed: { enrollmentChanged: true },
  ladder_disabled: { ladderEnabled: false },
  window_closed: { windowOpen: false },
};

test("a match is rated if no reason against it holds", () => {
  assert.equal(unratedReason(RATED), null);
});

for (const [place, reason] of UNRATED_REASONS.entries())
  test(`${reason} is reported alone, and before all later reasons`, () => {
    assert.equal(unratedReason({ ...RATED, ...FACTS[reason] }), reason);
    const later = UNRATED_REASONS.slice(place).map((one) => FACTS[one]);
    const all = later.reduce((facts, fact) => ({ ...facts, ...fact }), RATED);
    assert.equal(unratedReason({ ...RATED, ...all }), reason);
  });

test("only ranked games are rated", () => {
  const rated = MODES.filter((mode) => unratedReason({ ...RATED, mode }) === null);
  assert.deepEqual(rated, ["ranked"]);
});
