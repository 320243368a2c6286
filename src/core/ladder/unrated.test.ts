import assert from "node:assert/strict";
import { test } from "node:test";

import { MATCH_MODES, UNRATED_REASONS } from "#core/ids/match-modes.ts";
import type { UnratedReason } from "#core/ids/match-modes.ts";

import { NO_MATCH_CHANGES, unratedReason } from "./unrated.ts";
import type { RatingFacts } from "./unrated.ts";

const RATED: RatingFacts = {
  isNobodyReady: false,
  serverFault: false,
  mode: "ranked",
  ...NO_MATCH_CHANGES,
};

const FACTS: Record<UnratedReason, Partial<RatingFacts>> = {
  nobody_ready: { isNobodyReady: true },
  server_fault: { serverFault: true },
  mode: { mode: "practice" },
  account_changed: { accountChanged: true },
  enrollment_changed: { enrollmentChanged: true },
  ladder_disabled: { ladderEnabled: false },
  window_closed: { windowOpen: false },
};

test("rates a match if no reason applies", () => {
  assert.equal(unratedReason(RATED), null);
});

for (const [reasonIndex, reason] of UNRATED_REASONS.entries())
  test(`reports ${reason} on its own and before all later reasons`, () => {
    assert.equal(unratedReason({ ...RATED, ...FACTS[reason] }), reason);
    const laterReason = UNRATED_REASONS.slice(reasonIndex).map((singleFacts) => FACTS[singleFacts]);
    const combinedFacts = laterReason.reduce((facts, fact) => ({ ...facts, ...fact }), RATED);
    assert.equal(unratedReason({ ...RATED, ...combinedFacts }), reason);
  });

test("rates only ranked matches", () => {
  const rated = MATCH_MODES.filter((mode) => unratedReason({ ...RATED, mode }) === null);
  assert.deepEqual(rated, ["ranked"]);
});
