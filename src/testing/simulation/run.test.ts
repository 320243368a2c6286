import assert from "node:assert/strict";
import { test } from "node:test";

import type { LadderId } from "#core/ids/ids.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { createWatches } from "#testing/invariants/all-watches.ts";
import type { Watch } from "#testing/invariants/watch.ts";

import { createCountWatch } from "./count-watch.ts";
import { DEFAULT_SIMULATION_OPTIONS, FAULT_KINDS, formatSimulationCommand } from "./options.ts";
import type { SimulationOptions } from "./options.ts";
import { simulate } from "./run.ts";
import { createWorld, emitNotice } from "./world.ts";

/** An hour of faults with few bots and no engine matches runs in a third of a second. */
const SHORT = { days: 0.04, bots: 20, fought: Infinity };

/** Runs all watches on a short seed. One rated game in three is refitted. */
async function run(changes: Partial<SimulationOptions>, more: Watch[] = []) {
  const options = { ...DEFAULT_SIMULATION_OPTIONS, ...SHORT, seed: 1, ...changes };
  const { counts, watch } = createCountWatch();
  const outcome = await simulate(options, {
    createWatches: (limits) => {
      const { start } = options;
      return [watch, ...more, ...createWatches({ limits, start, refitEvery: 3 })];
    },
  });
  const { complaint } = outcome;
  const messages = complaint === null ? null : `${complaint.invariant}: ${complaint.text}`;
  assert.equal(messages, null, formatSimulationCommand(options));
  return { counts, outcome };
}

test("the same seed gives the same run byte for byte, and a different seed gives a different run (T37)", async () => {
  const { outcome: first } = await run({ seed: 11, fought: 40 });
  const { outcome: second } = await run({ seed: 11, fought: 40 });
  const { outcome: other } = await run({ seed: 12, fought: 40 });
  assert.ok(first.lines > 1000, `${first.lines} lines`);
  assert.deepEqual([second.digest, second.steps], [first.digest, first.steps]);
  assert.notEqual(other.digest, first.digest);
});

test("a run doesn't depend on where its code is located", () => {
  const digests = ["/here/arena.ts:1", "/there/arena.ts:1"].map((place) => {
    const simulatedWorld = createWorld(
      { ...DEFAULT_SIMULATION_OPTIONS, ...SHORT, seed: 1 },
      { createWatches: () => [] },
    );
    const detail = `StoreError: the store is full\n    at ${place}`;
    emitNotice(simulatedWorld, {
      type: "logged",
      level: "error",
      text: "could not store match result; retrying",
      detail,
    });
    return simulatedWorld.eventLog.digest();
  });
  assert.equal(digests[0], digests[1]);
});

/** A seed for which every fault occurs. */
const FAULT_SEED = 105;

for (const fault of FAULT_KINDS)
  test(`every invariant holds with ${fault}, and progress resumes (T37, T81)`, async () => {
    const { counts } = await run({ seed: FAULT_SEED, faults: [fault] });
    assert.ok((counts.faults[fault] ?? 0) > 0, "the fault occurs");
    assert.ok(counts.stored > 20, `${counts.stored} matches stored`);
    assert.ok(counts.storedInCalm > 0, "matches are stored after the fault");
  });

for (const seed of [21, 22])
  test(`every invariant holds with all faults combined and tight limits, seed ${seed} (T37, T81)`, async () => {
    const { counts } = await run({ seed, limits: "tight" });
    assert.ok(counts.kills + counts.stalls > 0);
    assert.ok(counts.storedInCalm > 0);
  });

test("house bots answer every ping, so none is restarted without a fault", async () => {
  const restarts: string[] = [];
  const watch: Watch = {
    name: "restarts",
    on: {
      logged: ({ text }) => {
        if (text === "restarting house bot") restarts.push(text);
      },
    },
  };
  await run({ seed: 41, faults: [] }, [watch]);
  assert.deepEqual(restarts, []);
  await run({ seed: FAULT_SEED, faults: ["half_open"] }, [watch]);
  assert.ok(restarts.length > 0, "a house bot that hangs is restarted");
});

test("a match that runs past the end of a month counts in the month it started in (T45, T46)", async () => {
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

test("each season closes once even if the clock jumps 40 days ahead and an hour back (T45)", async () => {
  const turned: string[] = [];
  const watch: Watch = {
    name: "seasons",
    on: { archived: ({ season }) => void turned.push(season) },
  };
  const { counts } = await run({ seed: 33, faults: ["clock_ahead", "clock_back"] }, [watch]);
  assert.equal(counts.faults.clock_ahead, 1);
  assert.deepEqual(turned.toSorted(), ["2026-01", "2026-02"]);
});

test("a clock that runs ahead closes ladders permanently, even if it is set back, and matches that run past the closing time are unrated (T45)", async () => {
  const CLOCKS = { faults: ["clock_ahead", "clock_back"], bots: 30, days: 0.06 } as const;
  const { counts: overtaken } = await run({ ...CLOCKS, seed: 35 });
  assert.equal(overtaken.endings, 3);
  assert.ok((overtaken.unrated.window_closed ?? 0) > 0);
  const reopened = new Set<LadderId>();
  const finished = new Map<LadderId, LadderDefinition>();
  const ladders = new Map<LadderId, LadderDefinition>();
  const watch: Watch = {
    name: "windows that the clock has reopened",
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
      started: ({ ladderId }) => (finished.has(ladderId) ? `${ladderId} has matches again` : null),
    },
  };
  await run({ ...CLOCKS, seed: 44 }, [watch]);
  assert.deepEqual([...reopened].toSorted(), ["class", "cup"]);
});

test("a bot that quits while losing loses, and a match is void only if neither bot sends ready (T83)", async () => {
  for (const manners of ["quitter", "dodger"] as const) {
    const { counts } = await run(
      { seed: 6, manners, faults: [], bots: 24, days: 0.05, ladders: "public" },
      [forfeitsCount()],
    );
    assert.ok((counts.reasons.forfeit ?? 0) > 3, "there are forfeits");
    assert.equal(counts.voided > 0, manners === "dodger");
  }
});

/**
 * Every forfeit is rated, unless it happens before tick 0 and neither bot sent `ready`. In that
 * case, the match is void.
 */
function forfeitsCount(): Watch {
  return {
    name: "forfeits count",
    on: {
      stored: ({ match: { reason, rated, voided, winnerSeat, finalTick } }) => {
        if (reason !== "forfeit") return null;
        const isRight = voided ? finalTick === 0 && !rated : rated && winnerSeat !== null;
        return isRight ? null : "a forfeit doesn't count";
      },
    },
  };
}

test("neither a quiet nor a busy ladder starves the other", async () => {
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
    assert.ok(
      (waves[ladder] ?? 0) > 20,
      `${ladder} is short of capacity in ${waves[ladder]} waves`,
    );
    assert.ok((starts[ladder] ?? 0) > 20, `${ladder} starts ${starts[ladder]} matches`);
  }
});

test("a command lists only flags that differ from the defaults", () => {
  assert.equal(
    formatSimulationCommand({ ...DEFAULT_SIMULATION_OPTIONS, seed: 7 }),
    "npm run simulate -- 7",
  );
  const options = { ...DEFAULT_SIMULATION_OPTIONS, seed: 8, days: 1, fought: 1, faults: [] };
  assert.equal(
    formatSimulationCommand(options),
    "npm run simulate -- 8 --days 1 --fought all --faults none",
  );
});
