import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { ROOT } from "#testing/tidy/sources.ts";

import { createCapacityReport, formatCapacityReport } from "./capacity.ts";
import type { CapacityReport, LoadMeasurements } from "./capacity.ts";

describe("bout load-test", () => {
  it("plays on a temporary server, prints a report, and leaves no files", async () => {
    const place = temporaryTestFolder();
    const flags = ["--bots", "6", "--minutes", "0.15", "--on", place, "--json"];
    const { code, out, err } = await runBout(["load-test", ...flags], "", place, {
      BOUT_DATABASE: "postgres://nobody@127.0.0.1:9/none",
    });
    assert.deepEqual([code, err], [0, ""]);
    const report = JSON.parse(out) as CapacityReport;
    assert.equal(report.bots, 6);
    assert.ok(report.matches > 0 && report.ticks_per_second > 0, out);
    assert.ok(report.running > 0 && report.running <= 3, out);
    assert.ok((report.turnaround_ms.p99 ?? 0) >= (report.turnaround_ms.p50 ?? 1), out);
    assert.ok((report.bytes_per_match.replay ?? 0) > 500, out);
    assert.ok((report.suggested.max_concurrent ?? 0) >= 1, out);
    assert.deepEqual(readdirSync(place), []);
  });

  it("cleans up if it is interrupted", async () => {
    const place = temporaryTestFolder();
    const args = [join(ROOT, "bin/bout.ts"), "load-test", "--bots", "4", "--on", place];
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    while (readdirSync(place).length === 0) await pause(50);
    child.kill("SIGINT");
    const [code] = (await once(child, "exit")) as [number | null];
    assert.equal(code, 1);
    assert.deepEqual(readdirSync(place), []);
  });

  it("rejects invalid numbers and a missing folder", async () => {
    for (const flags of [
      ["--bots", "1"],
      ["--minutes", "x"],
    ])
      assert.equal((await runBout(["load-test", ...flags])).code, 2);
    const { code, err } = await runBout(["load-test", "--on", join(temporaryTestFolder(), "none")]);
    assert.deepEqual([code, err.includes("ENOENT")], [1, true]);
  });
});

describe("the limit suggested by a load test", () => {
  const measurements: LoadMeasurements = {
    bots: 20,
    seconds: 10,
    matches: 5,
    observations: 1000,
    turnaroundMs: [4, 5, 6],
    timeouts: 0,
    matchMs: 93_000,
    maxRunning: 10,
    stalls: [],
    threadShare: 0.5,
    processShare: 0.8,
    peakBytes: null,
    databaseBytes: 10_000,
    fileBytes: 25_000,
  };
  const cases: [name: string, changes: Partial<LoadMeasurements>, limit: number | null][] = [
    ["grows with the reserve of the thread", {}, 14],
    ["at most doubles", { threadShare: 0.01 }, 20],
    ["shrinks if the thread is overloaded", { threadShare: 1 }, 7],
    ["is the tested number if answers are late", { turnaroundMs: [60, 60] }, 10],
    ["is half the tested number if turns were lost", { timeouts: 1 }, 5],
    ["is half the tested number if answers are very late", { turnaroundMs: [300] }, 5],
    ["is the tested number if the system reports no CPU times", { threadShare: null }, 10],
    ["is unknown without a match", { maxRunning: 0, turnaroundMs: [] }, null],
  ];
  for (const [name, changes, limit] of cases)
    it(name, () => {
      const report = createCapacityReport({ ...measurements, ...changes });
      assert.equal(report.suggested.max_concurrent, limit);
      assert.equal(report.running, 9.3);
      assert.deepEqual(report.bytes_per_match, { database: 2000, replay: 5000 });
    });

  it("explains why it is unknown, and what to try", () => {
    const lineOf = (changes: Partial<LoadMeasurements>) =>
      formatCapacityReport(createCapacityReport({ ...measurements, ...changes })).find((line) =>
        line.startsWith("suggested"),
      );
    assert.match(lineOf({}) ?? "", /--max-concurrent 14$/);
    for (const [changes, why] of [
      [{ maxRunning: 0, matches: 0, turnaroundMs: [] }, /no match ended/],
      [{ turnaroundMs: [] }, /no tick was followed/],
    ] as const) {
      assert.match(lineOf(changes) ?? "", why);
      assert.match(lineOf(changes) ?? "", /Try a higher --bots/);
    }
  });
});
