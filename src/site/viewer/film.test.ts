import assert from "node:assert/strict";
import { test } from "node:test";

import { bothOf } from "#base/units/sure.ts";
import { gridOf, MAP_NAMES } from "#core/engine/maps.ts";
import { statsOfReplay } from "#core/engine/replay.ts";
import { DAMAGE_SOURCES, DIRECTIONS } from "#core/engine/types.ts";
import { IDLE_WORDS } from "#core/replay/idle-words.ts";
import { parseReplay } from "#core/replay/replay.ts";
import { findingsOf } from "#site/public/findings.ts";
import { sampleBout } from "#testing/fixtures/sample-bout.ts";

import { castLines } from "./caster.ts";
import { partOf } from "./draw-effects.ts";
import { twoLines } from "./draw-fighters.ts";
import { failedTurns } from "./fight-text.ts";
import { filmOf } from "./film.ts";
import type { FilmTick } from "./film.ts";
import { flightsOf } from "./flight.ts";
import { sceneAt, scoresOf, settledFrame } from "./picture.ts";
import { BEATS, placeOf } from "./tick-timing.ts";

const { replay, text } = sampleBout("keep", 3);
const film = filmOf(replay);
const scores = scoresOf(film);

test("the sample is a replay that parses back to itself and verifies", () => {
  assert.deepEqual(parseReplay(text), replay);
  assert.equal(film.mismatch, null);
});

test("a film has a frame before every tick and one at the end", () => {
  assert.equal(film.ticks.length, replay.result.ticks);
  assert.equal(film.frames.length, film.ticks.length + 1);
  film.frames.forEach(({ tick }, index) => assert.equal(tick, index));
});

test("a turn that failed is told of its tick, and no other", () => {
  const names = { A: "Kiter", B: "Brawler" };
  const tick = { ...film.ticks[0]!, turns: [{ move: "n" }, { idle: "timeout" }] } as FilmTick;
  assert.deepEqual(failedTurns(film, names, tick), [`Brawler: no turn: ${IDLE_WORDS.timeout}`]);
  const none = { ...tick, turns: [null, {}] } as FilmTick;
  assert.deepEqual(failedTurns(film, names, none), []);
});

test("hp falls from frame to frame by what the events say", () => {
  const stats = statsOfReplay(replay);
  assert.ok(stats);
  for (const fighter of stats.fighters) {
    const hits = film.ticks.flatMap(({ events }) => events);
    const damage = hits.reduce((sum, event) => {
      const isHit = event.type === "hit" || event.type === "zone_damage";
      return sum + (isHit && event.target === fighter.id ? event.damage : 0);
    }, 0);
    assert.equal(damage, fighter.damage_taken);
  }
});

test("a changed turn shows where the record and the engine part ways", () => {
  const forged = structuredClone(replay);
  forged.ticks[2]!.turns = [{}, {}];
  const played = filmOf(forged);
  assert.ok(played.mismatch);
  assert.equal(played.mismatch.field, "hash");
  assert.ok(played.mismatch.tick === 2);
});

test("a record that goes on after the end is played as far as it can be", () => {
  const forged = structuredClone(replay);
  const last = forged.ticks.length;
  forged.ticks.push({ ...forged.ticks[last - 1]!, tick: last });
  const played = filmOf(forged);
  assert.equal(played.ticks.length, last);
  assert.notEqual(played.mismatch, null);
});

test("the beats of every tick follow each other and fill it to its end", () => {
  for (const { ms, spans } of scores) {
    assert.ok(ms > 0);
    let at = spans.quick.from;
    for (const beat of BEATS) {
      assert.ok(Math.abs(spans[beat].from - at) < 1e-9 && spans[beat].to >= spans[beat].from);
      at = spans[beat].to;
    }
    assert.ok(Math.abs(at - 1) < 1e-9);
  }
});

test("fighters are seen to move from where they stand to where the next frame has them", () => {
  for (const tick of scores.keys()) {
    const scene = sceneAt(film, scores, { tick, share: 0 });
    film.frames[tick]!.fighters.forEach((fighter, seat) => {
      const { x, y } = film.frames[tick + 1]!.fighters[seat]!;
      assert.deepEqual(placeOf(scene, seat, 0), { x: fighter.x, y: fighter.y });
      assert.deepEqual(placeOf(scene, seat, 1), { x, y });
    });
  }
});

test("numbers change with the last beat of a tick", () => {
  const tick = film.ticks.findIndex(({ events }) => events.some(({ type }) => type === "hit"));
  const { from } = scores[tick]!.spans.end;
  assert.equal(settledFrame(scores, { tick, share: from - 0.01 }), tick);
  assert.equal(settledFrame(scores, { tick, share: 1 }), tick + 1);
});

/** Whether each step of a path is along one of the eight directions. */
const isStraight = ({ points }: { points: { x: number; y: number }[] }): boolean =>
  points.slice(1).every(({ x, y }, at) => {
    const [dx, dy] = [Math.abs(x - points[at]!.x), Math.abs(y - points[at]!.y)];
    return dx === 0 || dy === 0 || dx === dy;
  });

test("a bolt is drawn from its fighter through centres of tiles to whom it hits", () => {
  const grid = gridOf("courtyard");
  assert.ok(grid);
  const bolt = { type: "attack", by: "A", name: "bolt", x: 1, y: 7, target: "ne" } as const;
  const away = { id: "B" as const, x: 13, y: 13 };
  const free = flightsOf(grid, [bolt], [away])[0]!;
  assert.deepEqual(free.points[0], { x: 1.5, y: 7.5 });
  assert.deepEqual([free.bounces, free.sparks.length, free.hits], [2, 2, null]);
  assert.deepEqual(free.points.at(-1), { x: 13.5, y: 7.5 });
  assert.ok(isStraight(free));
  const [spark] = free.sparks;
  assert.deepEqual([spark?.x, spark?.y], [4.5, 4], "on the wall above 4,4");
  assert.deepEqual(free.points[spark!.reached], { x: 4.5, y: 4.5 });

  const hit = { type: "hit", by: "A", target: "B", name: "bolt", damage: 10, x: 8, y: 8 } as const;
  const short = flightsOf(grid, [bolt, hit], [{ ...away, x: 8, y: 8 }])[0]!;
  assert.deepEqual(short.points.at(-1), { x: 8.5, y: 8.5 });
  assert.deepEqual([short.bounces, short.hits], [1, "B"]);
});

test("every bolt from every tile of every map flies along the eight directions", () => {
  for (const name of MAP_NAMES) {
    const grid = gridOf(name)!;
    for (const [tile, floor] of grid.floor.entries())
      for (const target of floor === 0 ? [] : DIRECTIONS) {
        const [x, y] = [grid.x[tile]!, grid.y[tile]!];
        const bolt = { type: "attack", by: "A", name: "bolt", x, y, target } as const;
        const flight = flightsOf(grid, [bolt], [])[0]!;
        assert.ok(isStraight(flight), `${name} ${x},${y} ${target}`);
        assert.equal(flight.sparks.length, flight.bounces);
      }
  }
});

test("a bolt that comes home turns at the wall", () => {
  const grid = gridOf("courtyard");
  assert.ok(grid);
  const bolt = { type: "attack", by: "A", name: "bolt", x: 7, y: 9, target: "s" } as const;
  const flight = flightsOf(grid, [bolt], [])[0]!;
  assert.equal(flight.sparks.length, 1);
  assert.deepEqual(flight.points[flight.sparks[0]!.reached], { x: 7.5, y: 14 });
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
  test(`${share} of a bent way ends at ${end.x},${end.y}`, () => {
    const part = partOf(CORNER, share);
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
  test(`the shout "${text}" takes ${lines.length} lines`, () => {
    assert.deepEqual(twoLines(text), lines);
  });
}

test("the caster calls first blood once and the knockout last", () => {
  const lines = castLines(film, { A: "Ada", B: "Bob" });
  assert.equal(lines.filter((line) => line.text.startsWith("First blood")).length, 1);
  const hits = film.ticks.filter(({ events }) => events.some(({ type }) => type === "hit"));
  assert.equal(lines.find((line) => line.text.startsWith("First blood"))?.tick, hits[0]!.tick);
  assert.match(lines.findLast(({ loud }) => loud)?.text ?? "", /Ada is down/);
});

test("first blood is shared by two who hit in the same tick", () => {
  const hit = { type: "hit", name: "strike", damage: 10, x: 1, y: 1 } as const;
  const events = [
    { ...hit, by: "A", target: "B" } as const,
    { ...hit, by: "B", target: "A" } as const,
  ];
  const ticks = [{ ...film.ticks[0]!, events }, ...film.ticks.slice(1)];
  const lines = castLines({ ...film, ticks }, { A: "Ada", B: "Bob" });
  const [first, ...others] = lines.filter(({ text }) => text.startsWith("First blood"));
  assert.deepEqual([first?.text, others], ["First blood is shared: Ada and Bob!", []]);
});

test("the caster calls a double knockout a photo finish", () => {
  const last = film.ticks.length - 1;
  const events = (["A", "B"] as const).map((target) => ({
    type: "death" as const,
    target,
    x: 1,
    y: 1,
  }));
  const ticks = [...film.ticks.slice(0, last), { ...film.ticks[last]!, events }];
  const lines = castLines({ ...film, ticks }, {});
  assert.match(lines.at(-1)?.text ?? "", /^Photo finish/);
});

test("findings name what cost a bout", () => {
  const stats = statsOfReplay(replay);
  assert.ok(stats);
  const [loser, winner] = bothOf(stats.fighters);
  const found = findingsOf(loser, winner, stats.ticks).join("\n");
  assert.match(found, /^120 hp .* = 0 left\.$/m);
  assert.match(found, /turns lost to stuns/);
  const other = findingsOf(winner, loser, stats.ticks).join("\n");
  assert.match(other, /^2 of 62 ticks passed without a valid turn: no answer in time 2×\.$/m);
  const nothing = Object.fromEntries(DAMAGE_SOURCES.map((source) => [source, 0]));
  const calm = {
    ...winner,
    taken_by_source: nothing as typeof winner.taken_by_source,
    damage_taken: 0,
    stunned: 0,
    refused_turns: 0,
    server_idles: {},
  };
  assert.equal(findingsOf(calm, { ...loser, damage_dealt: 0 }, stats.ticks).length, 1);
});
