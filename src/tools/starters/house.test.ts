import assert from "node:assert/strict";
import test from "node:test";

import { isOver, startFight } from "#core/engine/fight.ts";
import { allGrids, gridOf } from "#core/engine/maps.ts";
import { observe } from "#core/engine/observe.ts";
import { step } from "#core/engine/step.ts";
import { setTurn } from "#core/engine/turn.ts";
import type { Observation, Turn } from "#core/engine/types.ts";
import type { Policy, Facts } from "#core/policies/choice.ts";
import { HOUSE_MAKERS } from "#core/policies/house.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import type { HouseKind } from "#core/words/house.ts";
import { CONTENDERS } from "#tools/local/contender.ts";
import { EMPTY_TALLY, addTallies, playGame, scoreOf } from "#tools/local/series.ts";

const cage = gridOf("cage")!;

function factsOf(fighter: "A" | "B", grid = cage): Facts {
  return { match_id: "m1", fighter, map: { name: grid.name, rows: grid.rows } };
}

/** Plays two house bots on a map and calls back for each observation and its turn. */
function watch(
  kinds: readonly [HouseKind, HouseKind],
  grid: typeof cage,
  visit: (seat: number, seen: Observation, turn: Turn) => void,
): void {
  const fight = startFight(grid, 7);
  const bots = kinds.map((kind, seat) => HOUSE_MAKERS[kind](factsOf(seat === 0 ? "A" : "B", grid)));
  while (!isOver(fight)) {
    for (const [seat, bot] of bots.entries()) {
      const seen = observe(fight, seat);
      const turn = bot.turn(seen);
      visit(seat, seen, turn);
      setTurn(fight, seat, turn);
    }
    step(fight);
  }
}

// Far fewer games than the matrix of docs/house-bots.md, with limits to match.
for (const [stronger, weaker, games, least] of [
  ["greedy", "random", 18, 90],
  ["brawler", "kiter", 90, 75],
  ["ts-starter", "brawler", 90, 75],
  ["champion", "ts-starter", 9, 75],
] as const) {
  test(`${stronger} beats ${weaker} in at least ${least} % of ${games} games`, () => {
    const [first, second] = [CONTENDERS.get(stronger)!, CONTENDERS.get(weaker)!];
    let tally = EMPTY_TALLY;
    for (let index = 0; index < games; index += 1) {
      tally = addTallies(tally, playGame(first, second, allGrids(), index, 2026));
    }
    const { percent } = scoreOf(tally);
    assert.ok(percent >= least, `${percent} %`);
  });
}

for (const kind of HOUSE_KINDS) {
  test(`${kind} asks for nothing impossible, except steps that another may block`, () => {
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

  test(`${kind} plays the same from a copy of what it was shown`, () => {
    const twin: Policy = HOUSE_MAKERS[kind](factsOf("A"));
    watch([kind, "kiter"], cage, (seat, seen, turn) => {
      if (seat === 0) assert.deepEqual(twin.turn(structuredClone(seen)), turn);
    });
  });

  test(`${kind} goes on after missed ticks`, () => {
    const late = HOUSE_MAKERS[kind](factsOf("B"));
    watch(["brawler", "ts-starter"], cage, (seat, seen) => {
      if (seat === 1 && seen.tick % 7 > 4) assert.equal(typeof late.turn(seen), "object");
    });
  });
}

test("another seed of the same fight makes another fight", () => {
  const turns: string[] = [];
  for (const match_id of ["one", "two"]) {
    const bot = HOUSE_MAKERS["kiter"]({ ...factsOf("A"), match_id });
    const told: Turn[] = [];
    watch(["brawler", "brawler"], cage, (seat, seen) => {
      if (seat === 0) told.push(bot.turn(seen));
    });
    turns.push(JSON.stringify(told));
  }
  assert.notEqual(turns[0], turns[1]);
});

test("a house bot plays a map that is not on the ladder", () => {
  const rows = cage.rows.map((row) => row.replaceAll("o", "."));
  const grid = { ...cage, rows };
  const bot = HOUSE_MAKERS["ts-starter"](factsOf("A", grid));
  const fight = startFight(cage, 1);
  assert.equal(typeof bot.turn(observe(fight, 0)), "object");
});
