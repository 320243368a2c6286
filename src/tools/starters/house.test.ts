import assert from "node:assert/strict";
import test from "node:test";

import { HOUSE_POLICIES } from "#core/bot-policies/house-policies.ts";
import type { Policy, PolicyContext } from "#core/bot-policies/policy.ts";
import { isOver, createFight } from "#core/engine/fight.ts";
import { allGrids, gridOf } from "#core/engine/maps.ts";
import { observationFor } from "#core/engine/observe.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn } from "#core/engine/turn.ts";
import type { Observation, Turn } from "#core/engine/types.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import { BUILT_IN_BOTS } from "#tools/local-match/built-in-bots.ts";
import {
  EMPTY_RESULT_TALLY,
  addTallies,
  playSeriesMatch,
  scorePercent,
} from "#tools/local-match/engine-series.ts";

const cage = gridOf("cage")!;

function factsOf(fighter: "A" | "B", grid = cage): PolicyContext {
  return { match_id: "m1", fighter, map: { name: grid.name, rows: grid.rows } };
}

function watch(
  kinds: readonly [HouseKind, HouseKind],
  grid: typeof cage,
  visit: (seat: number, observation: Observation, turn: Turn) => void,
): void {
  const fight = createFight(grid, 7);
  const bots = kinds.map((kind, seat) =>
    HOUSE_POLICIES[kind](factsOf(seat === 0 ? "A" : "B", grid)),
  );
  while (!isOver(fight)) {
    for (const [seat, bot] of bots.entries()) {
      const observation = observationFor(fight, seat);
      const turn = bot.turn(observation);
      visit(seat, observation, turn);
      setSeatTurn(fight, seat, turn);
    }
    step(fight);
  }
}

// Plays far fewer matches than the table in docs/house-bots.md, so the thresholds are lower.
for (const [stronger, weaker, games, least] of [
  ["greedy", "random", 18, 90],
  ["brawler", "kiter", 90, 75],
  ["ts-starter", "brawler", 90, 75],
  ["champion", "ts-starter", 9, 75],
] as const) {
  test(`${stronger} beats ${weaker} in at least ${least} % of ${games} matches`, () => {
    const [first, second] = [BUILT_IN_BOTS.get(stronger)!, BUILT_IN_BOTS.get(weaker)!];
    let tally = EMPTY_RESULT_TALLY;
    for (let index = 0; index < games; index += 1) {
      tally = addTallies(tally, playSeriesMatch(first, second, allGrids(), index, 2026));
    }
    const { percent } = scorePercent(tally);
    assert.ok(percent >= least, `${percent} %`);
  });
}

for (const kind of HOUSE_KINDS) {
  test(`${kind} makes only legal requests, except for steps blocked by another fighter`, () => {
    const reasons = new Set<string>();
    for (const grid of kind === "champion" ? [cage] : allGrids()) {
      watch([kind, "brawler"], grid, (seat, { events }) => {
        for (const event of events) {
          if (seat === 0 && event.type === "rejected") reasons.add(event.reason);
        }
      });
    }
    reasons.delete("blocked");
    assert.deepEqual([...reasons], []);
  });

  test(`${kind} plays the same from a copy of its observations`, () => {
    const twinBot: Policy = HOUSE_POLICIES[kind](factsOf("A"));
    watch([kind, "kiter"], cage, (seat, observation, turn) => {
      if (seat === 0) assert.deepEqual(twinBot.turn(structuredClone(observation)), turn);
    });
  });

  test(`${kind} keeps playing after missed ticks`, () => {
    const lateTurn = HOUSE_POLICIES[kind](factsOf("B"));
    watch(["brawler", "ts-starter"], cage, (seat, observation) => {
      if (seat === 1 && observation.tick % 7 > 4)
        assert.equal(typeof lateTurn.turn(observation), "object");
    });
  });
}

test("a different seed gives a different match", () => {
  const turns: string[] = [];
  for (const match_id of ["one", "two"]) {
    const bot = HOUSE_POLICIES["kiter"]({ ...factsOf("A"), match_id });
    const observedEvents: Turn[] = [];
    watch(["brawler", "brawler"], cage, (seat, observation) => {
      if (seat === 0) observedEvents.push(bot.turn(observation));
    });
    turns.push(JSON.stringify(observedEvents));
  }
  assert.notEqual(turns[0], turns[1]);
});

test("a house bot can play on a map that is not on the ladder", () => {
  const rows = cage.rows.map((row) => row.replaceAll("o", "."));
  const grid = { ...cage, rows };
  const bot = HOUSE_POLICIES["ts-starter"](factsOf("A", grid));
  const fight = createFight(cage, 1);
  assert.equal(typeof bot.turn(observationFor(fight, 0)), "object");
});
