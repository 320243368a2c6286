import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { LIMITS, limitsWith } from "#core/words/limits.ts";
import { NO_BOUNDS } from "#core/words/settings.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { sampleAudit } from "#testing/store-cases/store-samples.ts";

import { readServeOptions } from "./flags.ts";
import { LIMIT_FLAGS, limitsOf } from "./limit-flags.ts";
import { keepSettings, openSettings } from "./settings.ts";

describe("settings", () => {
  it("are replaced whole by a change, and counted", () => {
    const settings = openSettings(limitsWith({ tick_s: 2, wave_every_s: 0.1 }));
    const before = settings.current();
    settings.change({ budget_s: 9 });
    const between = settings.current();
    settings.change({ hourly_quota: 8 });
    const figures = [before, between, settings.current()].map(
      ({ tick_s, wave_every_s, budget_s, hourly_quota }) =>
        [tick_s, wave_every_s, budget_s, hourly_quota].join(" "),
    );
    assert.deepEqual(figures, ["2 0.1 300 10000", "2 0.1 9 10000", "2 0.1 300 8"]);
    assert.equal(settings.revision(), 2);
  });

  it("say what they bound a ladder to until the next change, or until it is gone", () => {
    const settings = openSettings(LIMITS);
    const bound = { maxConcurrent: 3, ownerConcurrency: null };
    settings.change({}, { cup: bound, dusk: bound });
    assert.deepEqual([settings.boundsOf("cup"), settings.boundsOf("dawn")], [bound, NO_BOUNDS]);
    assert.deepEqual(settings.boundsOf("constructor"), NO_BOUNDS);
    settings.forget("cup");
    assert.deepEqual([settings.boundsOf("cup"), settings.boundsOf("dusk")], [NO_BOUNDS, bound]);
    settings.change({ tick_s: 2 });
    assert.deepEqual(settings.boundsOf("dusk"), NO_BOUNDS);
  });

  it("stay unchanged if a change is invalid", () => {
    const settings = openSettings(LIMITS);
    const wrong = { tick_s: 0, budget_s: 9 };
    assert.throws(() => settings.change(wrong), /^RangeError: tick_s takes a number/);
    assert.deepEqual([settings.current(), settings.revision()], [LIMITS, 0]);
  });
});

describe("stored settings", () => {
  it("are in force at a start but for what this build refuses, which the log names", async () => {
    const store = memoryStore();
    const settings = openSettings(limitsWith({ budget_s: 9 }));
    const log: object[] = [];
    const warn = (fields: object) => void log.push(fields);
    await keepSettings(store, settings, { warn });
    assert.deepEqual([settings.revision(), settings.current().budget_s, log], [0, 9, []]);
    const ofPublic = { maxConcurrent: 7, ownerConcurrency: null };
    const next = {
      from: 0,
      overrides: { tick_s: 2, budget_s: 1e9, gone_s: 3, message_bytes: 4, signup_open: false },
      bounds: { public: ofPublic },
      changes: [],
      accountId: "x",
    };
    await store.settings.change(next, 50, sampleAudit(1));
    await keepSettings(store, settings, { warn });
    const { tick_s, budget_s, signup_open } = settings.current();
    assert.deepEqual([settings.revision(), tick_s, budget_s, signup_open], [1, 2, 9, false]);
    assert.deepEqual(settings.boundsOf("public"), ofPublic);
    assert.deepEqual(log, [
      { problem: "budget_s takes a number from 0.01 to 86400" },
      { problem: "gone_s is no setting" },
      { problem: "message_bytes is fixed" },
    ]);
  });
});

describe("the flags of limits", () => {
  const limitsGiven = (args: string[], environment = {}) => {
    const options = readServeOptions(args, environment);
    return "error" in options ? options.error : limitsOf(options);
  };

  it("without any are the defaults", () => {
    assert.deepEqual(limitsGiven([]), LIMITS);
    assert.equal(LIMIT_FLAGS.length, 10);
  });

  it("and variables override them", () => {
    const environment = { BOUT_DRAIN_TIMEOUT: "2.5", BOUT_TICK_SECONDS: "9" };
    const given = limitsGiven(["--max-concurrent", "0", "--tick-seconds", "3"], environment);
    assert.deepEqual(given, limitsWith({ max_concurrent: 0, tick_s: 3, drain_timeout_s: 2.5 }));
  });

  it("are held to the bounds of the table", () => {
    assert.equal(
      limitsGiven(["--owner-concurrency", "0"]),
      '--owner-concurrency is "0", but takes a whole number from 1 to 100000',
    );
    assert.equal(
      limitsGiven(["--ping-interval", "0.04"]),
      '--ping-interval is "0.04", but takes seconds from 0.05 to 3600, such as 0.05 or 2.5',
    );
  });
});
