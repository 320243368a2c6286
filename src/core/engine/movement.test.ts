import assert from "node:assert/strict";
import { test } from "node:test";

import { playTick, sceneOn } from "#testing/fixtures/fight-scene.ts";

import type { Tile, Turn } from "./types.ts";

type Walk = { name: string; at: Tile[]; turns: Turn[]; events: string[]; ends: Tile[] };

const WALKS: Walk[] = [
  {
    name: "a move makes one tile",
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
    name: "a dash makes three tiles",
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
    name: "two who want the same tile both stop",
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
    name: "two who want each other's tiles both stop",
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
    name: "who wants the tile of one that stays stops",
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
    name: "following someone is allowed",
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
    name: "a queue stops from its blocked head back",
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
    name: "a ring of three may turn",
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
    name: "a ring of four may turn",
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
    name: "a dash that is stopped later rams and is not refused",
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
    name: "a dash that is stopped at once rams and is refused",
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
    name: "a dash may follow a walker until it stands",
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
    name: "a dash rams all who want its tile",
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
    const fight = sceneOn("courtyard", ...at);
    assert.deepEqual(playTick(fight, ...turns), events);
    assert.deepEqual(
      at.map((_, seat) => [fight.x[seat], fight.y[seat]]),
      ends,
    );
  });
}

test("a fallen fighter blocks nobody", () => {
  const fight = sceneOn("courtyard", [6, 7], [7, 7], [1, 1]);
  fight.alive[1] = 0;
  assert.deepEqual(playTick(fight, { move: "e" }), []);
  assert.deepEqual([fight.x[0], fight.y[0]], [7, 7]);
});
