import { testTicks, attackTurn } from "#testing/fixtures/tick-cases.ts";

testTicks([
  {
    name: "a strike hits the fighter on the adjacent tile",
    tiles: [
      [6, 7],
      [7, 7],
    ],
    turns: [attackTurn("strike", "e"), null],
    events: ["attack A strike e @6,7", "hit A B strike 8 @7,7"],
  },
  {
    name: "a strike misses a fighter two tiles away",
    tiles: [
      [6, 7],
      [8, 7],
    ],
    turns: [attackTurn("strike", "e"), null],
    events: ["attack A strike e @6,7"],
  },
  {
    name: "a strike lands before its target moves away",
    tiles: [
      [6, 7],
      [7, 7],
    ],
    turns: [attackTurn("strike", "e"), { move: "e" }],
    events: ["attack A strike e @6,7", "hit A B strike 8 @7,7"],
  },
  {
    name: "a strike past the corner of a wall fizzles",
    tiles: [
      [4, 4],
      [5, 3],
    ],
    turns: [attackTurn("strike", "ne"), null],
    events: ["attack A strike ne @4,4"],
  },
  {
    name: "a strike past the corner of a low wall hits",
    tiles: [
      [4, 5],
      [5, 6],
    ],
    turns: [attackTurn("strike", "se"), null],
    events: ["attack A strike se @4,5", "hit A B strike 8 @5,6"],
  },
  {
    name: "two strikes land simultaneously",
    tiles: [
      [6, 7],
      [7, 7],
    ],
    turns: [attackTurn("strike", "e"), attackTurn("strike", "w")],
    events: [
      "attack A strike e @6,7",
      "attack B strike w @7,7",
      "hit A B strike 8 @7,7",
      "hit B A strike 8 @6,7",
    ],
  },
  {
    name: "a hook pulls the fighter next to the attacker",
    tiles: [
      [2, 7],
      [7, 7],
    ],
    turns: [attackTurn("hook", "e"), null],
    events: ["attack A hook e @2,7", "hit A B hook 3 @7,7", "pull A B w tiles=4 @3,7"],
  },
  {
    name: "a hook pulls along a diagonal",
    tiles: [
      [6, 8],
      [8, 6],
    ],
    turns: [attackTurn("hook", "ne"), null],
    events: ["attack A hook ne @6,8", "hit A B hook 3 @8,6", "pull A B sw tiles=1 @7,7"],
  },
  {
    name: "a hook on an adjacent fighter pulls nothing",
    tiles: [
      [6, 7],
      [7, 7],
    ],
    turns: [attackTurn("hook", "e"), null],
    events: ["attack A hook e @6,7", "hit A B hook 3 @7,7"],
  },
  {
    name: "a hook ends after five tiles",
    tiles: [
      [2, 7],
      [8, 7],
    ],
    turns: [attackTurn("hook", "e"), null],
    events: ["attack A hook e @2,7"],
  },
  {
    name: "a hook doesn't follow bounces of its ray",
    tiles: [
      [12, 7],
      [10, 7],
    ],
    turns: [attackTurn("hook", "e"), null],
    events: ["attack A hook e @12,7"],
  },
  {
    name: "a hook takes the nearest of two on its line",
    tiles: [
      [2, 7],
      [6, 7],
      [4, 7],
    ],
    turns: [attackTurn("hook", "e")],
    events: ["attack A hook e @2,7", "hit A C hook 3 @4,7", "pull A C w tiles=1 @3,7"],
  },
  {
    name: "a hook over a low wall leaves the fighter behind it",
    tiles: [
      [5, 4],
      [5, 7],
    ],
    turns: [attackTurn("hook", "s"), null],
    events: ["attack A hook s @5,4", "hit A B hook 3 @5,7", "pull A B n tiles=1 @5,6"],
  },
  {
    name: "a hook over the low wall next to its target doesn't move the target, which loses its move",
    map: "trench",
    tiles: [
      [4, 1],
      [4, 3],
    ],
    turns: [attackTurn("hook", "s"), { move: "e" }],
    events: [
      "attack A hook s @4,1",
      "hit A B hook 3 @4,3",
      "pull A B n tiles=0 @4,3",
      "rejected B move blocked",
    ],
  },
  {
    name: "a hooked neighbour keeps its move",
    tiles: [
      [6, 7],
      [7, 7],
    ],
    turns: [attackTurn("hook", "e"), { move: "e" }],
    events: ["attack A hook e @6,7", "hit A B hook 3 @7,7"],
  },
  {
    name: "a wall stops a hook",
    map: "halls",
    tiles: [
      [5, 1],
      [7, 1],
    ],
    turns: [attackTurn("hook", "e"), null],
    events: ["attack A hook e @5,1"],
  },
  {
    name: "a repulse pushes three tiles along the signs of the direction",
    tiles: [
      [2, 5],
      [4, 6],
    ],
    turns: [attackTurn("repulse"), null],
    events: [
      "attack A repulse null @2,5",
      "hit A B repulse 3 @4,6",
      "repulse A B se tiles=3 slam=false @7,9",
    ],
  },
  {
    name: "a repulse needs line of sight",
    tiles: [
      [4, 2],
      [4, 4],
    ],
    turns: [attackTurn("repulse"), null],
    events: ["attack A repulse null @4,2"],
  },
  {
    name: "a repulse reaches two tiles",
    tiles: [
      [7, 7],
      [10, 7],
    ],
    turns: [attackTurn("repulse"), null],
    events: ["attack A repulse null @7,7"],
  },
  {
    name: "a repulse pushes all fighters around in seat order",
    tiles: [
      [7, 7],
      [8, 7],
      [6, 7],
    ],
    turns: [attackTurn("repulse")],
    events: [
      "attack A repulse null @7,7",
      "hit A B repulse 3 @8,7",
      "hit A C repulse 3 @6,7",
      "repulse A B e tiles=3 slam=false @11,7",
      "repulse A C w tiles=3 slam=false @3,7",
    ],
  },
  {
    name: "power multiplies quick attacks and slams by 1.5, rounded down",
    tiles: [
      [11, 7],
      [12, 7],
    ],
    prepare: (fight) => (fight.power[0] = 5),
    turns: [attackTurn("repulse"), null],
    events: [
      "attack A repulse null @11,7",
      "hit A B repulse 4 @12,7",
      "hit A B wall_slam 9 @13,7",
      "repulse A B e tiles=1 slam=true @13,7",
    ],
  },
  {
    name: "a powered strike deals 12",
    tiles: [
      [6, 7],
      [7, 7],
    ],
    prepare: (fight) => (fight.power[0] = 1),
    turns: [attackTurn("strike", "e"), null],
    events: ["attack A strike e @6,7", "hit A B strike 12 @7,7"],
  },
]);
