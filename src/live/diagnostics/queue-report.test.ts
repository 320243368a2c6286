import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { PairingBlock } from "#core/pairing/pairing-block.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";

type Changes = Parameters<typeof testArena>[0];

async function reportOf(owners: readonly string[], changes: Changes = {}) {
  const test = await testArena(changes);
  for (const [number, owner] of owners.entries()) {
    const name = `bot-${number}`;
    await test.addArenaBot(name, { owner, ownerId: owner });
    const bot = await test.connect(name);
    bot.autoPlays = true;
    bot.send({ type: "queue", version: "v1" });
  }
  await test.advanceTime(7000);
  return { test, report: test.arena.queueReports().find(({ ladderId }) => ladderId === "public") };
}

describe("the queue report", () => {
  const CASES: [PairingBlock, owners: string[], changes?: Changes][] = [
    ["nobody_waiting", []],
    ["one_bot", ["ada"]],
    ["one_owner", ["ada", "ada", "ada", "ada", "ada"]],
    ["capacity_zero", ["ada", "bob"], { limits: { max_concurrent: 0 } }],
    ["quota", ["ada", "bob"], { limits: { hourly_quota: 0 } }],
  ];
  for (const [block, owners, changes] of CASES)
    it(`shows ${block} for bots owned by ${owners.join(", ") || "nobody"}`, async () => {
      const { report } = await reportOf(owners, changes);
      assert.equal(report?.blockedBy, block);
      assert.equal(report?.waiting, owners.length);
      if (owners.length === 0) assert.equal(report?.longestWaitSeconds, null);
      else assert.ok(report!.longestWaitSeconds! >= 6);
      assert.equal(report?.sinceStartSeconds, null);
    });

  it("shows the time since the last match start and detects the rematch hold", async () => {
    const { test, report } = await reportOf(["ada", "bob"]);
    assert.deepEqual([report?.waiting, report?.blockedBy], [0, "nobody_waiting"]);
    assert.ok(report!.sinceStartSeconds! >= 4);
    await test.advanceUntil(() => test.arena.runningMatches().length === 0);
    for (const name of ["bot-0", "bot-1"]) {
      const bot = await test.connect(name);
      bot.send({ type: "queue", version: "v1" });
    }
    await test.advanceTime(100);
    const nextReport = test.arena.queueReports()[0];
    assert.deepEqual([nextReport?.waiting, nextReport?.blockedBy], [2, "rematch_hold"]);
  });
});
