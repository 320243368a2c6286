import assert from "node:assert/strict";
import test from "node:test";

import { isOver, startFight } from "#core/engine/fight.ts";
import { allGrids } from "#core/engine/maps.ts";
import { observe } from "#core/engine/observe.ts";
import { combatStats, startTally, tallyTick } from "#core/engine/stats.ts";
import { step } from "#core/engine/step.ts";
import { setTurn } from "#core/engine/turn.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { BotMaker } from "#core/policies/choice.ts";
import { STRONGEST_TEMPER, starterCommands } from "#site/create/starter-commands.ts";
import { CONTENDERS } from "#tools/local/contender.ts";
import { EMPTY_TALLY, addTallies, playGame, scoreOf } from "#tools/local/series.ts";

import { TEMPERS } from "./starter.ts";

/** Every map once from each seat. */
const GAMES = 2 * allGrids().length;
const MOST_ZONE_SHARE = 0.2;
const CLEARLY = 8;

/** Damage that the first bot takes in one match, in total and from the zone. */
function damageTaken(makers: readonly [BotMaker, BotMaker], index: number) {
  const grid = allGrids()[Math.floor(index / 2) % allGrids().length]!;
  const fight = startFight(grid, index);
  const map = { name: grid.name, rows: grid.rows };
  const own = index % 2;
  const seats = own === 0 ? makers : makers.toReversed();
  const bots = seats.map((make, seat) =>
    make({ map, fighter: fighterIdAt(seat), match_id: `m${index}` }),
  );
  const tally = startTally(2);
  while (!isOver(fight)) {
    const turns = bots.map((bot, seat) => bot.turn(observe(fight, seat)));
    for (const [seat, turn] of turns.entries()) setTurn(fight, seat, turn);
    step(fight);
    tallyTick(tally, fight);
  }
  const stats = combatStats(tally, own);
  return { all: stats.damage_taken, zone: stats.taken_by_source.zone };
}

for (const temper of Object.keys(TEMPERS)) {
  test(`the ${temper} starter stays inside the zone`, () => {
    let [all, zone] = [0, 0];
    for (const opponent of ["random", "greedy", "kiter", "brawler"]) {
      const makers = [CONTENDERS.get(`starter-${temper}`)!, CONTENDERS.get(opponent)!] as const;
      for (let index = 0; index < GAMES; index += 1) {
        const taken = damageTaken(makers, index);
        all += taken.all;
        zone += taken.zone;
      }
    }
    assert.ok(zone / all < MOST_ZONE_SHARE, `${zone} of ${all} hp were lost to the zone`);
  });
}

/** Points in percent against bots of increasing strength. */
function strength(temper: string): number {
  let tally = EMPTY_TALLY;
  for (const opponent of ["greedy", "kiter", "brawler"]) {
    const [first, second] = [CONTENDERS.get(`starter-${temper}`)!, CONTENDERS.get(opponent)!];
    for (let index = 0; index < 2 * GAMES; index += 1)
      tally = addTallies(tally, playGame(first, second, allGrids(), index, 2026));
  }
  return scoreOf(tally).percent;
}

test("the temper in the commands is clearly the strongest", () => {
  const entry = { name: "ada", token: "t", bot_endpoint: "ws://ladder/bot" };
  for (const starter of ["typescript", "python"] as const)
    assert.match(
      starterCommands(starter, "http://ladder", entry),
      new RegExp(`--temper ${STRONGEST_TEMPER}$`, "u"),
    );
  const handedOut = strength(STRONGEST_TEMPER);
  for (const temper of Object.keys(TEMPERS)) {
    if (temper === STRONGEST_TEMPER) continue;
    const other = strength(temper);
    assert.ok(handedOut > other + CLEARLY, `${temper}: ${other} %, handed out: ${handedOut} %`);
  }
});
