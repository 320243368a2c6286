import assert from "node:assert/strict";
import { test } from "node:test";

import { bothOf } from "#base/units/sure.ts";

import { PAIRINGS, study } from "./study.ts";
import { printTables } from "./tables.ts";

test("a short study finds the strong and the weak, and its report has a figure in every cell", async () => {
  const sizes = { seed: 2, days: 0.2, bots: 16 };
  const [ours, random] = bothOf(
    await Promise.all(PAIRINGS.map((kind) => study(sizes, kind, () => {}))),
  );
  const last = ours.correlations.at(-1);
  assert.ok(last !== undefined && last.bots > 5, "some bots are ranked");
  assert.ok(last.ours > 0.8, `correlation ${last.ours}`);
  assert.ok(ours.covered.ours / ours.covered.total > 0.85);
  assert.deepEqual(Object.keys(random.grounds), [], "chance has no grounds");
  const text = printTables({ ours: [ours], random: [random] });
  assert.ok(text.split("\n").length > 20);
  assert.doesNotMatch(text, /NaN|undefined/);
});
