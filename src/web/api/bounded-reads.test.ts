import assert from "node:assert/strict";
import { it } from "node:test";

import { wrapRepositories } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";
import {
  addTestBot,
  addTestVersion,
  bearerHeader,
  setRating,
  testApi,
  botTokenOf,
} from "#testing/fixtures/test-api.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

function countingStore(): { store: Store; rows: () => number } {
  let total = 0;
  const inner = memoryStore();
  const namespaces = wrapRepositories(inner, (method) => async (...values) => {
    const response = await method(...values);
    total += rowsOf(response);
    return response;
  });
  const rows = () => {
    const rowsRead = total;
    total = 0;
    return rowsRead;
  };
  return { store: { ...namespaces, close: inner.close }, rows };
}

function rowsOf(response: unknown): number {
  if (Array.isArray(response)) return response.length;
  if (typeof response !== "object" || response === null) return 1;
  const lists = Object.values(response).filter((field) => Array.isArray(field));
  return 1 + lists.reduce((sum, list) => sum + list.length, 0);
}

const SHOWN_VERSIONS = 200;

/**
 * Returns the rows read per request on a ladder with `bots` bots, the first of which has `versions`
 * versions.
 */
async function measureCosts(bots: number, versions: number) {
  const { store, rows } = countingStore();
  const api = testApi({}, { store });
  const [rex] = [await addTestBot(api, "Rex")];
  for (let number = 1; number < bots; number += 1) await addTestBot(api, `Bot-${number}`);
  const first = await addTestVersion(api, rex, "first");
  for (let number = 1; number < versions; number += 1) await addTestVersion(api, rex, `v${number}`);
  setRating(api, first, 1600, [30, 0, 0]);
  const ask = async (url: string) => {
    const { statusCode, body } = await api.app.inject({
      url,
      headers: bearerHeader(botTokenOf("Rex")),
    });
    assert.equal(statusCode, 200, url);
    return JSON.parse(body) as unknown;
  };
  const cost: Record<string, number> = {};
  const paths = ["/api/bots/Rex", "/api/me", "/api/bots/Rex/versions?limit=50", "/api/leaderboard"];
  for (const path of paths) {
    rows();
    await ask(path);
    cost[path] = rows();
    await addTestVersion(api, rex, `after ${path.replaceAll("/", "-")}`);
    rows();
    await ask(path);
    cost[`${path} again`] = rows();
  }
  return { cost, ask };
}

it("T94 requests don't read more rows if a bot has many versions or a ladder has many bots", async () => {
  const fewCosts = await measureCosts(2, SHOWN_VERSIONS + 50);
  const manyCosts = await measureCosts(60, 1500);
  assert.deepEqual(manyCosts.cost, fewCosts.cost);
  assert.ok(Math.max(...Object.values(fewCosts.cost)) < 3 * SHOWN_VERSIONS);
});

it("T94 a bot's page shows its latest versions, the ranked version and the total", async () => {
  const { ask } = await measureCosts(2, 1000);
  for (const path of ["/api/bots/Rex", "/api/me"]) {
    const page = (await ask(path)) as { versions: { label: string }[]; versions_total: number };
    assert.deepEqual([page.versions.length, page.versions_total], [SHOWN_VERSIONS, 1004]);
    assert.equal(page.versions[0]!.label, "first");
  }
});

it("versions are listed in pages, newest first", async () => {
  const { ask } = await measureCosts(1, 12);
  for (const path of ["/api/bots/rex/versions", "/api/me/versions"]) {
    const labels = async (query: string) =>
      ((await ask(`${path}?${query}`)) as { label: string }[]).map(({ label }) => label);
    const allLabels = await labels("limit=500");
    assert.deepEqual([allLabels.length, allLabels[15]], [16, "first"]);
    assert.deepEqual(await labels("limit=5&before=v3"), ["v2", "v1", "first"]);
    assert.deepEqual(await labels("limit=2&before=v3"), ["v2", "v1"]);
  }
});

it("paging by an unknown version returns 404", async () => {
  const api = testApi();
  await addTestVersion(api, await addTestBot(api, "Rex"), "v1");
  const headers = bearerHeader(botTokenOf("Rex"));
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

it("T94 connecting and queueing a bot doesn't read its other versions", async () => {
  const costOf = async (versions: number) => {
    const { store, rows } = countingStore();
    const test = await testArena({ store });
    const { id: botId } = await test.addArenaBot("alpha");
    const facts = { botId, notes: "", created: "2026-01-05T12:00:00.000Z", retired: false };
    for (let number = 0; number < versions; number += 1)
      await store.versions.add({ ...facts, id: `version ${number}`, label: `v${number}` }, null);
    rows();
    const bot = await test.connect("alpha");
    bot.send({ type: "queue", version: "v0" });
    await test.advanceUntil(() => bot.receivedOfType("queued").length === 1);
    return rows();
  };
  assert.equal(await costOf(1000), await costOf(1));
});
