import assert from "node:assert/strict";
import test from "node:test";

import type { PolicyFactory } from "#core/bot-policies/policy.ts";
import { isOver, createFight } from "#core/engine/fight.ts";
import { allGrids } from "#core/engine/maps.ts";
import { observationFor } from "#core/engine/observe.ts";
import { combatStats, startTally, tallyTick } from "#core/engine/stats.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn } from "#core/engine/turn.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import { STRONGEST_TEMPER, starterCommands } from "#site/create/starter-commands.ts";
import { BUILT_IN_BOTS } from "#tools/local-match/built-in-bots.ts";
import {
  EMPTY_RESULT_TALLY,
  addTallies,
  playSeriesMatch,
  scorePercent,
} from "#tools/local-match/engine-series.ts";

import { TEMPERS } from "./starter.ts";

const GAMES = 2 * allGrids().length;
const MAX_ZONE_SHARE = 0.2;
const CLEAR_MARGIN = 8;

function damageTaken(makers: readonly [PolicyFactory, PolicyFactory], index: number) {
  const grid = allGrids()[Math.floor(index / 2) % allGrids().length]!;
  const fight = createFight(grid, index);
  const map = { name: grid.name, rows: grid.rows };
  const ownSeat = index % 2;
  const seats = ownSeat === 0 ? makers : makers.toReversed();
  const bots = seats.map((createBot, seat) =>
    createBot({ map, fighter: fighterIdAt(seat), match_id: `m${index}` }),
  );
  const tally = startTally(2);
  while (!isOver(fight)) {
    const turns = bots.map((bot, seat) => bot.turn(observationFor(fight, seat)));
    for (const [seat, turn] of turns.entries()) setSeatTurn(fight, seat, turn);
    step(fight);
    tallyTick(tally, fight);
  }
  const stats = combatStats(tally, ownSeat);
  return { all: stats.damage_taken, zone: stats.taken_by_source.zone };
}

for (const temper of Object.keys(TEMPERS)) {
  test(`the ${temper} starter stays inside the zone`, () => {
    let [all, zone] = [0, 0];
    for (const opponent of ["random", "greedy", "kiter", "brawler"]) {
      const makers = [
        BUILT_IN_BOTS.get(`starter-${temper}`)!,
        BUILT_IN_BOTS.get(opponent)!,
      ] as const;
      for (let index = 0; index < GAMES; index += 1) {
        const damageBySource = damageTaken(makers, index);
        all += damageBySource.all;
        zone += damageBySource.zone;
      }
    }
    assert.ok(zone / all < MAX_ZONE_SHARE, `${zone} of ${all} HP were lost to the zone`);
  });
}

function strength(temper: string): number {
  let tally = EMPTY_RESULT_TALLY;
  for (const opponent of ["greedy", "kiter", "brawler"]) {
    const [first, second] = [BUILT_IN_BOTS.get(`starter-${temper}`)!, BUILT_IN_BOTS.get(opponent)!];
    for (let index = 0; index < 2 * GAMES; index += 1)
      tally = addTallies(tally, playSeriesMatch(first, second, allGrids(), index, 2026));
  }
  return scorePercent(tally).percent;
}

test("the temper in the documented commands is clearly the strongest", () => {
  const temperEntry = { name: "ada", token: "t", bot_endpoint: "ws://ladder/bot" };
  for (const starter of ["typescript", "python"] as const)
    assert.match(
      starterCommands(starter, "http://ladder", temperEntry),
      new RegExp(`--temper ${STRONGEST_TEMPER}$`, "u"),
    );
  const issuedBots = strength(STRONGEST_TEMPER);
  for (const temper of Object.keys(TEMPERS)) {
    if (temper === STRONGEST_TEMPER) continue;
    const otherTemper = strength(temper);
    assert.ok(
      issuedBots > otherTemper + CLEAR_MARGIN,
      `${temper}: ${otherTemper} %, documented: ${issuedBots} %`,
    );
  }
});
