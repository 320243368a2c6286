import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import { garbagePlayer } from "#testing/fixtures/garbage-player.ts";
import { recordMatch } from "#testing/fixtures/record-match.ts";
import { mulberry32, referencePlayer } from "#testing/fixtures/reference-player.ts";

import { eventsOf } from "./events.ts";
import type { Fight } from "./fight.ts";
import { EMPTY_TRACE, extendTrace, hashToText, traceHash } from "./hash.ts";
import { allGrids, gridOf } from "./maps.ts";
import { createMatchStats, startMatchTally, tallyMatchTick } from "./match-stats.ts";
import { resimulate, statsOfReplay } from "./replay.ts";
import { RULES } from "./rules.ts";
import type { IdleReason, Replay, ReplayTick } from "./types.ts";
import { DAMAGE_SOURCES, IDLE_REASONS } from "./types.ts";

function cageMatch(): Replay {
  return recordMatch(gridOf("cage")!, 9, referencePlayer("fight", 9));
}

test("verifies a recorded match", () => {
  for (const [seed, grid] of allGrids().entries()) {
    for (const seats of [2, 3, 4]) {
      const replay = recordMatch(grid, seed, garbagePlayer(seed), { seats });
      const read = JSON.parse(JSON.stringify(replay)) as Replay;
      assert.equal(resimulate(read).ok, true);
    }
  }
});

test("returns the final state of the fight", () => {
  const played = resimulate(cageMatch());
  assert.ok(played.ok);
  assert.deepEqual([...played.fight.hp], [0, 24]);
});

function traceOf(ticks: ReplayTick[]): string {
  const hashes = ticks.map(({ hash }) => Number.parseInt(hash, 16));
  return hashToText(traceHash(hashes.reduce(extendTrace, EMPTY_TRACE)));
}

function truncateReplay(replay: Replay, count: number, result: Partial<Replay["result"]>): Replay {
  const ticks = replay.ticks.slice(0, count);
  const whole = { winner: null, reason: "forfeit", ticks: count, hash: traceOf(ticks) } as const;
  return { ...replay, ticks, result: { ...whole, ...result } };
}

const CHANGES: [
  name: string,
  change: (replay: Replay) => void,
  tick: number | null,
  field: string,
][] = [
  ["a turn", ({ ticks }) => (ticks[3]!.turns[0] = { dash: "n" }), 3, "hash"],
  ["a hash", ({ ticks }) => (ticks[5]!.hash = "00000000"), 5, "hash"],
  [
    "the letters of a hash",
    ({ ticks }) => (ticks[0]!.hash = ticks[0]!.hash.toUpperCase()),
    0,
    "hash",
  ],
  ["the seed", ({ header }) => (header.seed += 1), 0, "hash"],
  ["a tick number", ({ ticks }) => (ticks[4]!.tick = 5), 4, "tick"],
  ["a missing turn", ({ ticks }) => ticks[4]!.turns.pop(), 4, "turns"],
  ["an extra tick", ({ ticks }) => ticks.push({ ...ticks[0]!, tick: ticks.length }), 93, "tick"],
  ["a missing tick", ({ ticks }) => ticks.pop(), null, "ticks"],
  ["the trace", ({ result }) => (result.hash = "00000000"), null, "trace"],
  ["the number of ticks", ({ result }) => (result.ticks = 92), null, "ticks"],
  ["the winner", ({ result }) => (result.winner = "A"), null, "winner"],
  ["no winner", ({ result }) => (result.winner = null), null, "winner"],
  ["the reason", ({ result }) => (result.reason = "timeout_hp"), null, "reason"],
  ["a forfeit after the end", ({ result }) => (result.reason = "forfeit"), null, "reason"],
  ["the map", ({ header }) => (header.map = { name: "cage", rows: ["###"] }), null, "map"],
  ["another map", ({ header }) => (header.map = gridOf("keep")!), 0, "hash"],
  ["a single fighter", ({ header }) => header.fighters.pop(), null, "fighters"],
];

for (const [name, change, tick, field] of CHANGES) {
  test(`detects a changed replay: ${name}`, () => {
    const replay = structuredClone(cageMatch());
    change(replay);
    const played = resimulate(replay);
    assert.ok(!played.ok);
    assert.deepEqual([played.tick, played.field], [tick, field]);
    assert.notEqual(played.recorded, played.simulated);
    assert.equal(statsOfReplay(replay), null);
  });
}

test("takes a custom map from the replay", () => {
  const replay = cageMatch();
  const rows = replay.header.map.rows;
  assert.ok(
    resimulate({ ...replay, header: { ...replay.header, map: { name: "my own", rows } } }).ok,
  );
});

test("accepts a forfeit that the server decided, with and without ticks", () => {
  assert.ok(resimulate(truncateReplay(cageMatch(), 40, { winner: "B" })).ok);
  assert.ok(resimulate(truncateReplay(cageMatch(), 0, { winner: "A" })).ok);
  assert.ok(resimulate(truncateReplay(cageMatch(), 0, { hash: "00000000" })).ok);
});

test("accepts a match voided by a server fault", () => {
  const replay = truncateReplay(cageMatch(), 40, { reason: "server_fault", winner: null });
  assert.ok(resimulate(replay).ok);
  const won = truncateReplay(cageMatch(), 40, { reason: "server_fault", winner: "B" });
  assert.equal(resimulate(won).ok, false);
  assert.equal(statsOfReplay(replay), null);
});

test("rejects an end reason that the engine can't confirm while the match is running", () => {
  const played = resimulate(truncateReplay(cageMatch(), 40, { reason: "timeout_draw" }));
  assert.deepEqual(!played.ok && [played.field, played.simulated], ["reason", "none"]);
});

/** Returns a match with five valid turns and then ten failed ticks in a row for these seats. */
function silentMatch(silent: number[], result: Partial<Replay["result"]>): Replay {
  let calls = 0;
  const replay = recordMatch(gridOf("courtyard")!, 1, (_, seat) => {
    calls += 1;
    return calls > 10 && silent.includes(seat) ? null : {};
  });
  return truncateReplay(replay, 15, { reason: "disqualification", ...result });
}

const DISQUALIFIED: [silent: number[], winner: "A" | "B" | null, ok: boolean][] = [
  [[0], "B", true],
  [[0], "A", false],
  [[1], "A", true],
  [[1], null, false],
  [[0, 1], null, true],
  [[0, 1], "A", false],
  [[], "A", false],
];

for (const [silent, winner, ok] of DISQUALIFIED) {
  const who = silent.map((seat) => "AB"[seat]).join(" and ") || "nobody";
  test(`with ${who} silent, ${winner} ${ok ? "wins" : "does not win"} by disqualification`, () => {
    assert.equal(resimulate(silentMatch(silent, { winner })).ok, ok);
  });
}

const LIMIT_CASES: [told: number | undefined, ok: boolean][] = [
  [undefined, true],
  [10, true],
  [3, true],
  [11, false],
];

for (const [recordedLimit, ok] of LIMIT_CASES)
  test(`ten failed ticks ${ok ? "lose" : "do not lose"} with a limit of ${recordedLimit} in the header`, () => {
    const replay = silentMatch([0], { winner: "B" });
    const { failed_ticks_to_disqualify: _, ...deadlines } = replay.header.deadlines;
    replay.header.deadlines =
      recordedLimit === undefined
        ? deadlines
        : { ...deadlines, failed_ticks_to_disqualify: recordedLimit };
    assert.equal(resimulate(replay).ok, ok);
    assert.equal(statsOfReplay(replay)?.fighters[0]!.disqualified ?? false, ok);
  });

function withServerTimes(replay: Replay, seed: number): void {
  const draw = mulberry32(seed);
  for (const tick of replay.ticks) {
    tick.reply_ms = tick.turns.map(() => (draw() % 4 === 0 ? null : (draw() % 1_500_000) / 1000));
    tick.budget_ms = tick.turns.map(() => draw() % 300_000);
    tick.turns = tick.turns.map((turn) => {
      const isIdle = turn !== null && "idle" in turn;
      return isIdle
        ? { idle: IDLE_REASONS[draw() % IDLE_REASONS.length]! satisfies IdleReason }
        : turn;
    });
  }
}

test("live statistics equal those recomputed from the replay", () => {
  for (const [seed, grid] of allGrids().entries()) {
    for (const seats of [2, 3]) {
      const replay = recordMatch(grid, seed, garbagePlayer(seed), { seats });
      withServerTimes(replay, seed);
      const tally = startMatchTally(replay.header);
      const secondRun = recordMatch(grid, seed, garbagePlayer(seed), {
        seats,
        onTick: (fight, { tick }) => tallyMatchTick(tally, fight, replay.ticks[tick]!),
      });
      assert.deepEqual(secondRun.result, replay.result);
      const live = createMatchStats(replay.header, replay.result, tally);
      assert.deepEqual(statsOfReplay(replay), live);
    }
  }
});

test("the statistics document has the published fields in order", () => {
  const stats = statsOfReplay(cageMatch())!;
  assert.equal(
    Object.keys(stats).join(" "),
    "match_id stats_version map seed ticks winner reason fighters",
  );
  assert.deepEqual(
    Object.keys(stats.fighters[0]!).join(" "),
    "id name version hp alive moves moves_blocked dashes dash_tiles weapons ricochets pickups " +
      "healed damage_dealt dealt_by_source damage_taken taken_by_source wall_slams knocked_back " +
      "stunned zone_ticks rejected refused_turns refused_turns_by_reason server_idles timing " +
      "disconnects disqualified",
  );
  assert.deepEqual(
    [stats.match_id, stats.map, stats.seed, stats.ticks],
    ["match-9", "cage", 9, 93],
  );
  assert.deepEqual([stats.winner, stats.reason], ["B", "last_standing"]);
});

test("damage dealt, self-damage and zone damage add up to the damage taken, by source", () => {
  for (const [seed, grid] of allGrids().entries()) {
    const ownStats = new Map<string, number>();
    const visit = (fight: Fight): void => {
      for (const event of eventsOf(fight)) {
        if (event.type !== "hit" || event.by !== event.target) continue;
        ownStats.set(event.name, (ownStats.get(event.name) ?? 0) + event.damage);
      }
    };
    const replay = recordMatch(grid, seed, referencePlayer("fight", seed), { onTick: visit });
    const [a, b] = firstTwo(statsOfReplay(replay)!.fighters);
    for (const source of DAMAGE_SOURCES) {
      const damageTaken = a.taken_by_source[source] + b.taken_by_source[source];
      const damageDealt = a.dealt_by_source[source] + b.dealt_by_source[source];
      const zone = source === "zone" ? (a.zone_ticks + b.zone_ticks) * RULES.zone.damage : 0;
      assert.equal(damageTaken, damageDealt + (ownStats.get(source) ?? 0) + zone, source);
    }
  }
});
