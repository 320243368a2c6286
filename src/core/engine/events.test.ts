import assert from "node:assert/strict";
import { test } from "node:test";

import { playTestTick, sceneOnMap, formatEvent, attackTurn } from "#testing/fixtures/tick-cases.ts";

import { eventsFor, eventsOf } from "./events.ts";
import type { Fight } from "./fight.ts";
import { TICK } from "./fight.ts";
import { HEALTH } from "./integer-codes.ts";
import type { Turn } from "./types.ts";

type ViewCase = {
  name: string;
  before?: (fight: Fight) => void;
  at?: [number, number][];
  turns: (Turn | null)[];
  all: string[];
  viewOfA: string[];
  viewOfC: string[];
};

// A and B are in the north-west room of the map `halls`. C is in the next room and can't see into
// theirs.
const AT: [number, number][] = [
  [3, 1],
  [4, 1],
  [7, 1],
];

const VIEWS: ViewCase[] = [
  {
    name: "shouts, refusals, attacks, hits and new areas",
    turns: [
      { ...attackTurn("strike", "e"), shout: "hi" },
      { move: "n", ...attackTurn("blast", [2, 2]) },
    ],
    all: [
      "attack A strike e @3,1",
      "shout A hi",
      "rejected B move blocked",
      "attack B blast 2,2 @4,1",
      "hit A B strike 8 @4,1",
      "area_spawn B blast radius=2 12 in=2 @2,2",
    ],
    viewOfA: [
      "attack A strike e @3,1",
      "shout A hi",
      "attack B blast 2,2 @4,1",
      "hit A B strike 8 @4,1",
      "area_spawn B blast radius=2 12 in=2 @2,2",
    ],
    viewOfC: [
      "attack A strike",
      "shout A hi",
      "attack B blast",
      "area_spawn B blast radius=2 12 in=2 @2,2",
    ],
  },
  {
    name: "a push with its slam and a collision",
    turns: [{ move: "e", shout: "" }, attackTurn("repulse")],
    all: [
      "rejected A turn bad_text field=shout",
      "attack B repulse null @4,1",
      "hit B A repulse 3 @3,1",
      "hit B A wall_slam 6 @1,1",
      "repulse B A w tiles=2 slam=true @1,1",
      "rejected A move blocked",
    ],
    viewOfA: [
      "rejected turn bad_text field=shout",
      "attack B repulse null @4,1",
      "hit B A repulse 3 @3,1",
      "hit B A wall_slam 6 @1,1",
      "repulse B A w tiles=2 slam=true @1,1",
      "rejected move blocked cause=thrown",
    ],
    viewOfC: ["attack B repulse"],
  },
  {
    name: "a pull",
    at: [AT[0]!, [5, 1], AT[2]!],
    turns: [attackTurn("hook", "e"), null],
    all: ["attack A hook e @3,1", "hit A B hook 3 @5,1", "pull A B w tiles=1 @4,1"],
    viewOfA: ["attack A hook e @3,1", "hit A B hook 3 @5,1", "pull A B w tiles=1 @4,1"],
    viewOfC: ["attack A hook"],
  },
  {
    name: "a bolt is reported at the tile it flew from",
    turns: [{ move: "w", ...attackTurn("bolt", "e") }, null],
    all: ["attack A bolt e @2,1", "hit A B bolt 7 @4,1"],
    viewOfA: ["attack A bolt e @2,1", "hit A B bolt 7 @4,1"],
    viewOfC: ["attack A bolt"],
  },
  {
    name: "zone damage, death and pickups",
    at: [AT[0]!, [1, 1], AT[2]!],
    before: (fight) => {
      fight.words[TICK] = 92;
      fight.hp[1] = 4;
      fight.pickupX[HEALTH] = 3;
      fight.pickupY[HEALTH] = 1;
    },
    turns: [],
    all: ["pickup A health healed=0", "zone_damage B 4 @1,1", "death B @1,1"],
    viewOfA: ["pickup A health healed=0", "zone_damage B 4 @1,1", "death B @1,1"],
    viewOfC: ["pickup A health healed=0", "death B @1,1"],
  },
  {
    name: "a distant explosion and its damage are visible to the owner",
    before: (fight) => {
      fight.areaX.set([3], 4);
      fight.areaY.set([2], 4);
      fight.areaLeft.set([1], 4);
      fight.areaDamage.set([12], 4);
    },
    turns: [],
    all: ["area_explode C blast radius=2 @3,2", "hit C A blast 12 @3,1", "hit C B blast 12 @4,1"],
    viewOfA: [
      "area_explode C blast radius=2 @3,2",
      "hit C A blast 12 @3,1",
      "hit C B blast 12 @4,1",
    ],
    viewOfC: [
      "area_explode C blast radius=2 @3,2",
      "hit C A blast 12 @3,1",
      "hit C B blast 12 @4,1",
    ],
  },
];

for (const { name, at = AT, before, turns, all, viewOfA, viewOfC } of VIEWS) {
  test(`filters events per fighter: ${name}`, () => {
    const fight = sceneOnMap("halls", ...at);
    before?.(fight);
    assert.deepEqual(playTestTick(fight, ...turns), all);
    assert.deepEqual(eventsFor(fight, 0).map(formatEvent), viewOfA);
    assert.deepEqual(eventsFor(fight, 2).map(formatEvent), viewOfC);
  });
}

test("announces pickups to all fighters", () => {
  const fight = sceneOnMap("halls", ...AT);
  fight.words[TICK] = 10;
  assert.equal(playTestTick(fight).length, 2);
  assert.deepEqual(eventsFor(fight, 2), eventsOf(fight));
});

test("visibility depends on the tiles at the end of the tick", () => {
  const fight = sceneOnMap("halls", [3, 2], [4, 2], [8, 3]);
  playTestTick(fight, attackTurn("strike", "e"), null, { move: "n" });
  assert.deepEqual(eventsFor(fight, 2).map(formatEvent), ["attack A strike"]);
});

test("events have exactly the published fields, in order", () => {
  const fight = sceneOnMap("halls", ...AT);
  playTestTick(fight, { ...attackTurn("scorch", [2, 1]), move: "n" }, attackTurn("bolt", "w"));
  assert.deepEqual(eventsOf(fight), [
    { type: "rejected", by: "A", part: "move", reason: "blocked" },
    { type: "attack", by: "A", name: "scorch", x: 3, y: 1, target: [2, 1] },
    { type: "attack", by: "B", name: "bolt", x: 4, y: 1, target: "w" },
    { type: "hit", by: "B", target: "A", name: "bolt", damage: 7, x: 3, y: 1 },
    {
      type: "area_spawn",
      by: "A",
      name: "scorch",
      x: 2,
      y: 1,
      radius: 1,
      damage: 4,
      left: 8,
    },
  ]);
  assert.deepEqual(eventsOf(fight).map(Object.keys), [
    ["type", "by", "part", "reason"],
    ["type", "by", "name", "x", "y", "target"],
    ["type", "by", "name", "x", "y", "target"],
    ["type", "by", "target", "name", "damage", "x", "y"],
    ["type", "by", "name", "x", "y", "radius", "damage", "left"],
  ]);
});

test("a tick emits its events in phase order", () => {
  const fight = sceneOnMap("courtyard", [7, 7], [8, 7], [3, 7]);
  fight.words[TICK] = 90;
  fight.hp[2] = 3;
  playTestTick(
    fight,
    attackTurn("repulse"),
    { dash: "n", ...attackTurn("bolt", "w") },
    { move: "w" },
  );
  const types = eventsOf(fight).map(({ type }) => type);
  assert.deepEqual(types, [
    "attack",
    "hit",
    "repulse",
    "rejected",
    "attack",
    "hit",
    "pickup_spawn",
    "pickup_spawn",
  ]);
});

type CauseCase = [what: string, at: [number, number][], turns: (Turn | null)[], cause?: string];
const CAUSES: CauseCase[] = [
  [
    "a wall",
    [
      [1, 1],
      [8, 3],
    ],
    [{ move: "n" }, null],
    "wall",
  ],
  [
    "a fighter that stays there",
    [
      [3, 1],
      [4, 1],
    ],
    [{ move: "e" }, null],
    "fighter",
  ],
  [
    "a tile that both target",
    [
      [3, 1],
      [5, 1],
    ],
    [{ dash: "e" }, { move: "w" }],
    "fighter",
  ],
  [
    "a push before the step",
    [
      [3, 1],
      [4, 1],
    ],
    [{ move: "s" }, attackTurn("repulse")],
    "thrown",
  ],
  [
    "a missing target",
    [
      [3, 1],
      [8, 3],
    ],
    [attackTurn("strike"), null],
    "strike",
  ],
  [
    "a direction instead of a tile",
    [
      [3, 1],
      [8, 3],
    ],
    [attackTurn("blast", "ne"), null],
    "blast",
  ],
  [
    "a name in capitals",
    [
      [3, 1],
      [8, 3],
    ],
    [attackTurn("Strike", "n"), null],
  ],
  [
    "a blast at a wall",
    [
      [3, 1],
      [8, 3],
    ],
    [attackTurn("blast", [0, 0]), null],
  ],
];
for (const [description, at, turns, cause] of CAUSES)
  test(`sends the cause of a refusal only to the refused fighter: ${description}`, () => {
    const fight = sceneOnMap("halls", ...at);
    playTestTick(fight, ...turns);
    const refusal = eventsFor(fight, 0).filter(({ type }) => type === "rejected");
    assert.deepEqual(
      refusal.map((event) => ("cause" in event ? event.cause : undefined)),
      [cause],
    );
    assert.ok(!JSON.stringify(eventsOf(fight)).includes('"cause"'));
  });
