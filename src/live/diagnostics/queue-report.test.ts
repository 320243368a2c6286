import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { PairingBlock } from "#core/pairing/blocked.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";

type Changes = Parameters<typeof testArena>[0];

/** Queues bots of the given owners, and returns the report of Public after some waves. */
async function reportOf(owners: readonly string[], changes: Changes = {}) {
  const test = await testArena(changes);
  for (const [number, owner] of owners.entries()) {
    const name = `bot-${number}`;
    await test.addBot(name, { owner, ownerId: owner });
    const bot = await test.connect(name);
    bot.plays = true;
    bot.say({ type: "queue", version: "v1" });
  }
  await test.pass(7000);
  return { test, report: test.arena.queues().find(({ ladderId }) => ladderId === "public") };
}

describe("the report of a queue", () => {
  const CASES: [PairingBlock, owners: string[], changes?: Changes][] = [
    ["nobody_waiting", []],
    ["one_bot", ["ada"]],
    ["one_owner", ["ada", "ada", "ada", "ada", "ada"]],
    ["capacity_zero", ["ada", "bob"], { limits: { max_concurrent: 0 } }],
    ["quota", ["ada", "bob"], { limits: { hourly_quota: 0 } }],
  ];
  for (const [block, owners, changes] of CASES)
    it(`says ${block} for bots of ${owners.join(", ") || "nobody"}`, async () => {
      const { report } = await reportOf(owners, changes);
      assert.equal(report?.blockedBy, block);
      assert.equal(report?.waiting, owners.length);
      if (owners.length === 0) assert.equal(report?.longestWaitSeconds, null);
      else assert.ok(report!.longestWaitSeconds! >= 6);
      assert.equal(report?.sinceStartSeconds, null);
    });

  it("counts the time since the last match started, and knows the rematch hold", async () => {
    const { test, report } = await reportOf(["ada", "bob"]);
    assert.deepEqual([report?.waiting, report?.blockedBy], [0, "nobody_waiting"]);
    assert.ok(report!.sinceStartSeconds! >= 4);
    await test.until(() => test.arena.running().length === 0);
    for (const name of ["bot-0", "bot-1"]) {
      const bot = await test.connect(name);
      bot.say({ type: "queue", version: "v1" });
    }
    await test.pass(100);
    const again = test.arena.queues()[0];
    assert.deepEqual([again?.waiting, again?.blockedBy], [2, "rematch_hold"]);
  });
});
