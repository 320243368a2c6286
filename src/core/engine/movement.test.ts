import assert from "node:assert/strict";
import { test } from "node:test";

import { playTestTick, sceneOnMap } from "#testing/fixtures/tick-cases.ts";

import type { Tile, Turn } from "./types.ts";

type Walk = { name: string; at: Tile[]; turns: Turn[]; events: string[]; ends: Tile[] };

const WALKS: Walk[] = [
  {
    name: "a move covers one tile",
    at: [
      [6, 7],
      [12, 12],
    ],
    turns: [{ move: "ne" }, {}],
    events: [],
    ends: [
      [7, 6],
      [12, 12],
    ],
  },
  {
    name: "a dash covers three tiles",
    at: [
      [6, 7],
      [12, 12],
    ],
    turns: [{ dash: "e" }, {}],
    events: [],
    ends: [
      [9, 7],
      [12, 12],
    ],
  },
  {
    name: "a dash ends at a wall without penalty",
    at: [
      [12, 7],
      [12, 12],
    ],
    turns: [{ dash: "e" }, {}],
    events: [],
    ends: [
      [13, 7],
      [12, 12],
    ],
  },
  {
    name: "two fighters that target the same tile both stop",
    at: [
      [6, 7],
      [8, 7],
    ],
    turns: [{ move: "e" }, { move: "w" }],
    events: ["rejected A move blocked", "rejected B move blocked"],
    ends: [
      [6, 7],
      [8, 7],
    ],
  },
  {
    name: "two fighters that target each other's tiles both stop",
    at: [
      [6, 7],
      [7, 7],
    ],
    turns: [{ move: "e" }, { move: "w" }],
    events: ["rejected A move blocked", "rejected B move blocked"],
    ends: [
      [6, 7],
      [7, 7],
    ],
  },
  {
    name: "a fighter that targets the tile of a standing one stops",
    at: [
      [6, 7],
      [7, 7],
    ],
    turns: [{ move: "e" }, {}],
    events: ["rejected A move blocked"],
    ends: [
      [6, 7],
      [7, 7],
    ],
  },
  {
    name: "a fighter may follow another",
    at: [
      [6, 7],
      [7, 7],
    ],
    turns: [{ move: "e" }, { move: "n" }],
    events: [],
    ends: [
      [7, 7],
      [7, 6],
    ],
  },
  {
    name: "a blocked head stops the whole queue",
    at: [
      [5, 7],
      [6, 7],
      [7, 7],
    ],
    turns: [{ move: "e" }, { move: "e" }, {}],
    events: ["rejected A move blocked", "rejected B move blocked"],
    ends: [
      [5, 7],
      [6, 7],
      [7, 7],
    ],
  },
  {
    name: "a ring of three may rotate",
    at: [
      [6, 6],
      [7, 6],
      [6, 7],
    ],
    turns: [{ move: "e" }, { move: "sw" }, { move: "n" }],
    events: [],
    ends: [
      [7, 6],
      [6, 7],
      [6, 6],
    ],
  },
  {
    name: "a ring of four may rotate",
    at: [
      [6, 6],
      [7, 6],
      [7, 7],
      [6, 7],
    ],
    turns: [{ move: "e" }, { move: "s" }, { move: "w" }, { move: "n" }],
    events: [],
    ends: [
      [7, 6],
      [7, 7],
      [6, 7],
      [6, 6],
    ],
  },
  {
    name: "crossing on the diagonals of a square is allowed",
    at: [
      [6, 6],
      [7, 6],
    ],
    turns: [{ move: "se" }, { move: "sw" }],
    events: [],
    ends: [
      [7, 7],
      [6, 7],
    ],
  },
  {
    name: "a dash that is blocked later rams and is not refused",
    at: [
      [4, 7],
      [6, 7],
    ],
    turns: [{ dash: "e" }, {}],
    events: ["hit A B collision 4 @6,7"],
    ends: [
      [5, 7],
      [6, 7],
    ],
  },
  {
    name: "a dash that is blocked on its first tile rams and is refused",
    at: [
      [5, 7],
      [6, 7],
    ],
    turns: [{ dash: "e" }, {}],
    events: ["hit A B collision 4 @6,7", "rejected A dash blocked"],
    ends: [
      [5, 7],
      [6, 7],
    ],
  },
  {
    name: "two dashes ram each other",
    at: [
      [4, 7],
      [8, 7],
    ],
    turns: [{ dash: "e" }, { dash: "w" }],
    events: ["hit A B collision 4 @7,7", "hit B A collision 4 @5,7"],
    ends: [
      [5, 7],
      [7, 7],
    ],
  },
  {
    name: "a dash rams a walker, which does no damage",
    at: [
      [5, 7],
      [7, 7],
    ],
    turns: [{ dash: "e" }, { move: "w" }],
    events: ["hit A B collision 4 @7,7", "rejected A dash blocked", "rejected B move blocked"],
    ends: [
      [5, 7],
      [7, 7],
    ],
  },
  {
    name: "a dash may follow a walker until it stops",
    at: [
      [5, 7],
      [6, 7],
    ],
    turns: [{ dash: "e" }, { move: "e" }],
    events: ["hit A B collision 4 @7,7"],
    ends: [
      [6, 7],
      [7, 7],
    ],
  },
  {
    name: "a dash rams all fighters that target its tile",
    at: [
      [6, 7],
      [7, 6],
      [8, 7],
    ],
    turns: [{ dash: "e" }, { move: "s" }, { dash: "w" }],
    events: [
      "hit A B collision 4 @7,6",
      "hit A C collision 4 @8,7",
      "rejected A dash blocked",
      "rejected B move blocked",
      "hit C A collision 4 @6,7",
      "hit C B collision 4 @7,6",
      "rejected C dash blocked",
    ],
    ends: [
      [6, 7],
      [7, 6],
      [8, 7],
    ],
  },
];

for (const { name, at, turns, events, ends } of WALKS) {
  test(name, () => {
    const fight = sceneOnMap("courtyard", ...at);
    assert.deepEqual(playTestTick(fight, ...turns), events);
    assert.deepEqual(
      at.map((_, seat) => [fight.x[seat], fight.y[seat]]),
      ends,
    );
  });
}

test("a fallen fighter doesn't block others", () => {
  const fight = sceneOnMap("courtyard", [6, 7], [7, 7], [1, 1]);
  fight.alive[1] = 0;
  assert.deepEqual(playTestTick(fight, { move: "e" }), []);
  assert.deepEqual([fight.x[0], fight.y[0]], [7, 7]);
});
