import { testTicks, use } from "#testing/fixtures/fight-scene.ts";

testTicks([
  {
    name: "a bolt flies after everyone has moved, from the new tile",
    at: [
      [2, 7],
      [8, 6],
    ],
    turns: [{ move: "e", ...use("bolt", "e") }, { move: "s" }],
    events: ["attack A bolt e @3,7", "hit A B bolt 7 @8,7"],
  },
  {
    name: "a bolt misses who walks off its line",
    at: [
      [2, 7],
      [8, 7],
    ],
    turns: [use("bolt", "e"), { move: "s" }],
    events: ["attack A bolt e @2,7"],
  },
  {
    name: "a bolt hits harder after a bounce",
    at: [
      [1, 7],
      [6, 6],
    ],
    turns: [use("bolt", "ne"), null],
    events: ["attack A bolt ne @1,7", "hit A B bolt 10 ricochet=true @6,6"],
  },
  {
    name: "a bolt hits hardest after two bounces",
    at: [
      [1, 7],
      [11, 9],
    ],
    turns: [use("bolt", "ne"), null],
    events: ["attack A bolt ne @1,7", "hit A B bolt 13 ricochet=true @11,9"],
  },
  {
    name: "power multiplies the bounces too",
    at: [
      [1, 7],
      [11, 9],
    ],
    before: (fight) => (fight.power[0] = 20),
    turns: [use("bolt", "ne"), null],
    events: ["attack A bolt ne @1,7", "hit A B bolt 19 ricochet=true @11,9"],
  },
  {
    name: "a bolt stops at the first fighter",
    at: [
      [1, 7],
      [9, 7],
      [5, 7],
    ],
    turns: [use("bolt", "e")],
    events: ["attack A bolt e @1,7", "hit A C bolt 7 @5,7"],
  },
  {
    name: "a bolt ends after twelve tiles",
    map: "lanes",
    at: [
      [1, 1],
      [14, 1],
    ],
    turns: [use("bolt", "e"), null],
    events: ["attack A bolt e @1,1"],
  },
  {
    name: "a bolt flies over low walls",
    map: "trench",
    at: [
      [4, 9],
      [4, 1],
    ],
    turns: [use("bolt", "n"), null],
    events: ["attack A bolt n @4,9", "hit A B bolt 7 @4,1"],
  },
  {
    name: "a bolt that comes home counts the first crossing of a tile",
    at: [
      [7, 9],
      [7, 11],
    ],
    turns: [use("bolt", "s"), null],
    events: ["attack A bolt s @7,9", "hit A B bolt 7 @7,11"],
  },
  {
    name: "two bolts cross and both hit",
    at: [
      [1, 7],
      [9, 7],
    ],
    turns: [use("bolt", "e"), use("bolt", "w")],
    events: [
      "attack A bolt e @1,7",
      "hit A B bolt 7 @9,7",
      "attack B bolt w @9,7",
      "hit B A bolt 7 @1,7",
    ],
  },
]);
