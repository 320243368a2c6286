import { testTicks, attackTurn } from "#testing/fixtures/tick-cases.ts";

testTicks([
  {
    name: "a bolt flies after movement, from the new tile",
    tiles: [
      [2, 7],
      [8, 6],
    ],
    turns: [{ move: "e", ...attackTurn("bolt", "e") }, { move: "s" }],
    events: ["attack A bolt e @3,7", "hit A B bolt 7 @8,7"],
  },
  {
    name: "a bolt misses a fighter that walks off its line",
    tiles: [
      [2, 7],
      [8, 7],
    ],
    turns: [attackTurn("bolt", "e"), { move: "s" }],
    events: ["attack A bolt e @2,7"],
  },
  {
    name: "a bolt hits harder after a bounce",
    tiles: [
      [1, 7],
      [6, 6],
    ],
    turns: [attackTurn("bolt", "ne"), null],
    events: ["attack A bolt ne @1,7", "hit A B bolt 10 ricochet=true @6,6"],
  },
  {
    name: "a bolt hits hardest after two bounces",
    tiles: [
      [1, 7],
      [11, 9],
    ],
    turns: [attackTurn("bolt", "ne"), null],
    events: ["attack A bolt ne @1,7", "hit A B bolt 13 ricochet=true @11,9"],
  },
  {
    name: "power also multiplies bounce damage",
    tiles: [
      [1, 7],
      [11, 9],
    ],
    prepare: (fight) => (fight.power[0] = 20),
    turns: [attackTurn("bolt", "ne"), null],
    events: ["attack A bolt ne @1,7", "hit A B bolt 19 ricochet=true @11,9"],
  },
  {
    name: "a bolt stops at the first fighter",
    tiles: [
      [1, 7],
      [9, 7],
      [5, 7],
    ],
    turns: [attackTurn("bolt", "e")],
    events: ["attack A bolt e @1,7", "hit A C bolt 7 @5,7"],
  },
  {
    name: "a bolt ends after twelve tiles",
    map: "lanes",
    tiles: [
      [1, 1],
      [14, 1],
    ],
    turns: [attackTurn("bolt", "e"), null],
    events: ["attack A bolt e @1,1"],
  },
  {
    name: "a bolt flies over low walls",
    map: "trench",
    tiles: [
      [4, 9],
      [4, 1],
    ],
    turns: [attackTurn("bolt", "n"), null],
    events: ["attack A bolt n @4,9", "hit A B bolt 7 @4,1"],
  },
  {
    name: "a bolt that returns counts the first crossing of a tile",
    tiles: [
      [7, 9],
      [7, 11],
    ],
    turns: [attackTurn("bolt", "s"), null],
    events: ["attack A bolt s @7,9", "hit A B bolt 7 @7,11"],
  },
  {
    name: "two bolts cross and both hit",
    tiles: [
      [1, 7],
      [9, 7],
    ],
    turns: [attackTurn("bolt", "e"), attackTurn("bolt", "w")],
    events: [
      "attack A bolt e @1,7",
      "hit A B bolt 7 @9,7",
      "attack B bolt w @9,7",
      "hit B A bolt 7 @1,7",
    ],
  },
]);
