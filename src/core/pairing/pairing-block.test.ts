import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PAIRING_BLOCKS, pairingBlock } from "./pairing-block.ts";
import type { PairingBlock, QueuedBot, QueueState } from "./pairing-block.ts";

const NO_MEETINGS = { lastOpponent: null, sinceMeetingSeconds: new Map<string, number>() };

const bot = (name: string, changes: Partial<QueuedBot> = {}): QueuedBot => ({
  bot: name,
  owner: `owner of ${name}`,
  house: false,
  hold: null,
  waitSeconds: 1,
  ...NO_MEETINGS,
  ...changes,
});

const house = bot("house-kiter", { owner: "house", house: true });
const [pairA, pairB] = [bot("a"), bot("b")];

const queueState = (bots: readonly QueuedBot[], changes: Partial<QueueState> = {}): QueueState => ({
  bots,
  capacity: { max: 320, available: 300 },
  houseStartsAvailable: 16,
  isDraining: false,
  hasUnsavedResults: false,
  numbers: { rematchHoldSeconds: 10 },
  graceSeconds: 4,
  ...changes,
});

const afterMeeting = (waitSeconds: number) => [
  bot("a", { waitSeconds, lastOpponent: "b", sinceMeetingSeconds: new Map([["b", 3]]) }),
  bot("b", { waitSeconds }),
];
const ownedByAda = (name: string) => bot(name, { owner: "ada" });
const onHold = (name: string, hold: QueuedBot["hold"]) => bot(name, { hold });

const CASES: [PairingBlock, QueueState][] = [
  ["draining", queueState([pairA, pairB], { isDraining: true })],
  ["results_unsaved", queueState([pairA, pairB], { hasUnsavedResults: true })],
  ["nobody_waiting", queueState([])],
  ["nobody_waiting", queueState([house])],
  ["capacity_zero", queueState([pairA, pairB], { capacity: { max: 0, available: 0 } })],
  ["capacity_full", queueState([pairA, pairB], { capacity: { max: 2, available: 0 } })],
  ["quota", queueState([onHold("a", "hourly_quota"), onHold("b", "owner_daily_quota"), house])],
  [
    "owner_concurrency",
    queueState([onHold("a", "owner_concurrency"), onHold("b", "owner_concurrency")]),
  ],
  ["all_held", queueState([onHold("a", "hourly_quota"), onHold("b", "practice")])],
  ["one_bot", queueState([pairA])],
  ["one_bot", queueState([pairA, onHold("b", "hourly_quota")])],
  [
    "one_owner",
    queueState([
      ownedByAda("a"),
      ownedByAda("b"),
      ownedByAda("c"),
      ownedByAda("d"),
      ownedByAda("e"),
    ]),
  ],
  [
    "house_capacity",
    queueState([ownedByAda("a"), ownedByAda("b"), house], { houseStartsAvailable: 0 }),
  ],
  ["rematch_hold", queueState(afterMeeting(30))],
  ["rating_window", queueState([bot("a", { waitSeconds: 5 }), pairB])],
];

describe("the reason why no match starts", () => {
  for (const [block, actualBlock] of CASES)
    it(`is ${block} for ${actualBlock.bots.map((singleBot) => singleBot.bot).join(", ") || "an empty queue"}`, () => {
      assert.equal(pairingBlock(actualBlock), block);
    });

  it("has a test case for every reason", () => {
    assert.deepEqual([...new Set(CASES.map(([block]) => block))], [...PAIRING_BLOCKS]);
  });

  it("is null while a pair can start in the next wave", () => {
    assert.equal(pairingBlock(queueState([pairA, pairB])), null);
    assert.equal(pairingBlock(queueState([pairA, house])), null);
    assert.equal(pairingBlock(queueState([ownedByAda("a"), ownedByAda("b"), bot("c")])), null);
  });
});
