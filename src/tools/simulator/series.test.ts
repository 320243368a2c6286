import assert from "node:assert/strict";
import { it } from "node:test";

import { runBout } from "#testing/harness/bout-process.ts";

import type { SimulatorBot } from "./bot.ts";
import type { MatchResult } from "./match.ts";
import { playSeries } from "./series.ts";

it("a series plays and reports the same matches as bout sim", async () => {
  const call = ["sim", "greedy", "random", "--games", "12", "--seed", "5", "--json"];
  const { out } = await runBout(call);
  const report = playSeries({ bots: ["greedy", "random"], games: 12, seed: 5 });
  assert.equal(`${JSON.stringify(report, null, 2)}\n`, out);
});

it("a series swaps seats, passes each match to `visit`, and starts each match with hello", () => {
  const seats: string[] = [];
  const matches: MatchResult[] = [];
  const bot: SimulatorBot = {
    createBot: ({ fighter }) => {
      seats.push(fighter);
      return { turn: () => null };
    },
  };
  const report = playSeries({ bots: [bot, "kiter"], games: 4, maps: ["cage"] }, (match, game) => {
    matches.push(match);
    assert.equal(match.stats.match_id, game.matchId);
  });
  assert.deepEqual(seats, ["A", "B", "A", "B"]);
  assert.equal(matches.length, 4);
  assert.deepEqual([report.games, report.wins_b, report.win_rate], [4, 4, 0]);
  assert.deepEqual(
    report.by_seat.map(({ games }) => games),
    [2, 2],
  );
  assert.deepEqual([report.a.bot, report.b.bot], ["a", "kiter"]);
});

it("the random sparring partner makes mostly legal turns, so that beating it is meaningful", () => {
  const { a, b, games, mean_ticks } = playSeries({ bots: ["random", "random"], games: 36 });
  const share = (a.refused_turns + b.refused_turns) / (2 * games * mean_ticks);
  assert.ok(share < 0.15, `${share} of its turns are refused`);
  assert.ok(a.damage_dealt > 0);
});

it("a series plays four matches per map by default", () => {
  const report = playSeries({ bots: ["random", "random"], names: ["one", "two"] });
  assert.equal(report.games, 36);
  for (const { games } of report.by_map) assert.equal(games, 4);
  for (const { games } of report.by_seat) assert.equal(games, 18);
  const { wins_a, games, win_rate, standard_error } = report;
  assert.equal(win_rate, wins_a / games);
  assert.equal(standard_error, Math.sqrt((win_rate * (1 - win_rate)) / games));
  assert.equal(report.matches[0]!.match_id, "sim-1-0000");
});
