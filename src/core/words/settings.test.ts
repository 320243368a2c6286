import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { FIXED, LIMITS, LIMIT_GROUPS, LIMIT_TABLE, namesIn } from "./limits.ts";
import { problemsOf } from "./settings.ts";

describe("the table of limits", () => {
  const settings = Object.entries(LIMIT_TABLE).filter(([name]) => !(name in FIXED));

  it("has each limit in one group", () => {
    const names = LIMIT_GROUPS.flatMap((group): string[] => namesIn(group));
    assert.deepEqual(names, Object.keys(LIMIT_TABLE));
  });

  it("has settings whose defaults are within their bounds", () => {
    const defaults = Object.fromEntries(settings.map(([name, row]) => [name, row.default]));
    assert.deepEqual(problemsOf(defaults), []);
    assert.ok(settings.length >= 17, `only ${settings.length} settings`);
  });

  it("gives only times a fraction: what is counted is whole", () => {
    for (const [name, row] of settings) {
      const type = name.endsWith("_s") ? "number" : "integer";
      assert.equal("type" in row && row.type, name.endsWith("_open") ? "boolean" : type, name);
    }
  });

  it("cannot be changed in place", () => {
    assert.throws(() => Object.assign(LIMITS, { tick_s: 2 }), TypeError);
    assert.throws(() => Object.assign(FIXED, { stall_ms: 2 }), TypeError);
  });
});

describe("a change of settings", () => {
  const rows: [what: string, change: Record<string, unknown>, problems: string[]][] = [
    ["nothing", {}, []],
    ["the bounds themselves", { max_concurrent: 0, budget_s: 86_400, tick_s: 0.01 }, []],
    ["a name that nobody knows", { turbo: 1 }, ["turbo is no setting"]],
    ["what every object has", { constructor: 1 }, ["constructor is no setting"]],
    ["what never changes", { message_bytes: 1 }, ["message_bytes is fixed"]],
    ["too little", { tick_s: 0 }, ["tick_s takes a number from 0.01 to 3600"]],
    [
      "too much",
      { hourly_quota: 1_000_001 },
      ["hourly_quota takes a whole number from 1 to 1000000"],
    ],
    [
      "part of a match",
      { max_concurrent: 1.5 },
      ["max_concurrent takes a whole number from 0 to 100000"],
    ],
    ["a text", { tick_s: "1" }, ["tick_s takes a number from 0.01 to 3600"]],
    ["no number", { tick_s: NaN }, ["tick_s takes a number from 0.01 to 3600"]],
    [
      "several",
      { tick_s: null, turbo: 1, budget_s: 9 },
      ["tick_s takes a number from 0.01 to 3600", "turbo is no setting"],
    ],
  ];
  for (const [what, change, problems] of rows)
    it(`to ${what}: ${problems.length} problems`, () => {
      assert.deepEqual(problemsOf(change), problems);
    });
});
