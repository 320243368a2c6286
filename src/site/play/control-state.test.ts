import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { gridOf } from "#core/engine/maps.ts";
import { RULES } from "#core/engine/rules.ts";
import { ATTACKS, COOLDOWNS } from "#core/engine/types.ts";
import type { Cooldowns } from "#core/engine/types.ts";

import { initialControlState, reduceControls } from "./control-state.ts";
import type { PlayAction, ControlState } from "./control-state.ts";
import { describeMatchState } from "./describe-match-state.ts";
import { combinedDirection, actionForKey } from "./keys.ts";
import { describeEventForPlayer, describeEndReason, describeVerdict } from "./match-texts.ts";
import type { PlayEndMessage, PlayHelloMessage, PlayObservation } from "./messages.ts";
import { restingScene, sceneBetweenObservations } from "./scene.ts";
import { directionTo, attackHindrance, turnForChoice } from "./turn-choice.ts";
import { createTurnSender } from "./turn-sender.ts";
import { TUTORIAL_LESSONS, nextLessonIndex } from "./tutorial-lessons.ts";

const GRID = gridOf("cage")!;
const READY = Object.fromEntries(COOLDOWNS.map((name) => [name, 0])) as Cooldowns;
const SIDES = { ownId: "A", opponentName: "Kiter" } as const;

const HELLO = {
  type: "hello",
  match_id: "m",
  fighter: "A",
  opponent: { name: "house-kiter", fighter: "B" },
  deadlines: { tick_ms: 500, messages_per_tick: 5 },
  map: { name: "cage", rows: GRID.rows },
} as PlayHelloMessage;

/**
 * Returns an observation with both fighters in the top row of the map's center, four tiles apart.
 */
function seenAt(tick: number, changes: Partial<PlayObservation> = {}): PlayObservation {
  return {
    type: "observation",
    tick,
    self: { id: "A", x: 4, y: 5, hp: 120, stun: 0, power: 0, cooldowns: READY },
    fighters: [
      { id: "B", hp: 120, power: 0, visible: true, x: 8, y: 5, stun: 0, cooldowns: READY },
    ],
    moves: ["n", "e", "s", "w"],
    dashes: { e: 3 },
    danger: [],
    areas: [],
    pickups: [],
    zone: { radius: 6, shrinks_in: 80, damage: 4 },
    events: [],
    ...changes,
  };
}

const cooling = (changes: Partial<Cooldowns>, observation = seenAt(0)): PlayObservation => ({
  ...observation,
  self: { ...observation.self, cooldowns: { ...READY, ...changes } },
});

const after = (...actions: PlayAction[]): ControlState =>
  actions.reduce(reduceControls, initialControlState("Kiter"));
const hear = (message: PlayHelloMessage | PlayObservation | PlayEndMessage): PlayAction => ({
  type: "heard",
  message,
});
const startActions = (observation = seenAt(0)): PlayAction[] => [hear(HELLO), hear(observation)];
const turnIn = ({ matchState, choice }: ControlState) =>
  turnForChoice(choice, matchState.observation!, matchState.grid!);

describe("a hand", () => {
  it("steps while a key is held, and once after a tap", () => {
    const heldState = after(...startActions(), { type: "press", direction: "e" });
    assert.deepEqual(turnIn(heldState), { move: "e" });
    assert.deepEqual(turnIn(reduceControls(heldState, hear(seenAt(1)))), { move: "e" });
    const tapped = reduceControls(heldState, { type: "release", direction: "e" });
    assert.deepEqual(turnIn(tapped), { move: "e" });
    assert.deepEqual(turnIn(reduceControls(tapped, hear(seenAt(1)))), {});
    assert.deepEqual(turnIn(reduceControls(heldState, { type: "stay" })), {});
  });

  it("combines two held directions", () => {
    assert.equal(combinedDirection(["n", "e"]), "ne");
    assert.equal(combinedDirection(["n", "s"]), null);
    assert.equal(combinedDirection(["nw", "e"]), "n");
  });

  it("dashes once with the button or while the key is held, and walks while dash is on cooldown", () => {
    const armed = after(
      ...startActions(),
      { type: "dash", dash: "once" },
      { type: "press", direction: "e" },
    );
    assert.deepEqual(turnIn(armed), { dash: "e" });
    const next = reduceControls(armed, hear(cooling({ dash: 7 }, seenAt(1))));
    assert.deepEqual([next.dash, turnIn(next)], [null, { move: "e" }]);
    const shifted = after(
      ...startActions(cooling({ dash: 3 })),
      { type: "dash", dash: "held" },
      { type: "press", direction: "e" },
    );
    assert.deepEqual(turnIn(shifted), { move: "e" });
    assert.deepEqual(turnIn(reduceControls(shifted, hear(seenAt(1)))), { dash: "e" });
  });

  it("omits impossible actions", () => {
    const blocked = after(...startActions(), { type: "press", direction: "ne" });
    assert.deepEqual(turnIn(blocked), {});
    const stunned = seenAt(0);
    stunned.self.stun = 2;
    const still = after(
      ...startActions(stunned),
      { type: "press", direction: "e" },
      { type: "attack", name: "bolt" },
    );
    assert.deepEqual(turnIn(still), {});
  });

  it("reports a blocked step once per attempt", () => {
    const tells = ({ matchState }: ControlState) =>
      matchState.messages.map(({ tick, text }) => [tick, text]);
    const stays = after(...startActions(), { type: "press", direction: "nw" });
    const once = [[0, "Blocked: can't step there."]];
    assert.deepEqual(tells(reduceControls(stays, hear(seenAt(1)))), once);
    assert.deepEqual(
      tells([1, 2].map((tick) => hear(seenAt(tick))).reduce(reduceControls, stays)),
      once,
    );
    const walks = after(...startActions(), { type: "press", direction: "e" });
    assert.deepEqual(tells(reduceControls(walks, hear(seenAt(1)))), []);
  });

  it("aims at the opponent, or at a chosen tile until the aim changes", () => {
    const bolt = after(...startActions(), { type: "attack", name: "bolt" });
    assert.deepEqual(turnIn(bolt), { attack: { name: "bolt", target: "e" } });
    const south = reduceControls(bolt, { type: "aim", tile: [4, 9] });
    assert.deepEqual(turnIn(south), { attack: { name: "bolt", target: "s" } });
    const blast = reduceControls(south, { type: "attack", name: "blast" });
    assert.deepEqual(turnIn(blast), { attack: { name: "blast", target: [4, 9] } });
    const shifted = reduceControls(reduceControls(blast, { type: "aim", tile: null }), {
      type: "shift aim",
      direction: "w",
    });
    assert.deepEqual(turnIn(shifted), { attack: { name: "blast", target: [7, 5] } });
    assert.deepEqual(turnIn(reduceControls(blast, { type: "attack", name: "blast" })), {});
  });

  it("queues an attack that is almost ready", () => {
    const early = after(...startActions(cooling({ bolt: 1 })), { type: "attack", name: "bolt" });
    assert.deepEqual(turnIn(early), {});
    const keptAttack = reduceControls(early, hear(seenAt(1)));
    assert.deepEqual(turnIn(keptAttack), { attack: { name: "bolt", target: "e" } });
    assert.equal(reduceControls(keptAttack, hear(seenAt(2))).choice.attack, null);
    const far = after(...startActions(cooling({ bolt: 4 })), { type: "attack", name: "bolt" });
    assert.equal(reduceControls(far, hear(cooling({ bolt: 3 }, seenAt(1)))).choice.attack, null);
  });

  it("says why an attack can't be used", () => {
    const why = (
      name: (typeof ATTACKS)[number],
      observation: PlayObservation,
      aim: [number, number] | null = null,
    ) => attackHindrance(name, { step: null, attack: null, aim }, observation, GRID);
    const unseen = { id: "B", hp: 120, power: 0, visible: false, last_seen: null } as const;
    assert.equal(why("bolt", seenAt(0, { fighters: [unseen] })), "no target");
    assert.equal(why("repulse", seenAt(0, { fighters: [unseen] })), null);
    assert.equal(why("strike", cooling({ strike: 3 })), "in 3");
    assert.equal(why("scorch", seenAt(0), [11, 5]), "too far");
    assert.equal(why("blast", seenAt(0), [0, 0]), "no floor there");
    assert.equal(why("blast", seenAt(0), [1, 1]), "out of sight");
  });

  it("finds the direction closest to a line between two tiles", () => {
    const tiles = [
      [8, 5],
      [8, 4],
      [8, 1],
      [4, 1],
      [1, 5],
      [3, 9],
      [2, 7],
    ] as const;
    assert.deepEqual(
      tiles.map((tile) => directionTo([4, 5], tile)),
      ["e", "e", "ne", "n", "w", "s", "sw"],
    );
    assert.equal(directionTo([4, 5], [4, 5]), null);
  });

  it("has a key for every action", () => {
    assert.deepEqual(
      ATTACKS.map((_, index) => actionForKey(`Digit${index + 1}`)),
      ATTACKS.map((name) => ({ type: "attack", name })),
    );
    assert.deepEqual(actionForKey("KeyC"), { type: "step", direction: "se" });
    assert.deepEqual(actionForKey("Period"), { type: "aim", direction: "se" });
    for (const code of ["Digit7", "Escape", "Tab"]) assert.equal(actionForKey(code), null);
  });
});

describe("turn sender", () => {
  function sender(maxMessages: number, isSeen = true) {
    const sentFrames: object[] = [];
    let ring = () => {};
    const turnSender = createTurnSender({
      send: (text) => sentFrames.push(JSON.parse(text) as object),
      after: (ms, call) => {
        assert.equal(ms, 400);
        ring = call;
        return () => (ring = () => {});
      },
      tickMs: 500,
      maxMessages,
      isPageVisible: () => isSeen,
    });
    return { sent: sentFrames, opened: turnSender, ring: () => ring() };
  }

  it("sends each choice and its undo immediately, without duplicates", () => {
    const { sent: sentFrames, opened: turnSender } = sender(5);
    turnSender.startTick(3);
    turnSender.setTurn({});
    turnSender.setTurn({ move: "n" });
    turnSender.setTurn({ move: "n" });
    turnSender.setTurn({});
    assert.deepEqual(sentFrames, [
      { type: "turn", tick: 3, move: "n" },
      { type: "turn", tick: 3 },
    ]);
  });

  it("sends an empty turn for a visible page and nothing for a hidden page", () => {
    for (const [isSeen, announcements] of [
      [true, [{ type: "turn", tick: 7 }]],
      [false, []],
    ] as const) {
      const { sent: sentFrames, opened: turnSender, ring } = sender(5, isSeen);
      turnSender.startTick(7);
      ring();
      assert.deepEqual(sentFrames, announcements);
    }
  });

  it("stays within the per-tick message limit and ends with the final choice", () => {
    const { sent: sentFrames, opened: turnSender, ring } = sender(5);
    turnSender.startTick(0);
    const moves = ["n", "ne", "e", "se", "s", "sw"] as const;
    for (const move of moves) turnSender.setTurn({ move });
    ring();
    assert.deepEqual(
      sentFrames.map((turn) => (turn as { move: string }).move),
      ["n", "ne", "e", "sw"],
    );
    turnSender.startTick(1);
    turnSender.setTurn({ move: "w" });
    assert.equal(sentFrames.length, 5);
  });
});

describe("human match on the page", () => {
  const strike = { type: "attack", by: "B", name: "strike", x: 8, y: 5, target: "w" } as const;
  const hit = { type: "hit", by: "B", target: "A", name: "strike", damage: 8, x: 4, y: 5 } as const;

  it("lists events as text, latest last", () => {
    const { matchState } = after(...startActions(), hear(seenAt(1, { events: [strike, hit] })));
    assert.deepEqual(matchState.messages, [{ tick: 0, text: "Kiter hits you with a strike: −8." }]);
    assert.match(describeMatchState(matchState), /^You 120, Kiter 120 HP 4 east\. Kiter hits you/);
  });

  it("shows why the server didn't start the match", () => {
    const refused = { type: "error", code: "play_full", message: "As many people fight." } as const;
    const { matchState } = after({ type: "heard", message: refused }, { type: "closed" });
    assert.equal(matchState.error, "As many people fight.");
    assert.match(after({ type: "closed" }).matchState.error ?? "", /isn't responding/);
    assert.match(after(...startActions(), { type: "closed" }).matchState.error ?? "", /broke/);
    const draining = { type: "heard", message: { type: "server_draining" } } as const;
    assert.match(after(draining, { type: "closed" }).matchState.error ?? "", /restarts/);
  });

  it("shows both fighters' final HP", () => {
    const stats = { ticks: 1, fighters: [statsOf("A", 30), statsOf("B", 0)] };
    const end = {
      type: "end",
      winner: "A",
      reason: "last_standing",
      stats,
    } as unknown as PlayEndMessage;
    const { matchState } = after(...startActions(), hear(end), { type: "closed" });
    assert.deepEqual(
      [matchState.observation?.self.hp, matchState.observation?.fighters[0]?.hp],
      [30, 0],
    );
    assert.equal(matchState.error, null);
    const fallen = restingScene(GRID, null, matchState.observation!).after.fighters[1];
    assert.deepEqual([fallen?.id, fallen?.alive], ["B", false]);
    assert.equal(describeVerdict(end, SIDES), "You won");
    assert.equal(
      describeEndReason(end, SIDES),
      "By knockout, after 1 tick. Most damage from: bolts, 14 HP. You dealt 20 damage and took 18.",
    );
  });

  const statsOf = (id: string, hp: number) => ({
    id,
    hp,
    damage_dealt: 20,
    damage_taken: 18,
    taken_by_source: { strike: 4, bolt: 14, zone: 0 },
  });

  it("hides fighters that are out of sight", () => {
    const hidden = { id: "B", hp: 112, power: 0, visible: false, last_seen: null } as const;
    const hiddenObservation = seenAt(1, { fighters: [hidden] });
    const moving = sceneBetweenObservations(GRID, seenAt(0), hiddenObservation);
    assert.deepEqual(
      moving.after.fighters.map(({ id, x }) => [id, x]),
      [
        ["A", 4],
        ["B", 8],
      ],
    );
    const rest = restingScene(GRID, moving, hiddenObservation);
    assert.deepEqual(
      rest.after.fighters.map(({ id }) => id),
      ["A"],
    );
    const unseenAttack = { type: "attack", by: "B", name: "strike" } as const;
    assert.deepEqual(
      sceneBetweenObservations(GRID, hiddenObservation, seenAt(2, { events: [unseenAttack] })).tick
        .events,
      [],
    );
  });

  it("has a message for every event on either side", () => {
    const expectedTexts = [
      describeEventForPlayer({ ...hit, by: "A", target: "B", name: "bolt", ricochet: true }, SIDES),
      describeEventForPlayer({ ...hit, name: "wall_slam", damage: 6 }, SIDES),
      describeEventForPlayer({ ...hit, target: "A", by: "A", name: "blast", damage: 12 }, SIDES),
      describeEventForPlayer({ type: "zone_damage", target: "B", damage: 4, x: 1, y: 1 }, SIDES),
      describeEventForPlayer({ type: "pickup", by: "A", kind: "health", healed: 15 }, SIDES),
      describeEventForPlayer({ type: "attack", by: "B", name: "hook" }, SIDES),
      describeEventForPlayer(strike, SIDES),
    ];
    assert.deepEqual(expectedTexts, [
      "Your bounced bolt hits: −8.",
      "You slam into a wall: −6, and stunned.",
      "Your own blast hits you: −12.",
      null,
      "You take health, +15.",
      "Kiter uses hook out of sight.",
      null,
    ]);
  });

  it("teaches each move until the player uses it, and explains the zone in time", () => {
    const lessonAt = (lesson: number, observation: PlayObservation) =>
      nextLessonIndex(lesson, observation, seenAt(0));
    assert.equal(lessonAt(0, seenAt(1)), 0);
    const movedObservation = seenAt(1);
    assert.equal(lessonAt(0, { ...movedObservation, self: { ...movedObservation.self, x: 5 } }), 1);
    const own = { type: "attack", by: "A", name: "bolt", x: 4, y: 5, target: "e" } as const;
    assert.equal(lessonAt(1, seenAt(1, { events: [strike] })), 1);
    assert.equal(lessonAt(1, seenAt(1, { events: [own] })), 2);
    assert.equal(lessonAt(2, cooling({ dash: 8 })), 3);
    assert.equal(lessonAt(3, seenAt(12)), 3);
    const last = TUTORIAL_LESSONS.length - 1;
    assert.ok(TUTORIAL_LESSONS[last]!.firstTick < RULES.zone.start);
    assert.equal(lessonAt(last, seenAt(RULES.zone.start)), last);
    assert.equal(lessonAt(last, seenAt(RULES.max_ticks - 1)), TUTORIAL_LESSONS.length);
    assert.equal(lessonAt(TUTORIAL_LESSONS.length, seenAt(1)), TUTORIAL_LESSONS.length);
  });
});
