import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import { gridOf, MAP_NAMES } from "#core/engine/maps.ts";
import { statsOfReplay } from "#core/engine/replay.ts";
import { DAMAGE_SOURCES, DIRECTIONS } from "#core/engine/types.ts";
import { IDLE_REASON_TEXT } from "#core/replay/idle-reason-text.ts";
import { parseReplay } from "#core/replay/parse-replay.ts";
import { lossFindingsFor } from "#site/match/loss-findings.ts";
import { createSampleMatch } from "#testing/fixtures/sample-match.ts";

import { boltFlights } from "./bolt-flight.ts";
import { commentaryLines } from "./commentary.ts";
import { breakIntoTwoLines } from "./draw-bubbles.ts";
import { pathUpTo } from "./draw-effects.ts";
import { describeFailedTurnsIn } from "./match-transcript.ts";
import { sceneAt, tickTimings, displayedFrame } from "./replay-frame.ts";
import { simulateReplay } from "./simulated-replay.ts";
import type { SimulatedTick } from "./simulated-replay.ts";
import { TICK_BEATS, fighterPosition } from "./tick-timing.ts";

const { replay, text } = createSampleMatch("keep", 3);
const simulation = simulateReplay(replay);
const scores = tickTimings(simulation);

test("verifies the sample replay and preserves it in a parse round trip", () => {
  assert.deepEqual(parseReplay(text), replay);
  assert.equal(simulation.mismatch, null);
});

test("has a frame before every tick and a frame at the end", () => {
  assert.equal(simulation.ticks.length, replay.result.ticks);
  assert.equal(simulation.frames.length, simulation.ticks.length + 1);
  simulation.frames.forEach(({ tick }, index) => assert.equal(tick, index));
});

test("reports a failed turn in its own tick only", () => {
  const names = { A: "Kiter", B: "Brawler" };
  const tick = {
    ...simulation.ticks[0]!,
    turns: [{ move: "n" }, { idle: "timeout" }],
  } as SimulatedTick;
  assert.deepEqual(describeFailedTurnsIn(simulation, names, tick), [
    `Brawler: no turn: ${IDLE_REASON_TEXT.timeout}`,
  ]);
  const emptyTick = { ...tick, turns: [null, {}] } as SimulatedTick;
  assert.deepEqual(describeFailedTurnsIn(simulation, names, emptyTick), []);
});

test("changes HP between frames by the amounts in the events", () => {
  const stats = statsOfReplay(replay);
  assert.ok(stats);
  for (const fighter of stats.fighters) {
    const hits = simulation.ticks.flatMap(({ events }) => events);
    const damage = hits.reduce((sum, event) => {
      const isHit = event.type === "hit" || event.type === "zone_damage";
      return sum + (isHit && event.target === fighter.id ? event.damage : 0);
    }, 0);
    assert.equal(damage, fighter.damage_taken);
  }
});

test("shows where replay and engine diverge after a turn was modified", () => {
  const forgedReplay = structuredClone(replay);
  forgedReplay.ticks[2]!.turns = [{}, {}];
  const played = simulateReplay(forgedReplay);
  assert.ok(played.mismatch);
  assert.equal(played.mismatch.field, "hash");
  assert.ok(played.mismatch.tick === 2);
});

test("plays a replay with ticks after the end of the match as far as possible", () => {
  const forgedReplay = structuredClone(replay);
  const last = forgedReplay.ticks.length;
  forgedReplay.ticks.push({ ...forgedReplay.ticks[last - 1]!, tick: last });
  const played = simulateReplay(forgedReplay);
  assert.equal(played.ticks.length, last);
  assert.notEqual(played.mismatch, null);
});

test("fills every tick with consecutive beats", () => {
  for (const { ms, spans } of scores) {
    assert.ok(ms > 0);
    let spanStart = spans.quick.from;
    for (const beat of TICK_BEATS) {
      assert.ok(
        Math.abs(spans[beat].from - spanStart) < 1e-9 && spans[beat].to >= spans[beat].from,
      );
      spanStart = spans[beat].to;
    }
    assert.ok(Math.abs(spanStart - 1) < 1e-9);
  }
});

test("animates fighters from their position in one frame to their position in the next", () => {
  for (const tick of scores.keys()) {
    const scene = sceneAt(simulation, scores, { tick, progress: 0 });
    simulation.frames[tick]!.fighters.forEach((fighter, seat) => {
      const { x, y } = simulation.frames[tick + 1]!.fighters[seat]!;
      assert.deepEqual(fighterPosition(scene, seat, 0), { x: fighter.x, y: fighter.y });
      assert.deepEqual(fighterPosition(scene, seat, 1), { x, y });
    });
  }
});

test("changes HP numbers in the last beat of a tick", () => {
  const tick = simulation.ticks.findIndex(({ events }) =>
    events.some(({ type }) => type === "hit"),
  );
  const { from } = scores[tick]!.spans.end;
  assert.equal(displayedFrame(scores, { tick, progress: from - 0.01 }), tick);
  assert.equal(displayedFrame(scores, { tick, progress: 1 }), tick + 1);
});

/** Returns whether each step of a path follows one of the eight directions. */
const isStraight = ({ points }: { points: { x: number; y: number }[] }): boolean =>
  points.slice(1).every(({ x, y }, spanStart) => {
    const [dx, dy] = [Math.abs(x - points[spanStart]!.x), Math.abs(y - points[spanStart]!.y)];
    return dx === 0 || dy === 0 || dx === dy;
  });

test("draws a bolt from its fighter through tile centers to its target", () => {
  const grid = gridOf("courtyard");
  assert.ok(grid);
  const bolt = { type: "attack", by: "A", name: "bolt", x: 1, y: 7, target: "ne" } as const;
  const away = { id: "B" as const, x: 13, y: 13 };
  const free = boltFlights(grid, [bolt], [away])[0]!;
  assert.deepEqual(free.points[0], { x: 1.5, y: 7.5 });
  assert.deepEqual([free.bounces, free.sparks.length, free.hits], [2, 2, null]);
  assert.deepEqual(free.points.at(-1), { x: 13.5, y: 7.5 });
  assert.ok(isStraight(free));
  const [spark] = free.sparks;
  assert.deepEqual([spark?.x, spark?.y], [4.5, 4], "on the wall above 4,4");
  assert.deepEqual(free.points[spark!.pointIndex], { x: 4.5, y: 4.5 });

  const hit = { type: "hit", by: "A", target: "B", name: "bolt", damage: 10, x: 8, y: 8 } as const;
  const shortFlight = boltFlights(grid, [bolt, hit], [{ ...away, x: 8, y: 8 }])[0]!;
  assert.deepEqual(shortFlight.points.at(-1), { x: 8.5, y: 8.5 });
  assert.deepEqual([shortFlight.bounces, shortFlight.hits], [1, "B"]);
});

test("draws bolts along the eight directions from every tile of every map", () => {
  for (const name of MAP_NAMES) {
    const grid = gridOf(name)!;
    for (const [tile, floor] of grid.floor.entries())
      for (const target of floor === 0 ? [] : DIRECTIONS) {
        const [x, y] = [grid.x[tile]!, grid.y[tile]!];
        const bolt = { type: "attack", by: "A", name: "bolt", x, y, target } as const;
        const flight = boltFlights(grid, [bolt], [])[0]!;
        assert.ok(isStraight(flight), `${name} ${x},${y} ${target}`);
        assert.equal(flight.sparks.length, flight.bounces);
      }
  }
});

test("turns a returning bolt at the wall", () => {
  const grid = gridOf("courtyard");
  assert.ok(grid);
  const bolt = { type: "attack", by: "A", name: "bolt", x: 7, y: 9, target: "s" } as const;
  const flight = boltFlights(grid, [bolt], [])[0]!;
  assert.equal(flight.sparks.length, 1);
  assert.deepEqual(flight.points[flight.sparks[0]!.pointIndex], { x: 7.5, y: 14 });
  assert.ok(isStraight(flight));
});

const CORNER = [
  { x: 0, y: 0 },
  { x: 2, y: 0 },
  { x: 2, y: 2 },
];

const PARTS: [share: number, end: { x: number; y: number }, points: number][] = [
  [0, { x: 0, y: 0 }, 2],
  [0.25, { x: 1, y: 0 }, 2],
  [0.75, { x: 2, y: 1 }, 3],
  [1, { x: 2, y: 2 }, 3],
];

for (const [share, end, points] of PARTS) {
  test(`ends ${share} of a bent path at ${end.x},${end.y}`, () => {
    const part = pathUpTo(CORNER, share);
    assert.deepEqual(part.at(-1), end);
    assert.equal(part.length, points);
  });
}

const SHOUTS: [text: string, lines: string[]][] = [
  ["short", ["short"]],
  ["twenty-two characters!", ["twenty-two characters!"]],
  ["off the wall and then some more", ["off the wall and", "then some more"]],
  ["a".repeat(30), ["a".repeat(15), "a".repeat(15)]],
];

for (const [text, lines] of SHOUTS) {
  test(`breaks the shout "${text}" into ${lines.length} lines`, () => {
    assert.deepEqual(breakIntoTwoLines(text), lines);
  });
}

test("calls first blood once and the knockout last", () => {
  const lines = commentaryLines(simulation, { A: "Ada", B: "Bob" });
  assert.equal(lines.filter((line) => line.text.startsWith("First blood")).length, 1);
  const hits = simulation.ticks.filter(({ events }) => events.some(({ type }) => type === "hit"));
  assert.equal(lines.find((line) => line.text.startsWith("First blood"))?.tick, hits[0]!.tick);
  assert.match(lines.findLast(({ isHighlight }) => isHighlight)?.text ?? "", /Ada is down/);
});

test("shares first blood between two fighters who hit in the same tick", () => {
  const hit = { type: "hit", name: "strike", damage: 10, x: 1, y: 1 } as const;
  const events = [
    { ...hit, by: "A", target: "B" } as const,
    { ...hit, by: "B", target: "A" } as const,
  ];
  const ticks = [{ ...simulation.ticks[0]!, events }, ...simulation.ticks.slice(1)];
  const lines = commentaryLines({ ...simulation, ticks }, { A: "Ada", B: "Bob" });
  const [first, ...otherFighters] = lines.filter(({ text }) => text.startsWith("First blood"));
  assert.deepEqual([first?.text, otherFighters], ["First blood is shared: Ada and Bob!", []]);
});

test("calls a double knockout a photo finish", () => {
  const last = simulation.ticks.length - 1;
  const events = (["A", "B"] as const).map((target) => ({
    type: "death" as const,
    target,
    x: 1,
    y: 1,
  }));
  const ticks = [...simulation.ticks.slice(0, last), { ...simulation.ticks[last]!, events }];
  const lines = commentaryLines({ ...simulation, ticks }, {});
  assert.match(lines.at(-1)?.text ?? "", /^Photo finish/);
});

test("names the cause of a loss in the findings", () => {
  const stats = statsOfReplay(replay);
  assert.ok(stats);
  const [loser, winner] = firstTwo(stats.fighters);
  const loserFindings = lossFindingsFor(loser, winner, stats.ticks).join("\n");
  assert.match(loserFindings, /^120 hp .* = 0 left\.$/m);
  assert.match(loserFindings, /turns lost to stuns/);
  const winnerFindings = lossFindingsFor(winner, loser, stats.ticks).join("\n");
  assert.match(winnerFindings, /^2 of 62 ticks had no valid turn: no answer in time 2×\.$/m);
  const noDamage = Object.fromEntries(DAMAGE_SOURCES.map((source) => [source, 0]));
  const calm = {
    ...winner,
    taken_by_source: noDamage as typeof winner.taken_by_source,
    damage_taken: 0,
    stunned: 0,
    refused_turns: 0,
    server_idles: {},
  };
  assert.equal(lossFindingsFor(calm, { ...loser, damage_dealt: 0 }, stats.ticks).length, 1);
});
