import assert from "node:assert/strict";
import { test } from "node:test";

import { playTestTick, sceneOnMap, testTicks, attackTurn } from "#testing/fixtures/tick-cases.ts";

import type { Fight } from "./fight.ts";
import { COOLDOWN_COUNT } from "./integer-codes.ts";
import { step } from "./step.ts";
import type { CooldownName, Direction, Target, Turn } from "./types.ts";
import { ATTACKS, COOLDOWNS } from "./types.ts";

function setCooldown(fight: Fight, name: CooldownName, ticks: number): void {
  fight.cooldowns[COOLDOWNS.indexOf(name)] = ticks;
}

const [FAR_A, FAR_B] = [
  [2, 7],
  [12, 12],
] as const;
const at = [FAR_A, FAR_B];

testTicks([
  {
    name: "a stunned fighter loses all parts at once but may shout",
    tiles: at,
    prepare: (fight) => (fight.stun[0] = 1),
    turns: [{ move: "e", dash: "w", ...attackTurn("strike", "e"), shout: "ouch" }, {}],
    events: ["rejected A turn not_ready", "shout A ouch"],
  },
  {
    name: "a stunned fighter that idles or only shouts gets no refusal",
    tiles: at,
    prepare: (fight) => fight.stun.fill(2),
    turns: [{ shout: "ouch" }, {}],
    events: ["shout A ouch"],
  },
  {
    name: "an unknown attack counts as an attack while stunned",
    tiles: at,
    prepare: (fight) => (fight.stun[0] = 1),
    turns: [attackTurn("punch"), {}],
    events: ["rejected A turn not_ready"],
  },
  {
    name: "a move with a dash drops both and keeps the attack",
    tiles: at,
    turns: [{ move: "e", dash: "e", ...attackTurn("strike", "e") }, {}],
    events: ["rejected A turn conflicting_moves", "attack A strike e @2,7"],
  },
  {
    name: "a dash on cooldown is not ready, whatever blocks it",
    tiles: [[1, 7], FAR_B],
    prepare: (fight) => setCooldown(fight, "dash", 1),
    turns: [{ dash: "w" }, {}],
    events: ["rejected A dash not_ready"],
  },
  {
    name: "a move or dash into a wall is blocked",
    tiles: [
      [1, 7],
      [13, 7],
    ],
    turns: [{ move: "w" }, { dash: "e" }],
    events: ["rejected A move blocked", "rejected B dash blocked"],
  },
  {
    name: "no fighter can cut a corner, not even of a low wall",
    tiles: [
      [4, 5],
      [3, 2],
    ],
    turns: [{ move: "se" }, { dash: "se" }],
    events: ["rejected A move blocked", "rejected B dash blocked"],
  },
  {
    name: "an attack on cooldown is not ready, even on an invalid tile",
    tiles: at,
    prepare: (fight) => setCooldown(fight, "blast", 3),
    turns: [{ move: "e", ...attackTurn("blast", [0, 0]) }, {}],
    events: ["rejected A attack not_ready"],
  },
  {
    name: "an area on a wall or a low wall is blocked",
    tiles: at,
    turns: [attackTurn("blast", [4, 3]), attackTurn("scorch", [9, 9])],
    events: ["rejected A attack blocked", "rejected B attack blocked"],
  },
  {
    name: "an area off the map is blocked, however far",
    tiles: at,
    turns: [attackTurn("blast", [-1, 7]), attackTurn("scorch", [1e300, 7])],
    events: ["rejected A attack blocked", "rejected B attack blocked"],
  },
  {
    name: "an area out of sight or out of range is not visible",
    tiles: [
      [4, 2],
      [3, 7],
    ],
    turns: [attackTurn("blast", [4, 4]), attackTurn("scorch", [9, 7])],
    events: ["rejected A attack not_visible", "rejected B attack not_visible"],
  },
  {
    name: "an area at its full range on its own line of sight is allowed",
    tiles: at,
    turns: [attackTurn("blast", [9, 7]), attackTurn("scorch", [7, 12])],
    events: [
      "attack A blast 9,7 @2,7",
      "attack B scorch 7,12 @12,12",
      "area_spawn A blast radius=2 12 in=2 @9,7",
      "area_spawn B scorch radius=1 4 left=8 @7,12",
    ],
  },
  {
    name: "the refusals of a turn come in the order movement, attack, shout",
    tiles: [[1, 7], FAR_B],
    turns: [
      { move: "w", ...attackTurn("punch"), shout: "" },
      { move: "n", shout: "hey" },
    ],
    events: [
      "rejected A move blocked",
      "rejected A attack unknown_attack",
      "rejected A turn bad_text field=shout",
      "shout B hey",
    ],
  },
  {
    name: "a shout on cooldown is not ready; a bad one is refused as bad text first",
    tiles: at,
    prepare: (fight) => {
      setCooldown(fight, "shout", 1);
      fight.cooldowns[COOLDOWN_COUNT + COOLDOWNS.indexOf("shout")] = 1;
    },
    turns: [{ shout: "hey" }, { shout: "x".repeat(41) }],
    events: ["rejected A turn not_ready field=shout", "rejected B turn bad_text field=shout"],
  },
]);

const INVALID_TARGETS: [string, Target | undefined][] = [
  ["punch", "e"],
  ["", "e"],
  ["Strike", "e"],
  ["constructor", undefined],
  ["strike", undefined],
  ["bolt", [1, 1]],
  ["hook", "up" as Direction],
  ["blast", "e"],
  ["blast", undefined],
  ["scorch", [1.5, 2]],
  ["scorch", [1] as unknown as Target],
  ["blast", [1, 2, 3] as unknown as Target],
  ["blast", [Number.NaN, 2]],
  ["blast", ["1", "2"] as unknown as Target],
];

for (const [name, target] of INVALID_TARGETS) {
  test(`refuses attack "${name}" on ${JSON.stringify(target)} as unknown and still makes the move`, () => {
    const fight = sceneOnMap("courtyard", ...at);
    const events = playTestTick(fight, { move: "e", ...attackTurn(name, target) });
    assert.deepEqual(events, ["rejected A attack unknown_attack"]);
    assert.equal(fight.x[0], 3);
  });
}

for (const target of [undefined, "e", [3, 3], "up"] as (Target | undefined)[]) {
  test(`ignores the target ${JSON.stringify(target)} of a repulse`, () => {
    const events = playTestTick(sceneOnMap("courtyard", ...at), attackTurn("repulse", target));
    assert.deepEqual(events, ["attack A repulse null @2,7"]);
  });
}

const COOLDOWN_CASES: [name: string, turn: Turn, cooldowns: number[]][] = [
  ["strike", attackTurn("strike", "e"), [0, 5, 4, 4, 4, 4, 4, 0]],
  ["bolt", attackTurn("bolt", "e"), [0, 4, 6, 4, 4, 4, 4, 0]],
  ["hook", attackTurn("hook", "e"), [0, 1, 1, 18, 1, 1, 1, 0]],
  ["repulse", attackTurn("repulse"), [0, 2, 2, 2, 14, 2, 2, 0]],
  ["blast", attackTurn("blast", [5, 7]), [0, 4, 4, 4, 4, 11, 4, 0]],
  ["scorch", attackTurn("scorch", [5, 7]), [0, 2, 2, 2, 2, 2, 15, 0]],
  ["dash", { dash: "e" }, [8, 0, 0, 0, 0, 0, 0, 0]],
  ["shout", { shout: "hey" }, [0, 0, 0, 0, 0, 0, 0, 20]],
  ["move", { move: "e" }, [0, 0, 0, 0, 0, 0, 0, 0]],
];

for (const [name, turn, cooldowns] of COOLDOWN_CASES) {
  test(`starts the cooldown and recovery of ${name}, minus the current tick`, () => {
    const fight = sceneOnMap("courtyard", ...at);
    playTestTick(fight, turn);
    const left = cooldowns.map((ticks) => Math.max(0, ticks - 1));
    assert.deepEqual([...fight.cooldowns.subarray(0, COOLDOWN_COUNT)], left);
  });
}

test("a recovery doesn't shorten a longer cooldown", () => {
  const fight = sceneOnMap("courtyard", ...at);
  playTestTick(fight, attackTurn("hook", "e"));
  playTestTick(fight, attackTurn("strike", "e"));
  assert.equal(fight.cooldowns[COOLDOWNS.indexOf("hook")], 16);
});

test("an attack is ready again after exactly its cooldown", () => {
  for (const name of ATTACKS) {
    const fight = sceneOnMap("courtyard", ...at);
    const turn = attackTurn(name, name === "blast" || name === "scorch" ? [4, 7] : "n");
    playTestTick(fight, turn);
    const cooldown = fight.cooldowns[COOLDOWNS.indexOf(name)]! + 1;
    for (let tick = 1; tick < cooldown; tick += 1) {
      assert.equal(playTestTick(fight, turn)[0], "rejected A attack not_ready");
    }
    assert.match(playTestTick(fight, turn)[0]!, /^attack A/);
  }
});

test("a blocked dash starts no cooldown", () => {
  const fight = sceneOnMap("courtyard", [1, 7], FAR_B);
  playTestTick(fight, { dash: "w" });
  assert.equal(fight.cooldowns[0], 0);
});

test("cooldowns of fallen fighters keep counting down", () => {
  const fight = sceneOnMap("courtyard", ...at, [5, 5]);
  playTestTick(fight, { dash: "e" });
  fight.alive[0] = 0;
  step(fight);
  assert.equal(fight.cooldowns[0], 6);
});

test("ignores turns of fallen fighters", () => {
  const fight = sceneOnMap("courtyard", ...at, [6, 6]);
  fight.alive[0] = 0;
  assert.deepEqual(
    playTestTick(fight, { move: "e", ...attackTurn("bolt", "e"), shout: "boo" }),
    [],
  );
});

test("a turn applies to one tick only", () => {
  const fight = sceneOnMap("courtyard", ...at);
  playTestTick(fight, { move: "e", ...attackTurn("bolt", "e"), shout: "hey" });
  const x = fight.x[0];
  step(fight);
  assert.deepEqual([fight.x[0], fight.log.length], [x, 0]);
});
