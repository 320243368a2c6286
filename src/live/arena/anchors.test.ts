import assert from "node:assert/strict";
import { test } from "node:test";

import { testArena } from "#testing/fixtures/test-arena.ts";
import { memoryStores } from "#testing/store-contract/memory-store.ts";

const HOUSE = ["house-kiter", "house-brawler", "house-ts-starter", "house-champion"];
const PLAYERS = ["ann", "bob", "cat", "dan"];

test("anchors the average house bot rating at 1500, excluding the champion", async () => {
  const openStore = memoryStores();
  const firstArena = await testArena({ store: openStore() });
  const ids = new Map<string, string>();
  for (const name of [...HOUSE, ...PLAYERS]) {
    const isHouse = HOUSE.includes(name);
    const { id } = await firstArena.addArenaBot(name, {
      house: isHouse,
      owner: isHouse ? "house" : name,
    });
    ids.set(id, name);
  }
  firstArena.arena.stop();
  const arena = await testArena({ store: openStore() });
  const bots = await Promise.all([...HOUSE, ...PLAYERS].map((name) => arena.connect(name)));
  for (const bot of bots) bot.autoPlays = true;
  for (let round = 0; round < 30; round += 1) {
    for (const bot of bots) bot.send({ type: "queue", version: "v1" });
    await arena.advanceTime(2500);
  }
  const entries = [...arena.arena.board("public").values()];
  const ratingOf = (name: string) =>
    entries.find(({ botId }) => ids.get(botId) === name)?.rating ?? NaN;
  const [champion, ...anchors] = HOUSE.toReversed().map(ratingOf);
  const mean = anchors.reduce((sum, rating) => sum + rating, 0) / anchors.length;
  assert.ok(Math.abs(mean - 1500) < 1e-6, `${mean}`);
  assert.ok(new Set(anchors).size > 1, "each anchor's rating changes, but their mean doesn't");
  assert.ok(Math.abs(champion! - 1500) > 1e-6, `${champion}`);
});
