import assert from "node:assert/strict";
import { test } from "node:test";

import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { LadderId } from "#core/words/ids.ts";
import { allWatches } from "#testing/invariants/all.ts";
import type { Watch } from "#testing/invariants/watch.ts";

import { countingWatch } from "./counts.ts";
import { DEFAULTS, FAULTS, commandOf } from "./options.ts";
import type { SimulationOptions } from "./options.ts";
import { simulate } from "./run.ts";
import { createWorld, notice } from "./world.ts";

/** An hour of faults with few bots, and no fight on the engine: a third of a second. */
const SHORT = { days: 0.04, bots: 20, fought: Infinity };

/** Runs a short seed with every invariant watched; one rated game in three is refitted. */
async function run(changes: Partial<SimulationOptions>, more: Watch[] = []) {
  const options = { ...DEFAULTS, ...SHORT, seed: 1, ...changes };
  const { counts, watch } = countingWatch();
  const outcome = await simulate(options, {
    watchesOf: (limits) => {
      const { start } = options;
      return [watch, ...more, ...allWatches({ limits, start, refitEvery: 3 })];
    },
  });
  const { complaint } = outcome;
  const said = complaint === null ? null : `${complaint.invariant}: ${complaint.text}`;
  assert.equal(said, null, commandOf(options));
  return { counts, outcome };
}

test("the same seed gives the same run, byte for byte, and another seed another (T37)", async () => {
  const { outcome: one } = await run({ seed: 11, fought: 40 });
  const { outcome: again } = await run({ seed: 11, fought: 40 });
  const { outcome: other } = await run({ seed: 12, fought: 40 });
  assert.ok(one.lines > 1000, `${one.lines} lines`);
  assert.deepEqual([again.digest, again.steps], [one.digest, one.steps]);
  assert.notEqual(other.digest, one.digest);
});

test("a run is the same wherever its code lies", () => {
  const digests = ["/here/arena.ts:1", "/there/arena.ts:1"].map((place) => {
    const world = createWorld({ ...DEFAULTS, ...SHORT, seed: 1 }, { watchesOf: () => [] });
    const detail = `StoreError: the store is full\n    at ${place}`;
    notice(world, { type: "logged", level: "error", text: "a result waits for the store", detail });
    return world.chronicle.digest();
  });
  assert.equal(digests[0], digests[1]);
});

/** A seed in which every fault strikes. */
const STRUCK = 105;

for (const fault of FAULTS)
  test(`every invariant holds with ${fault}, and progress returns (T37, T81)`, async () => {
    const { counts } = await run({ seed: STRUCK, faults: [fault] });
    assert.ok((counts.faults[fault] ?? 0) > 0, "the fault happens");
    assert.ok(counts.stored > 20, `${counts.stored} matches are stored`);
    assert.ok(counts.storedInCalm > 0, "matches are stored when the fault is over");
  });

for (const seed of [21, 22])
  test(`every invariant holds with all faults at once and tight limits, seed ${seed} (T37, T81)`, async () => {
    const { counts } = await run({ seed, limits: "tight" });
    assert.ok(counts.kills + counts.stalls > 0);
    assert.ok(counts.storedInCalm > 0);
  });

test("house bots answer every ping: without a fault none of them ever starts again", async () => {
  const restarts: string[] = [];
  const watch: Watch = {
    name: "restarts",
    on: {
      logged: ({ text }) => {
        if (text === "a house bot starts again") restarts.push(text);
      },
    },
  };
  await run({ seed: 41, faults: [] }, [watch]);
  assert.deepEqual(restarts, []);
  await run({ seed: STRUCK, faults: ["half_open"] }, [watch]);
  assert.ok(restarts.length > 0, "one that hangs does");
});

test("a month that ends within matches leaves each in the month in which it started (T45, T46)", async () => {
  const start = "2026-01-31T23:30:00.000Z";
  const seasons = new Map<string, number>();
  const turned: string[] = [];
  const watch: Watch = {
    name: "seasons",
    on: {
      stored: ({ match: { season, started, ended } }) => {
        if (season === null) return;
        const crossing = started.slice(0, 7) === ended.slice(0, 7) ? "" : " and ends in the next";
        const key = `${season}${crossing}`;
        seasons.set(key, (seasons.get(key) ?? 0) + 1);
      },
      archived: ({ season }) => void turned.push(season),
    },
  };
  await run({ seed: 31, start, faults: ["kill", "stall", "store_unavailable"] }, [watch]);
  assert.deepEqual([...seasons.keys()].toSorted(), [
    "2026-01",
    "2026-01 and ends in the next",
    "2026-02",
  ]);
  assert.deepEqual(turned, ["2026-01"]);
});

test("a wall clock that jumps 40 days ahead and an hour back closes seasons once (T45)", async () => {
  const turned: string[] = [];
  const watch: Watch = {
    name: "seasons",
    on: { archived: ({ season }) => void turned.push(season) },
  };
  const { counts } = await run({ seed: 33, faults: ["clock_ahead", "clock_back"] }, [watch]);
  assert.equal(counts.faults.clock_ahead, 1);
  assert.deepEqual(turned.toSorted(), ["2026-01", "2026-02"]);
});

test("a clock ahead closes ladders for good, also when it goes back, and games that it overtakes are unrated (T45)", async () => {
  const CLOCKS = { faults: ["clock_ahead", "clock_back"], bots: 30, days: 0.06 } as const;
  const { counts: overtaken } = await run({ ...CLOCKS, seed: 35 });
  assert.equal(overtaken.endings, 3);
  assert.ok((overtaken.unrated.window_closed ?? 0) > 0);
  const reopened = new Set<LadderId>();
  const finished = new Map<LadderId, LadderDefinition>();
  const ladders = new Map<LadderId, LadderDefinition>();
  const watch: Watch = {
    name: "windows that the clock has opened again",
    on: {
      recalled: (kept) => {
        for (const ladder of kept.ladders) ladders.set(ladder.id, ladder);
      },
      ladder: ({ ladder }) => void ladders.set(ladder.id, ladder),
      ladder_finished: ({ ladderId }) => void finished.set(ladderId, ladders.get(ladderId)!),
      looked: (_, { wall }) => {
        for (const [id, { closesAt }] of finished)
          if (wall < Date.parse(closesAt ?? "")) reopened.add(id);
      },
      started: ({ ladderId }) => (finished.has(ladderId) ? `${ladderId} is played again` : null),
    },
  };
  await run({ ...CLOCKS, seed: 44 }, [watch]);
  assert.deepEqual([...reopened].toSorted(), ["class", "cup"]);
});

test("a bot that quits when losing has lost, and only two that both skip ready play for nothing (T83)", async () => {
  for (const manners of ["quitter", "dodger"] as const) {
    const { counts } = await run(
      { seed: 6, manners, faults: [], bots: 24, days: 0.05, ladders: "public" },
      [forfeitsCount()],
    );
    assert.ok((counts.reasons.forfeit ?? 0) > 3, "somebody forfeits");
    assert.equal(counts.voided > 0, manners === "dodger");
  }
});

/**
 * Every forfeit is rated, except those before tick 0 in which nobody said ready, which are void.
 */
function forfeitsCount(): Watch {
  return {
    name: "forfeits count",
    on: {
      stored: ({ match: { reason, rated, voided, winnerSeat, finalTick } }) => {
        if (reason !== "forfeit") return null;
        const isRight = voided ? finalTick === 0 && !rated : rated && winnerSeat !== null;
        return isRight ? null : "a forfeit counts for nothing";
      },
    },
  };
}

test("a small ladder is not starved by a full one, nor the full one by it", async () => {
  const starts: Record<string, number> = {};
  const waves: Record<string, number> = {};
  const scarce: Watch = {
    name: "starts by ladder",
    on: {
      started: ({ ladderId }) => void (starts[ladderId] = (starts[ladderId] ?? 0) + 1),
      wave: ({ request: { ladderId, starts: room, waiting } }) => {
        const isShort = room.length < Math.floor(waiting.length / 2);
        if (isShort) waves[ladderId] = (waves[ladderId] ?? 0) + 1;
      },
    },
  };
  await run({ seed: 29, limits: "tight", faults: [], bots: 100, days: 0.02 }, [scarce]);
  for (const ladder of ["public", "league"]) {
    assert.ok((waves[ladder] ?? 0) > 20, `${ladder} is short of room in ${waves[ladder]} waves`);
    assert.ok((starts[ladder] ?? 0) > 20, `${ladder} starts ${starts[ladder]} matches`);
  }
});

test("a command names what differs from a run without flags", () => {
  assert.equal(commandOf({ ...DEFAULTS, seed: 7 }), "npm run simulate -- 7");
  const options = { ...DEFAULTS, seed: 8, days: 1, fought: 1, faults: [] };
  assert.equal(commandOf(options), "npm run simulate -- 8 --days 1 --fought all --faults none");
});
