// A rehearsal with few bots: what it measures, what it suggests, and that nothing stays.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";
import { ROOT } from "#testing/tidy/sources.ts";

import { capacityOf, printed } from "./capacity.ts";
import type { CapacityReport, Rehearsed } from "./capacity.ts";

describe("bout rehearse", () => {
  it("plays on a server of its own, reports, and leaves nothing behind", async () => {
    const place = temporaryFolder();
    const flags = ["--bots", "6", "--minutes", "0.15", "--on", place, "--json"];
    const { code, out, err } = await runBout(["rehearse", ...flags], "", place, {
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

  it("cleans up when it is interrupted", async () => {
    const place = temporaryFolder();
    const args = [join(ROOT, "bin/bout.ts"), "rehearse", "--bots", "4", "--on", place];
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    while (readdirSync(place).length === 0) await pause(50);
    child.kill("SIGINT");
    const [code] = (await once(child, "exit")) as [number | null];
    assert.equal(code, 1);
    assert.deepEqual(readdirSync(place), []);
  });

  it("refuses numbers that make no sense, and a place that is missing", async () => {
    for (const flags of [
      ["--bots", "1"],
      ["--minutes", "x"],
    ])
      assert.equal((await runBout(["rehearse", ...flags])).code, 2);
    const { code, err } = await runBout(["rehearse", "--on", join(temporaryFolder(), "none")]);
    assert.deepEqual([code, err.includes("ENOENT")], [1, true]);
  });
});

describe("the limit that a rehearsal suggests", () => {
  const measured: Rehearsed = {
    bots: 20,
    seconds: 10,
    matches: 5,
    observations: 1000,
    turnaroundMs: [4, 5, 6],
    timeouts: 0,
    matchMs: 93_000,
    mostRunning: 10,
    stalls: [],
    threadShare: 0.5,
    processShare: 0.8,
    peakBytes: null,
    databaseBytes: 10_000,
    fileBytes: 25_000,
  };
  const cases: [name: string, changes: Partial<Rehearsed>, limit: number | null][] = [
    ["grows with the room that the thread has", {}, 14],
    ["grows twofold at most", { threadShare: 0.01 }, 20],
    ["shrinks where the thread is full", { threadShare: 1 }, 7],
    ["stays where answers are late", { turnaroundMs: [60, 60] }, 10],
    ["is half where turns were lost", { timeouts: 1 }, 5],
    ["is half where answers are very late", { turnaroundMs: [300] }, 5],
    ["stays where the system does not tell", { threadShare: null }, 10],
    ["is unknown without a match", { mostRunning: 0, turnaroundMs: [] }, null],
  ];
  for (const [name, changes, limit] of cases)
    it(name, () => {
      const report = capacityOf({ ...measured, ...changes });
      assert.equal(report.suggested.max_concurrent, limit);
      assert.equal(report.running, 9.3);
      assert.deepEqual(report.bytes_per_match, { database: 2000, replay: 5000 });
    });

  it("says why it is unknown, and what to try", () => {
    const lineOf = (changes: Partial<Rehearsed>) =>
      printed(capacityOf({ ...measured, ...changes })).find((line) => line.startsWith("suggested"));
    assert.match(lineOf({}) ?? "", /--max-concurrent 14$/);
    for (const [changes, why] of [
      [{ mostRunning: 0, matches: 0, turnaroundMs: [] }, /no match ended/],
      [{ turnaroundMs: [] }, /no tick was followed/],
    ] as const) {
      assert.match(lineOf(changes) ?? "", why);
      assert.match(lineOf(changes) ?? "", /Try more --bots/);
    }
  });
});
