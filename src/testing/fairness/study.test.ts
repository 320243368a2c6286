import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";

import { PAIRING_KINDS, runStudy } from "./study.ts";
import { formatTables } from "./tables.ts";

test("a short study separates strong bots from weak bots and fills every cell of the report", async () => {
  const sizes = { seed: 2, days: 0.2, bots: 16 };
  const [ours, random] = firstTwo(
    await Promise.all(PAIRING_KINDS.map((kind) => runStudy(sizes, kind, () => {}))),
  );
  const last = ours.correlations.at(-1);
  assert.ok(last !== undefined && last.bots > 5, "some bots are ranked");
  assert.ok(last.ours > 0.8, `correlation ${last.ours}`);
  assert.ok(ours.coverage.ours / ours.coverage.total > 0.85);
  assert.deepEqual(Object.keys(random.grounds), [], "random pairing records no grounds");
  const text = formatTables({ ours: [ours], random: [random] });
  assert.ok(text.split("\n").length > 20);
  assert.doesNotMatch(text, /NaN|undefined/);
});
