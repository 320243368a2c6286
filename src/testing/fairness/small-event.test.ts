import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { smallEventTables } from "./small-event-report.ts";
import {
  firstAccurateOrder,
  gamesPerBot,
  houseMatchShare,
  minutesUntilRanked,
  rematchShares,
  settledOrder,
  waitStats,
} from "./small-event-summary.ts";
import { runSmallEvent } from "./small-event.ts";
import type { SmallEvent, SmallEventMatch, BoardOrder } from "./small-event.ts";

const createOrders = (values: readonly number[]): BoardOrder[] =>
  values.map((spearman, place) => ({ minutes: place + 1, games: 10 * (place + 1), spearman }));

const orders: [what: string, values: number[], first: number | null, settled: number | null][] = [
  ["from the start to the end", [0.95, 0.9, 0.92], 1, 1],
  ["later, after a temporary first time", [0.9, 0.8, 0.95, 1], 1, 3],
  ["long enough, although not to the end", [1, 1, 1, 1, 1, 1, 0.5], 1, 1],
  ["but not at the end", [0.7, 0.95, 0.6], 2, null],
  ["never", [0.7, 0.8], null, null],
  ["only once every bot has a game", [NaN, NaN, 1], 3, 3],
];

suite("finds when a ranking becomes accurate and when it settles", () => {
  for (const [what, values, first, settled] of orders)
    test(what, () => {
      const boards = createOrders(values);
      assert.equal(firstAccurateOrder(boards)?.minutes ?? null, first);
      assert.equal(settledOrder(boards)?.minutes ?? null, settled);
    });
});

const HOUSE = "house";

/** Plays one game per minute between the given pairs of bot ids. */
function createEvent(bots: number, ...pairs: readonly (readonly [string, string])[]): SmallEvent {
  const games = pairs.map((botIds, place): SmallEventMatch => ({
    minutes: place + 1,
    botIds,
    players: botIds.map((botId) => (botId === HOUSE ? null : botId)),
  }));
  return { bots, hours: 1, games, orders: [], waits: [1, 2, 3, 4] };
}

test("counts a rematch for either bot", () => {
  const games = [
    ["a", "b"],
    ["c", "d"],
    ["b", "a"],
    ["a", "c"],
    ["a", "b"],
  ] as const;
  assert.deepEqual(rematchShares(createEvent(4, ...games)), { immediate: 2 / 5, recent: 2 / 5 });
  const opponentGroups = [
    ["a", "b"],
    ["a", "c"],
    ["b", "c"],
    ["a", "b"],
  ] as const;
  assert.deepEqual(rematchShares(createEvent(3, ...opponentGroups)), {
    immediate: 0,
    recent: 1 / 4,
  });
});

test("excludes house bots from the games per bot, and ranks a bot after its thirtieth game", () => {
  const against = Array.from({ length: 30 }, () => ["a", HOUSE] as const);
  const evening = createEvent(2, ["a", "b"], ...against);
  assert.equal(gamesPerBot(evening), 16);
  assert.equal(gamesPerBot(evening, 1), 1);
  assert.equal(houseMatchShare(evening), 30 / 31);
  assert.deepEqual(minutesUntilRanked(evening), [30, Infinity]);
  assert.deepEqual(waitStats(evening), { median: 2, p95: 4, longest: 4 });
});

test("keeps every bot playing with the help of house bots, and reproduces a run from its seed", async () => {
  const plan = {
    seed: 3,
    bots: 4,
    hours: 0.2,
    house: true,
    pairing: "ours",
    turnMs: [50, 150],
  } as const;
  const [first, second] = await Promise.all([runSmallEvent(plan), runSmallEvent(plan)]);
  assert.ok(gamesPerBot(first) > 20, `${gamesPerBot(first)} games per bot`);
  assert.ok(houseMatchShare(first) > 0 && houseMatchShare(first) < 1);
  assert.ok(first.orders.at(-1)!.games === first.games.length);
  assert.deepEqual(
    second.orders.map(({ spearman }) => spearman),
    first.orders.map(({ spearman }) => spearman),
  );
});

test("fills every cell of the report", async () => {
  const text = await smallEventTables({ bots: 4, hours: 0.05, seeds: 1 }, () => {});
  assert.ok(text.split("\n").length > 20);
  assert.doesNotMatch(text, /undefined|\| {2}\|$/m);
});
