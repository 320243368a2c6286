import { testTicks, use } from "#testing/fixtures/fight-scene.ts";

testTicks([
  {
    name: "a strike hits the fighter on the adjacent tile",
    at: [
      [6, 7],
      [7, 7],
    ],
    turns: [use("strike", "e"), null],
    events: ["attack A strike e @6,7", "hit A B strike 8 @7,7"],
  },
  {
    name: "a strike misses who stands two tiles away",
    at: [
      [6, 7],
      [8, 7],
    ],
    turns: [use("strike", "e"), null],
    events: ["attack A strike e @6,7"],
  },
  {
    name: "a strike lands before its target moves away",
    at: [
      [6, 7],
      [7, 7],
    ],
    turns: [use("strike", "e"), { move: "e" }],
    events: ["attack A strike e @6,7", "hit A B strike 8 @7,7"],
  },
  {
    name: "a strike past the corner of a wall fizzles",
    at: [
      [4, 4],
      [5, 3],
    ],
    turns: [use("strike", "ne"), null],
    events: ["attack A strike ne @4,4"],
  },
  {
    name: "a strike past the corner of a low wall hits",
    at: [
      [4, 5],
      [5, 6],
    ],
    turns: [use("strike", "se"), null],
    events: ["attack A strike se @4,5", "hit A B strike 8 @5,6"],
  },
  {
    name: "two strikes land at once",
    at: [
      [6, 7],
      [7, 7],
    ],
    turns: [use("strike", "e"), use("strike", "w")],
    events: [
      "attack A strike e @6,7",
      "attack B strike w @7,7",
      "hit A B strike 8 @7,7",
      "hit B A strike 8 @6,7",
    ],
  },
  {
    name: "a hook pulls the fighter next to the attacker",
    at: [
      [2, 7],
      [7, 7],
    ],
    turns: [use("hook", "e"), null],
    events: ["attack A hook e @2,7", "hit A B hook 3 @7,7", "pull A B w tiles=4 @3,7"],
  },
  {
    name: "a hook pulls along a diagonal",
    at: [
      [6, 8],
      [8, 6],
    ],
    turns: [use("hook", "ne"), null],
    events: ["attack A hook ne @6,8", "hit A B hook 3 @8,6", "pull A B sw tiles=1 @7,7"],
  },
  {
    name: "a hook on an adjacent fighter pulls nothing",
    at: [
      [6, 7],
      [7, 7],
    ],
    turns: [use("hook", "e"), null],
    events: ["attack A hook e @6,7", "hit A B hook 3 @7,7"],
  },
  {
    name: "a hook ends after five tiles",
    at: [
      [2, 7],
      [8, 7],
    ],
    turns: [use("hook", "e"), null],
    events: ["attack A hook e @2,7"],
  },
  {
    name: "a hook does not follow its ray round a bounce",
    at: [
      [12, 7],
      [10, 7],
    ],
    turns: [use("hook", "e"), null],
    events: ["attack A hook e @12,7"],
  },
  {
    name: "a hook takes the nearest of two on its line",
    at: [
      [2, 7],
      [6, 7],
      [4, 7],
    ],
    turns: [use("hook", "e")],
    events: ["attack A hook e @2,7", "hit A C hook 3 @4,7", "pull A C w tiles=1 @3,7"],
  },
  {
    name: "a hook over a low wall leaves the fighter behind it",
    at: [
      [5, 4],
      [5, 7],
    ],
    turns: [use("hook", "s"), null],
    events: ["attack A hook s @5,4", "hit A B hook 3 @5,7", "pull A B n tiles=1 @5,6"],
  },
  {
    name: "a hook over the low wall next to its target pulls it nowhere, and it loses its move",
    map: "trench",
    at: [
      [4, 1],
      [4, 3],
    ],
    turns: [use("hook", "s"), { move: "e" }],
    events: [
      "attack A hook s @4,1",
      "hit A B hook 3 @4,3",
      "pull A B n tiles=0 @4,3",
      "rejected B move blocked",
    ],
  },
  {
    name: "a hooked neighbour keeps its move",
    at: [
      [6, 7],
      [7, 7],
    ],
    turns: [use("hook", "e"), { move: "e" }],
    events: ["attack A hook e @6,7", "hit A B hook 3 @7,7"],
  },
  {
    name: "a wall stops a hook on its way",
    map: "halls",
    at: [
      [5, 1],
      [7, 1],
    ],
    turns: [use("hook", "e"), null],
    events: ["attack A hook e @5,1"],
  },
  {
    name: "a repulse pushes three tiles along the signs of the way",
    at: [
      [2, 5],
      [4, 6],
    ],
    turns: [use("repulse"), null],
    events: [
      "attack A repulse null @2,5",
      "hit A B repulse 3 @4,6",
      "repulse A B se tiles=3 slam=false @7,9",
    ],
  },
  {
    name: "a repulse needs sight",
    at: [
      [4, 2],
      [4, 4],
    ],
    turns: [use("repulse"), null],
    events: ["attack A repulse null @4,2"],
  },
  {
    name: "a repulse reaches two tiles",
    at: [
      [7, 7],
      [10, 7],
    ],
    turns: [use("repulse"), null],
    events: ["attack A repulse null @7,7"],
  },
  {
    name: "a repulse pushes everyone around in seat order",
    at: [
      [7, 7],
      [8, 7],
      [6, 7],
    ],
    turns: [use("repulse")],
    events: [
      "attack A repulse null @7,7",
      "hit A B repulse 3 @8,7",
      "hit A C repulse 3 @6,7",
      "repulse A B e tiles=3 slam=false @11,7",
      "repulse A C w tiles=3 slam=false @3,7",
    ],
  },
  {
    name: "power makes quick attacks and the slam half as strong again, rounded down",
    at: [
      [11, 7],
      [12, 7],
    ],
    before: (fight) => (fight.power[0] = 5),
    turns: [use("repulse"), null],
    events: [
      "attack A repulse null @11,7",
      "hit A B repulse 4 @12,7",
      "hit A B wall_slam 9 @13,7",
      "repulse A B e tiles=1 slam=true @13,7",
    ],
  },
  {
    name: "a powered strike deals 12",
    at: [
      [6, 7],
      [7, 7],
    ],
    before: (fight) => (fight.power[0] = 1),
    turns: [use("strike", "e"), null],
    events: ["attack A strike e @6,7", "hit A B strike 12 @7,7"],
  },
]);
