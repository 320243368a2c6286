import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PAIRING_BLOCKS, pairingBlock } from "./blocked.ts";
import type { PairingBlock, QueuedBot, QueueFacts } from "./blocked.ts";

const NEVER_MET = { lastOpponent: null, sinceMeetingSeconds: new Map<string, number>() };

const bot = (name: string, changes: Partial<QueuedBot> = {}): QueuedBot => ({
  bot: name,
  owner: `owner of ${name}`,
  house: false,
  hold: null,
  waitSeconds: 1,
  ...NEVER_MET,
  ...changes,
});

const house = bot("house-kiter", { owner: "house", house: true });
const [a, b] = [bot("a"), bot("b")];

const facts = (bots: readonly QueuedBot[], changes: Partial<QueueFacts> = {}): QueueFacts => ({
  bots,
  capacity: { max: 320, room: 300 },
  houseRoom: 16,
  isDraining: false,
  isUnsaved: false,
  numbers: { rematchHoldSeconds: 10 },
  graceSeconds: 4,
  ...changes,
});

const justMet = (waitSeconds: number) => [
  bot("a", { waitSeconds, lastOpponent: "b", sinceMeetingSeconds: new Map([["b", 3]]) }),
  bot("b", { waitSeconds }),
];
const ofOne = (name: string) => bot(name, { owner: "ada" });
const held = (name: string, hold: QueuedBot["hold"]) => bot(name, { hold });

const CASES: [PairingBlock, QueueFacts][] = [
  ["draining", facts([a, b], { isDraining: true })],
  ["results_unsaved", facts([a, b], { isUnsaved: true })],
  ["nobody_waiting", facts([])],
  ["nobody_waiting", facts([house])],
  ["capacity_zero", facts([a, b], { capacity: { max: 0, room: 0 } })],
  ["capacity_full", facts([a, b], { capacity: { max: 2, room: 0 } })],
  ["quota", facts([held("a", "hourly_quota"), held("b", "owner_daily_quota"), house])],
  ["owner_concurrency", facts([held("a", "owner_concurrency"), held("b", "owner_concurrency")])],
  ["all_held", facts([held("a", "hourly_quota"), held("b", "practice")])],
  ["one_bot", facts([a])],
  ["one_bot", facts([a, held("b", "hourly_quota")])],
  ["one_owner", facts([ofOne("a"), ofOne("b"), ofOne("c"), ofOne("d"), ofOne("e")])],
  ["house_capacity", facts([ofOne("a"), ofOne("b"), house], { houseRoom: 0 })],
  ["rematch_hold", facts(justMet(30))],
  ["rating_window", facts([bot("a", { waitSeconds: 5 }), b])],
];

describe("why no match starts", () => {
  for (const [block, given] of CASES)
    it(`is ${block} for ${given.bots.map((one) => one.bot).join(", ") || "an empty queue"}`, () => {
      assert.equal(pairingBlock(given), block);
    });

  it("has a case for every reason", () => {
    assert.deepEqual([...new Set(CASES.map(([block]) => block))], [...PAIRING_BLOCKS]);
  });

  it("is null while a pair may start in the next wave", () => {
    assert.equal(pairingBlock(facts([a, b])), null);
    assert.equal(pairingBlock(facts([a, house])), null);
    assert.equal(pairingBlock(facts([ofOne("a"), ofOne("b"), bot("c")])), null);
  });
});
