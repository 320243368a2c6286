import assert from "node:assert/strict";
import { it } from "node:test";

import { around } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";
import { addBot, addVersion, bearer, rate, testApi, tokenOf } from "#testing/fixtures/test-api.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

/** A store that counts the rows in its answers. */
function weighed(): { store: Store; rows: () => number } {
  let total = 0;
  const inner = memoryStore();
  const nouns = around(inner, (method) => async (...values) => {
    const answer = await method(...values);
    total += rowsOf(answer);
    return answer;
  });
  const rows = () => {
    const found = total;
    total = 0;
    return found;
  };
  return { store: { ...nouns, close: inner.close }, rows };
}

/** Counts the items of an answer's lists and of the lists within them. */
function rowsOf(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length;
  if (typeof answer !== "object" || answer === null) return 1;
  const lists = Object.values(answer).filter((field) => Array.isArray(field));
  return 1 + lists.reduce((sum, list) => sum + list.length, 0);
}

const SHOWN = 200;

/** Rows read per request on a ladder of `bots` bots when the first has `versions` versions. */
async function costs(bots: number, versions: number) {
  const { store, rows } = weighed();
  const api = testApi({}, { store });
  const [rex] = [await addBot(api, "Rex")];
  for (let number = 1; number < bots; number += 1) await addBot(api, `Bot-${number}`);
  const first = await addVersion(api, rex, "first");
  for (let number = 1; number < versions; number += 1) await addVersion(api, rex, `v${number}`);
  rate(api, first, 1600, [30, 0, 0]);
  const ask = async (url: string) => {
    const { statusCode, body } = await api.app.inject({ url, headers: bearer(tokenOf("Rex")) });
    assert.equal(statusCode, 200, url);
    return JSON.parse(body) as unknown;
  };
  const cost: Record<string, number> = {};
  const paths = ["/api/bots/Rex", "/api/me", "/api/bots/Rex/versions?limit=50", "/api/leaderboard"];
  for (const path of paths) {
    rows();
    await ask(path);
    cost[path] = rows();
    await addVersion(api, rex, `after ${path.replaceAll("/", "-")}`);
    rows();
    await ask(path);
    cost[`${path} again`] = rows();
  }
  return { cost, ask };
}

it("T94 answers read no more rows of a bot with many versions, nor among many bots", async () => {
  const few = await costs(2, SHOWN + 50);
  const many = await costs(60, 1500);
  assert.deepEqual(many.cost, few.cost);
  assert.ok(Math.max(...Object.values(few.cost)) < 3 * SHOWN);
});

it("T94 a bot's page shows its latest versions, the ranked one among them, and how many there are", async () => {
  const { ask } = await costs(2, 1000);
  for (const path of ["/api/bots/Rex", "/api/me"]) {
    const page = (await ask(path)) as { versions: { label: string }[]; versions_total: number };
    assert.deepEqual([page.versions.length, page.versions_total], [SHOWN, 1004]);
    assert.equal(page.versions[0]!.label, "first");
  }
});

it("all versions are listed in pages, newest first", async () => {
  const { ask } = await costs(1, 12);
  for (const path of ["/api/bots/rex/versions", "/api/me/versions"]) {
    const labels = async (query: string) =>
      ((await ask(`${path}?${query}`)) as { label: string }[]).map(({ label }) => label);
    const all = await labels("limit=500");
    assert.deepEqual([all.length, all[15]], [16, "first"]);
    assert.deepEqual(await labels("limit=5&before=v3"), ["v2", "v1", "first"]);
    assert.deepEqual(await labels("limit=2&before=v3"), ["v2", "v1"]);
  }
});

it("no version comes before one that does not exist", async () => {
  const api = testApi();
  await addVersion(api, await addBot(api, "Rex"), "v1");
  const headers = bearer(tokenOf("Rex"));
  for (const path of ["/api/bots/Rex/versions", "/api/me/versions"])
    for (const [query, status] of [
      ["before=v2", 404],
      ["before=%2e%2e", 404],
      ["limit=0", 400],
      ["limit=501", 400],
      ["before=v1", 200],
    ] as const) {
      const { statusCode } = await api.app.inject({ url: `${path}?${query}`, headers });
      assert.equal(statusCode, status, `${path}?${query}`);
    }
  assert.equal((await api.app.inject("/api/bots/Nobody/versions")).statusCode, 404);
});

it("T94 a bot arrives and queues without its other versions being read", async () => {
  const costOf = async (versions: number) => {
    const { store, rows } = weighed();
    const test = await testArena({ store });
    const { id: botId } = await test.addBot("alpha");
    const facts = { botId, notes: "", created: "2026-01-05T12:00:00.000Z", retired: false };
    for (let number = 0; number < versions; number += 1)
      await store.versions.add({ ...facts, id: `version ${number}`, label: `v${number}` }, null);
    rows();
    const bot = await test.connect("alpha");
    bot.say({ type: "queue", version: "v0" });
    await test.until(() => bot.told("queued").length === 1);
    return rows();
  };
  assert.equal(await costOf(1000), await costOf(1));
});
