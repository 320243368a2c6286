import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { FighterFrame, MatchFrame } from "#core/engine/frame.ts";
import { gridOf } from "#core/engine/maps.ts";
import { statsOfReplay } from "#core/engine/replay.ts";
import { RULES } from "#core/engine/rules.ts";
import { ATTACKS, COOLDOWNS, DAMAGE_SOURCES } from "#core/engine/types.ts";
import type { AttackName, Cooldowns, FightEvent, Target } from "#core/engine/types.ts";
import { createRecordingSurface, textsIn } from "#testing/fixtures/recording-canvas.ts";
import type { CanvasCall } from "#testing/fixtures/recording-canvas.ts";
import { createSampleMatch } from "#testing/fixtures/sample-match.ts";

import { boltFlights } from "./bolt-flight.ts";
import { drawBubbles, recentShouts } from "./draw-bubbles.ts";
import { drawAttacks, screenShake } from "./draw-effects.ts";
import { fitText } from "./draw-end-card.ts";
import { drawFighters } from "./draw-fighters.ts";
import { drawGround } from "./draw-ground.ts";
import { drawImpacts } from "./draw-impacts.ts";
import { summarizeEnd } from "./end-summary.ts";
import { facingAngle } from "./facing.ts";
import { paintReplayFrame, replayTimeScale, tickTimings } from "./replay-frame.ts";
import { simulateReplay } from "./simulated-replay.ts";
import type { TickScene } from "./tick-timing.ts";
import { createViewerState, seek, setMotionless } from "./viewer-state.ts";
import type { ViewerState } from "./viewer-state.ts";

const grid = assertDefined(gridOf("cage") ?? undefined, "map");
const NO_COOLDOWNS = Object.fromEntries(COOLDOWNS.map((name) => [name, 0])) as Cooldowns;
/** Moments of a tick: the five beats, each with its start, and the pause after the tick. */
const MOMENTS = [0, 0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.79, 0.85, 0.95, 1];

type EventType = FightEvent["type"];

const [ATTACKER, TARGET] = [
  { by: "A", x: 4, y: 6 },
  { target: "B", x: 6, y: 6 },
] as const;

/** Fighter A is at (4, 6) and B at (6, 6), with floor between them. */
const EVENTS: { [Type in EventType]: Extract<FightEvent, { type: Type }> } = {
  shout: { type: "shout", by: "A", text: "Here I am" },
  rejected: { type: "rejected", by: "A", part: "move", reason: "blocked" },
  attack: { type: "attack", ...ATTACKER, name: "strike", target: "e" },
  hit: { type: "hit", by: "A", ...TARGET, name: "bolt", damage: 7 },
  repulse: { type: "repulse", by: "A", ...TARGET, x: 9, direction: "e", tiles: 3, slam: false },
  pull: { type: "pull", by: "A", ...TARGET, x: 5, direction: "w", tiles: 1 },
  area_spawn: {
    type: "area_spawn",
    by: "A",
    name: "blast",
    x: 6,
    y: 6,
    radius: 2,
    damage: 12,
    in: 2,
  },
  area_explode: { type: "area_explode", by: "A", name: "blast", x: 6, y: 6, radius: 2 },
  pickup: { type: "pickup", by: "A", kind: "health", healed: 15 },
  zone_damage: { type: "zone_damage", ...TARGET, damage: 4 },
  pickup_spawn: { type: "pickup_spawn", kind: "power", x: 6, y: 3, in: 10 },
  death: { type: "death", ...TARGET },
};

const fighter = (id: "A" | "B", x: number, y: number): FighterFrame => {
  return { id, x, y, hp: 100, alive: true, stun: 0, power: 0, cooldowns: NO_COOLDOWNS };
};

function frameAt(tick: number, changes: Partial<MatchFrame> = {}): MatchFrame {
  return {
    tick,
    fighters: [fighter("A", 4, 6), fighter("B", 6, 6)],
    areas: [],
    pickups: [],
    radius: grid.fullRadius,
    ...changes,
  };
}

/** All beats take the same time, so that scenes with different events are comparable. */
function sceneOf(events: FightEvent[], changes: Partial<TickScene> = {}): TickScene {
  const before = frameAt(20);
  const after = frameAt(21);
  const spans = {
    quick: { from: 0, to: 0.2 },
    thrown: { from: 0.2, to: 0.4 },
    move: { from: 0.4, to: 0.6 },
    bolt: { from: 0.6, to: 0.8 },
    end: { from: 0.8, to: 1 },
  };
  const flights = boltFlights(grid, events, after.fighters);
  const tick = { tick: 20, turns: [], reply_ms: [], budget_ms: [], events, flights };
  return { tick, before, after, timing: { ms: 1000, spans }, ...changes };
}

function drawScene(scene: TickScene, progress: number): CanvasCall[] {
  const { surface, calls } = createRecordingSurface(grid, ["A", "B"]);
  drawGround(surface, scene, progress);
  drawAttacks(surface, scene, progress);
  drawFighters(surface, scene, progress);
  drawImpacts(surface, scene, progress);
  drawBubbles(surface, recentShouts([scene.tick], scene.tick.tick), scene, progress);
  return calls;
}

const drawnMoments = (scene: TickScene): string[] =>
  MOMENTS.map((progress) => JSON.stringify(drawScene(scene, progress)));

/** The state after the tick, as the engine reports it together with the event. */
function sceneAfter(event: FightEvent): TickScene {
  const scene = sceneOf([event]);
  if (event.type === "area_spawn") {
    const { by, name, x, y, radius, damage } = event;
    return { ...scene, after: frameAt(21, { areas: [{ by, name, x, y, radius, damage, in: 2 }] }) };
  }
  return scene;
}

describe("drawing of an event", () => {
  for (const event of Object.values(EVENTS))
    it(`exists for ${event.type}`, () => {
      assert.notDeepEqual(drawnMoments(sceneAfter(event)), drawnMoments(sceneOf([])));
    });

  const targets: Record<AttackName, Target | null> = {
    strike: "e",
    bolt: "e",
    hook: "e",
    repulse: null,
    blast: [6, 6],
    scorch: [6, 6],
  };
  const attackScene = (name: AttackName) =>
    sceneOf([{ type: "attack", ...ATTACKER, name, target: targets[name] }]);

  for (const name of ATTACKS)
    it(`is in the attacker's color for ${name}, while it acts and after the tick`, () => {
      const idle = drawnMoments(sceneOf([]));
      const drawn = drawnMoments(attackScene(name));
      assert.notEqual(drawn.at(-1), idle.at(-1), "after the tick");
      const strokes = (scene: TickScene) =>
        MOMENTS.slice(0, -1)
          .flatMap((progress) => drawScene(scene, progress))
          .filter((call) => call.name === "stroke" && call.strokeStyle === "a").length;
      assert.ok(strokes(attackScene(name)) > strokes(sceneOf([])), "while it acts");
    });

  for (const name of DAMAGE_SOURCES)
    it(`is a damage number for ${name}`, () => {
      const hit: FightEvent =
        name === "zone" ? { ...EVENTS.zone_damage, damage: 9 } : { ...EVENTS.hit, name, damage: 9 };
      for (const progress of [0.99, 1])
        assert.ok(textsIn(drawScene(sceneOf([hit]), progress)).includes("−9"), String(progress));
      assert.ok(!textsIn(drawScene(sceneOf([hit]), 0)).includes("−9"));
    });

  it("is a separate row for each number at a fighter", () => {
    const slam: FightEvent = { ...EVENTS.hit, name: "wall_slam", damage: 6 };
    const { surface, calls } = createRecordingSurface(grid);
    drawImpacts(surface, sceneOf([EVENTS.hit, slam]), 1);
    const rows = calls.filter(({ name }) => name === "translate").map(({ args }) => args[1]);
    assert.equal(new Set(rows).size, 2);
  });

  it("is a bubble for a shout, for a few ticks", () => {
    const ticks = [
      { tick: 3, events: [EVENTS.shout] },
      { tick: 9, events: [{ ...EVENTS.shout, text: "Again" }] },
    ];
    const shoutAt = (tick: number) => recentShouts(ticks, tick).get("A");
    assert.deepEqual([2, 3, 7, 8, 9].map(shoutAt), [
      undefined,
      "Here I am",
      "Here I am",
      undefined,
      "Again",
    ]);
    assert.ok(textsIn(drawScene(sceneOf([EVENTS.shout]), 1)).includes("Here I am"));
  });

  it("is a bolt along its bounces, with sparks at the walls", () => {
    const bolt: FightEvent = { type: "attack", ...ATTACKER, name: "bolt", target: "ne" };
    const scene = sceneOf([bolt]);
    const [flight] = scene.tick.flights;
    assert.equal(flight?.bounces, 2);
    const { surface, calls } = createRecordingSurface(grid);
    drawAttacks(surface, scene, 1);
    const drawnPoints = calls.filter(({ name }) => name === "lineTo").map(({ args }) => args);
    for (const { x, y } of flight.points)
      assert.ok(drawnPoints.some(([toX, toY]) => toX === x && toY === y));
    const sparks = calls.filter(({ name, strokeStyle }) => {
      return name === "moveTo" && strokeStyle === "gold";
    });
    assert.equal(sparks.length, 8 * flight.sparks.length);
  });

  it("holds the hook's line between both fighters during the pull", () => {
    const hook: FightEvent = { type: "attack", ...ATTACKER, name: "hook", target: "e" };
    const calls = drawScene(sceneOf([hook, EVENTS.pull]), 0.3);
    const points = calls
      .filter(({ name, lineDash }) => name === "lineTo" && lineDash.length > 0)
      .map(({ args }) => args);
    assert.deepEqual(points[0], [4.5, 6.5]);
    const [x = 0] = assertDefined(points[1], "end of the line") as number[];
    assert.ok(x > 5.5 && x < 6.5, "at the pulled fighter");
  });
});

describe("drawing of the state", () => {
  it("counts down blasts and scorches", () => {
    const base = { by: "A", x: 6, y: 6, damage: 12 } as const;
    const areas = [
      { ...base, name: "blast", radius: 2, in: 2 },
      { ...base, name: "scorch", radius: 1, left: 8 },
    ] as const;
    const frame = frameAt(20, { areas: [...areas] });
    const texts = textsIn(drawScene(sceneOf([], { before: frame, after: frame }), 0.5));
    assert.deepEqual(texts.toSorted(), ["2", "8"]);
  });

  it("counts down pickups until they appear", () => {
    const textsWith = (ticks: number) => {
      const frame = frameAt(20, { pickups: [{ kind: "health", x: 3, y: 3, in: ticks }] });
      return textsIn(drawScene(sceneOf([], { before: frame, after: frame }), 1));
    };
    assert.deepEqual(textsWith(4), ["4"]);
    assert.deepEqual(textsWith(0), []);
  });

  it("warns before the zone closes", () => {
    const textsAt = (tick: number) => {
      const frame = frameAt(tick);
      return textsIn(drawScene(sceneOf([], { before: frame, after: frame }), 1));
    };
    const { start } = RULES.zone;
    assert.deepEqual(textsAt(start - 6), []);
    assert.deepEqual(textsAt(start - 5), ["closes in 5"]);
    assert.deepEqual(textsAt(start - 1), ["closes in 1"]);
  });

  it("shows stun and power", () => {
    const shapes = (changes: Partial<FighterFrame>) => {
      const frame = frameAt(20, {
        fighters: [{ ...fighter("A", 4, 6), ...changes }, fighter("B", 6, 6)],
      });
      const calls = drawScene(sceneOf([], { before: frame, after: frame }), 1);
      return calls.filter(({ name, fillStyle }) => name === "fill" && fillStyle === "gold").length;
    };
    assert.equal(shapes({}), 0);
    assert.equal(shapes({ stun: 2 }), 3);
    assert.equal(shapes({ power: 20 }), 1);
  });

  it("shows each fighter's portrait in a frame of its seat's color and shape", () => {
    const calls = drawScene(sceneOf([]), 1);
    const portraits = calls.filter(({ name }) => name === "drawImage").map(({ args }) => args[0]);
    assert.deepEqual(portraits, ["A", "B"]);
    const frameIndexes = ["a", "b"].map((color) =>
      calls.findIndex(({ name, strokeStyle }) => name === "stroke" && strokeStyle === color),
    );
    const [shapeA, shapeB] = frameIndexes.map((index) => {
      const path = calls.slice(0, index);
      const start = path.findLastIndex(({ name }) => name === "beginPath");
      return path.slice(start + 1).map(({ name }) => name);
    });
    assert.deepEqual(shapeA, ["arc"]);
    assert.deepEqual(shapeB, ["moveTo", "lineTo", "lineTo", "lineTo", "lineTo", "closePath"]);
  });

  it("shows HP as the solid part of the frame", () => {
    const dashOf = (hp: number) => {
      const frame = frameAt(20, { fighters: [{ ...fighter("A", 4, 6), hp }] });
      const calls = drawScene(sceneOf([], { before: frame, after: frame }), 1);
      return calls.find(({ name, lineDash }) => name === "stroke" && lineDash.length === 2)
        ?.lineDash;
    };
    const [solid = 0, total = 0] = assertDefined(dashOf(30), "dash");
    assert.ok(Math.abs(solid / total - 30 / RULES.hp) < 1e-9);
    assert.equal(dashOf(0), undefined);
  });

  it("turns fighters to their target, their way or their opponent", () => {
    assert.equal(facingAngle(sceneOf([]), 0, 0), 0, "B is east of A");
    assert.equal(facingAngle(sceneOf([]), 1, 0), Math.PI, "A is west of B");
    const north: FightEvent = { type: "attack", ...ATTACKER, name: "strike", target: "n" };
    assert.equal(facingAngle(sceneOf([north]), 0, 0.1), -Math.PI / 2, "while it strikes north");
    assert.equal(facingAngle(sceneOf([north]), 0, 0.5), 0, "after the strike");
    const after = frameAt(21, { fighters: [fighter("A", 4, 7), fighter("B", 6, 6)] });
    assert.equal(facingAngle(sceneOf([], { after }), 0, 0.5), Math.PI / 2, "while it walks south");
    const alone = frameAt(20, { fighters: [fighter("A", 4, 6)] });
    assert.equal(facingAngle(sceneOf([], { before: alone, after: alone }), 0, 0), null);
  });
});

const simulation = simulateReplay(createSampleMatch("cage", 5).replay);
const timings = tickTimings(simulation);
const summary = summarizeEnd(simulation, { A: "Alpha", B: "Beta" });
const durations = timings.map(({ ms }) => ms);
const lastTick = simulation.ticks.length - 1;

function paint(state: ViewerState): CanvasCall[] {
  const { surface, calls } = createRecordingSurface(simulation.grid, ["A", "B"]);
  paintReplayFrame(surface, { simulation, timings, summary }, state);
  return calls;
}

const originOf = (calls: readonly CanvasCall[]): unknown =>
  calls
    .filter(({ name }) => name === "setTransform")
    .at(-1)
    ?.args.slice(4);

const hasEvent = (index: number, isMatch: (event: FightEvent) => boolean): boolean =>
  simulation.ticks[index]?.events.some(isMatch) === true;

describe("reduced motion", () => {
  const positions = simulation.ticks.flatMap((_, tick) =>
    [0, 0.25, 0.5, 0.75, 0.9].map((progress) => tick + progress),
  );
  const stateAt = (position: number, isMotionless: boolean): ViewerState => {
    return { ...createViewerState(durations, isMotionless), position, isPlaying: true };
  };
  const calm = new Map(positions.map((position) => [position, paint(stateAt(position, true))]));

  it("removes shake and trails", () => {
    const origins = new Set([...calm.values()].map((calls) => JSON.stringify(originOf(calls))));
    assert.equal(origins.size, 1);
    const lively = positions.map((position) => paint(stateAt(position, false)));
    assert.ok(new Set(lively.map((calls) => JSON.stringify(originOf(calls)))).size > 1);
    const isAfterimage = ({ name, globalAlpha, fillStyle }: CanvasCall): boolean =>
      name === "fill" && globalAlpha === 0.08 && (fillStyle === "a" || fillStyle === "b");
    assert.ok(lively.some((calls) => calls.some(isAfterimage)));
    assert.ok(![...calm.values()].some((calls) => calls.some(isAfterimage)));
  });

  it("removes slow motion", () => {
    const deathTick = simulation.ticks.findIndex((_, index) => {
      return hasEvent(index, ({ type }) => type === "death");
    });
    assert.equal(deathTick, lastTick);
    const state = stateAt(deathTick + 0.5, false);
    assert.ok(replayTimeScale(simulation, state) < 0.5);
    assert.equal(replayTimeScale(simulation, { ...state, position: 1.5 }), 1);
    assert.equal(replayTimeScale(simulation, { ...state, speed: 4 }), 1);
    assert.equal(replayTimeScale(simulation, setMotionless(state, true)), 1);
  });

  it("draws the same picture throughout a tick", () => {
    for (let tick = 1; tick <= lastTick; tick += 1)
      assert.deepEqual(calm.get(tick + 0.25), calm.get(tick + 0.75));
  });

  it("keeps every damage number and dash", () => {
    for (const [index, { events }] of simulation.ticks.entries()) {
      const calls = paint({ ...stateAt(index + 1, true) });
      for (const event of events)
        if (event.type === "hit" || event.type === "zone_damage")
          assert.ok(textsIn(calls).includes(`−${event.damage}`), `tick ${index}`);
    }
    const route = [0.02, 0.2];
    const dashes = simulation.ticks.filter(({ turns }) =>
      turns.some((turn) => turn !== null && "dash" in turn),
    );
    assert.ok(dashes.length > 0);
    const drawnRoutes = simulation.ticks.filter((_, index) =>
      paint(stateAt(index + 1, true)).some(({ args }) => {
        return JSON.stringify(args) === JSON.stringify([route]);
      }),
    );
    assert.ok(drawnRoutes.length > 0);
  });
});

describe("end card", () => {
  const start = createViewerState(durations, false);

  it("appears only after the last tick", () => {
    const hasCard = (state: ViewerState) => textsIn(paint(state)).includes(summary.title);
    assert.ok(hasCard(seek(start, durations.length)));
    assert.ok(!hasCard(seek(start, lastTick)));
    assert.ok(!hasCard({ ...start, position: lastTick + 0.99, isPlaying: true }));
  });

  it("shows damage dealt, final HP and what decided the match", () => {
    const texts = textsIn(paint(seek(start, durations.length)));
    const stats = assertDefined(statsOfReplay(simulation.replay) ?? undefined, "stats");
    for (const { damage_dealt, hp } of stats.fighters)
      assert.ok(texts.includes(`${damage_dealt} dealt · ${hp} HP`), `${damage_dealt} ${hp}`);
    assert.match(summary.title, /^(?:Alpha|Beta) wins$/);
    assert.match(summary.decision, /^Knockout in tick \d+ by [a-z ]+, −\d+$/);
    assert.ok(texts.includes(summary.decision));
  });

  it("names other endings", () => {
    const endingOf = (reason: "timeout_hp" | "timeout_draw" | "forfeit" | "server_fault") => {
      const winner = reason === "timeout_draw" || reason === "server_fault" ? null : "A";
      const result = { ...simulation.replay.result, winner, reason } as const;
      const replay = { ...simulation.replay, result };
      const { title, decision } = summarizeEnd({ ...simulation, replay }, { A: "Alpha" });
      return `${title}: ${decision}`;
    };
    const { ticks } = simulation.replay.result;
    assert.equal(endingOf("timeout_hp"), `Alpha wins: More HP after ${ticks} ticks`);
    assert.equal(endingOf("timeout_draw"), "Draw: Equal HP and equal damage");
    assert.equal(endingOf("forfeit"), `Alpha wins: Forfeit in tick ${ticks}`);
    assert.equal(endingOf("server_fault"), "No result: Ended by a server fault");
  });

  it("shortens long names", () => {
    const context = { measureText: (text: string) => ({ width: text.length }) as TextMetrics };
    assert.equal(fitText(context, "short", 8), "short");
    assert.equal(fitText(context, "much too long", 8), "much to…");
  });
});

it("shakes the view for slams and knockouts only", () => {
  const shakes = (event: FightEvent) =>
    MOMENTS.some((at) => screenShake(sceneOf([event]), at) !== 0);
  assert.ok(shakes({ ...EVENTS.hit, name: "wall_slam" }));
  assert.ok(shakes(EVENTS.death));
  assert.ok(!shakes(EVENTS.hit));
});
