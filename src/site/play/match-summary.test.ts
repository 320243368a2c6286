import assert from "node:assert/strict";
import { it } from "node:test";

import { humanMatchBots, summarizeHumanMatch } from "./match-summary.ts";
import type { PlayEndMessage, PlayHelloMessage } from "./messages.ts";

const hello = {
  type: "hello",
  fighter: "B",
  opponent: { name: "house-kiter", fighter: "A" },
} as PlayHelloMessage;

it("gives the opponent the portrait of its house bot", () => {
  assert.deepEqual(humanMatchBots(hello), {
    A: { name: "house-kiter", house: true },
    B: { name: "human" },
  });
});

it("summarizes a human match with the numbers of the end message", () => {
  const fighters = [
    { id: "A", damage_dealt: 7, hp: 113, taken_by_source: { bolt: 7, zone: 0 } },
    { id: "B", damage_dealt: 7, hp: 0, taken_by_source: { bolt: 7, zone: 116 } },
  ];
  const end = { winner: "A", reason: "last_standing", stats: { ticks: 133, fighters } };
  const playerNames = { ownId: "B", opponentName: "Kiter" } as const;
  assert.deepEqual(summarizeHumanMatch(end as unknown as PlayEndMessage, playerNames), {
    title: "Kiter won",
    decision: "Knockout in tick 133, mostly by zone",
    rows: [
      { id: "A", name: "Kiter", damageDealt: 7, hp: 113 },
      { id: "B", name: "You", damageDealt: 7, hp: 0 },
    ],
  });
});
