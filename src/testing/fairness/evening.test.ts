import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { eveningTables } from "./evening-report.ts";
import {
  firstRight,
  gamesPerBot,
  houseShare,
  rankedAfter,
  rematchesOf,
  settledRight,
  waitFigures,
} from "./evening-summary.ts";
import { spendEvening } from "./evening.ts";
import type { Evening, EveningGame, EveningOrder } from "./evening.ts";

/** One board a minute, each after ten more games. */
const ordersOf = (values: readonly number[]): EveningOrder[] =>
  values.map((spearman, place) => ({ minutes: place + 1, games: 10 * (place + 1), spearman }));

const orders: [what: string, values: number[], first: number | null, settled: number | null][] = [
  ["at once and for good", [0.95, 0.9, 0.92], 1, 1],
  ["later, when the first time did not last", [0.9, 0.8, 0.95, 1], 1, 3],
  ["for long enough, although not to the end", [1, 1, 1, 1, 1, 1, 0.5], 1, 1],
  ["not at the end", [0.7, 0.95, 0.6], 2, null],
  ["never", [0.7, 0.8], null, null],
  ["only once every bot has a game", [NaN, NaN, 1], 3, 3],
];

suite("an order is right", () => {
  for (const [what, values, first, settled] of orders)
    test(what, () => {
      const boards = ordersOf(values);
      assert.equal(firstRight(boards)?.minutes ?? null, first);
      assert.equal(settledRight(boards)?.minutes ?? null, settled);
    });
});

const HOUSE = "house";

/** A game a minute; each is a pair of letters. */
function eveningOf(bots: number, ...pairs: readonly (readonly [string, string])[]): Evening {
  const games = pairs.map((botIds, place): EveningGame => ({
    minutes: place + 1,
    botIds,
    players: botIds.map((botId) => (botId === HOUSE ? null : botId)),
  }));
  return { bots, hours: 1, games, orders: [], waits: [1, 2, 3, 4] };
}

test("a rematch is one for either of the two", () => {
  const games = [
    ["a", "b"],
    ["c", "d"],
    ["b", "a"],
    ["a", "c"],
    ["a", "b"],
  ] as const;
  assert.deepEqual(rematchesOf(eveningOf(4, ...games)), { atOnce: 2 / 5, soon: 2 / 5 });
  const apart = [
    ["a", "b"],
    ["a", "c"],
    ["b", "c"],
    ["a", "b"],
  ] as const;
  assert.deepEqual(rematchesOf(eveningOf(3, ...apart)), { atOnce: 0, soon: 1 / 4 });
});

test("games of the house are nobody's, and a bot is ranked at its thirtieth game", () => {
  const against = Array.from({ length: 30 }, () => ["a", HOUSE] as const);
  const evening = eveningOf(2, ["a", "b"], ...against);
  assert.equal(gamesPerBot(evening), 16);
  assert.equal(gamesPerBot(evening, 1), 1);
  assert.equal(houseShare(evening), 30 / 31);
  assert.deepEqual(rankedAfter(evening), [30, Infinity]);
  assert.deepEqual(waitFigures(evening), { median: 2, p95: 4, longest: 4 });
});

test("an evening with the house keeps everybody at play, and a seed repeats", async () => {
  const plan = {
    seed: 3,
    bots: 4,
    hours: 0.2,
    house: true,
    pairing: "ours",
    turnMs: [50, 150],
  } as const;
  const [one, again] = await Promise.all([spendEvening(plan), spendEvening(plan)]);
  assert.ok(gamesPerBot(one) > 20, `${gamesPerBot(one)} games of a bot`);
  assert.ok(houseShare(one) > 0 && houseShare(one) < 1);
  assert.ok(one.orders.at(-1)!.games === one.games.length);
  assert.deepEqual(
    again.orders.map(({ spearman }) => spearman),
    one.orders.map(({ spearman }) => spearman),
  );
});

test("its report has a figure in every cell", async () => {
  const text = await eveningTables({ bots: 4, hours: 0.05, seeds: 1 }, () => {});
  assert.ok(text.split("\n").length > 20);
  assert.doesNotMatch(text, /undefined|\| {2}\|$/m);
});
