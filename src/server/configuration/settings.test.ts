import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { DEFAULT_LIMITS, limitsWith } from "#core/limits/limits.ts";
import { NO_BOUNDS } from "#core/limits/settings.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { sampleAudit } from "#testing/store-contract/store-samples.ts";

import { readServeOptions } from "./flags.ts";
import { LIMIT_FLAGS, limitsOf } from "./limit-flags.ts";
import { restoreSettings, openSettings } from "./settings.ts";

describe("settings", () => {
  it("replace all values and increment the revision with each change", () => {
    const settings = openSettings(limitsWith({ tick_s: 2, wave_every_s: 0.1 }));
    const before = settings.current();
    settings.change({ budget_s: 9 });
    const middle = settings.current();
    settings.change({ hourly_quota: 8 });
    const snapshots = [before, middle, settings.current()].map(
      ({ tick_s, wave_every_s, budget_s, hourly_quota }) =>
        [tick_s, wave_every_s, budget_s, hourly_quota].join(" "),
    );
    assert.deepEqual(snapshots, ["2 0.1 300 10000", "2 0.1 9 10000", "2 0.1 300 8"]);
    assert.equal(settings.revision(), 2);
  });

  it("keep a ladder's limits until the next change or until the ladder is removed", () => {
    const settings = openSettings(DEFAULT_LIMITS);
    const bound = { maxConcurrent: 3, ownerConcurrency: null };
    settings.change({}, { cup: bound, dusk: bound });
    assert.deepEqual(
      [settings.ladderBounds("cup"), settings.ladderBounds("dawn")],
      [bound, NO_BOUNDS],
    );
    assert.deepEqual(settings.ladderBounds("constructor"), NO_BOUNDS);
    settings.removeLadder("cup");
    assert.deepEqual(
      [settings.ladderBounds("cup"), settings.ladderBounds("dusk")],
      [NO_BOUNDS, bound],
    );
    settings.change({ tick_s: 2 });
    assert.deepEqual(settings.ladderBounds("dusk"), NO_BOUNDS);
  });

  it("are unaffected by an invalid change", () => {
    const settings = openSettings(DEFAULT_LIMITS);
    const invalidOverrides = { tick_s: 0, budget_s: 9 };
    assert.throws(() => settings.change(invalidOverrides), /^RangeError: tick_s takes a number/);
    assert.deepEqual([settings.current(), settings.revision()], [DEFAULT_LIMITS, 0]);
  });
});

describe("stored settings", () => {
  it("apply at startup, except invalid settings, which are logged", async () => {
    const store = memoryStore();
    const settings = openSettings(limitsWith({ budget_s: 9 }));
    const log: object[] = [];
    const warn = (fields: object) => void log.push(fields);
    await restoreSettings(store, settings, { warn });
    assert.deepEqual([settings.revision(), settings.current().budget_s, log], [0, 9, []]);
    const publicBounds = { maxConcurrent: 7, ownerConcurrency: null };
    const storedChange = {
      from: 0,
      overrides: { tick_s: 2, budget_s: 1e9, gone_s: 3, message_bytes: 4, signup_open: false },
      bounds: { public: publicBounds },
      changes: [],
      accountId: "x",
    };
    await store.settings.change(storedChange, 50, sampleAudit(1));
    await restoreSettings(store, settings, { warn });
    const { tick_s, budget_s, signup_open } = settings.current();
    assert.deepEqual([settings.revision(), tick_s, budget_s, signup_open], [1, 2, 9, false]);
    assert.deepEqual(settings.ladderBounds("public"), publicBounds);
    assert.deepEqual(log, [
      { problem: "budget_s takes a number from 0.01 to 86400" },
      { problem: "gone_s is not a setting" },
      { problem: "message_bytes cannot be changed" },
    ]);
  });
});

describe("limit flags", () => {
  const limitsFromFlags = (args: string[], environment = {}) => {
    const options = readServeOptions(args, environment);
    return "error" in options ? options.error : limitsOf(options);
  };

  it("default to the limits table", () => {
    assert.deepEqual(limitsFromFlags([]), DEFAULT_LIMITS);
    assert.equal(LIMIT_FLAGS.length, 10);
  });

  it("override the defaults, as do environment variables", () => {
    const environment = { BOUT_DRAIN_TIMEOUT: "2.5", BOUT_TICK_SECONDS: "9" };
    const given = limitsFromFlags(["--max-concurrent", "0", "--tick-seconds", "3"], environment);
    assert.deepEqual(given, limitsWith({ max_concurrent: 0, tick_s: 3, drain_timeout_s: 2.5 }));
  });

  it("must be within the range given in the table", () => {
    assert.equal(
      limitsFromFlags(["--owner-concurrency", "0"]),
      '--owner-concurrency is "0", but takes a whole number from 1 to 100000',
    );
    assert.equal(
      limitsFromFlags(["--ping-interval", "0.04"]),
      '--ping-interval is "0.04", but takes seconds from 0.05 to 3600, such as 0.05 or 2.5',
    );
  });
});
