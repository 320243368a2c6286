import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { FIXED_LIMITS, DEFAULT_LIMITS, LIMIT_GROUPS, LIMIT_TABLE, limitNamesIn } from "./limits.ts";
import { settingErrors } from "./settings.ts";

describe("the limit table", () => {
  const settings = Object.entries(LIMIT_TABLE).filter(([name]) => !(name in FIXED_LIMITS));

  it("lists each limit in one group", () => {
    const names = LIMIT_GROUPS.flatMap((group): string[] => limitNamesIn(group));
    assert.deepEqual(names, Object.keys(LIMIT_TABLE));
  });

  it("has defaults within the bounds of each setting", () => {
    const defaults = Object.fromEntries(settings.map(([name, row]) => [name, row.default]));
    assert.deepEqual(settingErrors(defaults), []);
    assert.ok(settings.length >= 17, `only ${settings.length} settings`);
  });

  it("allows fractions for times and integers for counts", () => {
    for (const [name, row] of settings) {
      const type = name.endsWith("_s") ? "number" : "integer";
      assert.equal("type" in row && row.type, name.endsWith("_open") ? "boolean" : type, name);
    }
  });

  it("is read-only", () => {
    assert.throws(() => Object.assign(DEFAULT_LIMITS, { tick_s: 2 }), TypeError);
    assert.throws(() => Object.assign(FIXED_LIMITS, { stall_ms: 2 }), TypeError);
  });
});

describe("a settings change", () => {
  const rows: [what: string, change: Record<string, unknown>, problems: string[]][] = [
    ["nothing", {}, []],
    ["the bounds themselves", { max_concurrent: 0, budget_s: 86_400, tick_s: 0.01 }, []],
    ["an unknown name", { turbo: 1 }, ["turbo is not a setting"]],
    ["a property of every object", { constructor: 1 }, ["constructor is not a setting"]],
    ["a fixed limit", { message_bytes: 1 }, ["message_bytes cannot be changed"]],
    ["too little", { tick_s: 0 }, ["tick_s takes a number from 0.01 to 3600"]],
    [
      "too much",
      { hourly_quota: 1_000_001 },
      ["hourly_quota takes a whole number from 1 to 1000000"],
    ],
    [
      "a fraction of a match",
      { max_concurrent: 1.5 },
      ["max_concurrent takes a whole number from 0 to 100000"],
    ],
    ["a text", { tick_s: "1" }, ["tick_s takes a number from 0.01 to 3600"]],
    ["no number", { tick_s: NaN }, ["tick_s takes a number from 0.01 to 3600"]],
    [
      "several",
      { tick_s: null, turbo: 1, budget_s: 9 },
      ["tick_s takes a number from 0.01 to 3600", "turbo is not a setting"],
    ],
  ];
  for (const [description, change, problems] of rows)
    it(`validates ${description}: ${problems.length} problems`, () => {
      assert.deepEqual(settingErrors(change), problems);
    });
});
