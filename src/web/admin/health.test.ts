// How the server does, as operators, Prometheus and load balancers ask for it.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { accountApi, addPerson, ask } from "#testing/fixtures/account-api.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

async function world() {
  const api = accountApi();
  const { token } = await addPerson(api, "root", "hopper");
  const get = (path: string) => ask(api, ["GET", `/api/admin/${path}`], { token });
  return { api, token, get };
}

const NOTHING = { mean_ms: null, p50_ms: null, p95_ms: null, p99_ms: null, max_ms: null };

describe("the health of a server", () => {
  it("has figures of the window, and null where there was nothing", async () => {
    const { api, get } = await world();
    for (let minute = 0; minute < 3; minute += 1) api.tick();
    api.health.beat(2000);
    api.health.time("simulation", 7000);
    api.health.turn("invalid");
    const { told, body } = await get("health");
    assert.equal(told, "200");
    assert.equal(body.generated, api.now().toISOString());
    const { uptime_seconds, window_seconds, observed_seconds, tick_ms } = body;
    assert.ok(uptime_seconds >= 180);
    assert.deepEqual([window_seconds, observed_seconds], [300, Math.min(300, uptime_seconds)]);
    assert.equal(tick_ms, 1000);
    assert.deepEqual(body.capacity, { running: 0, max: 320 });
    assert.deepEqual(body.timings.reply, { count: 0, ...NOTHING, over_budget: 0 });
    const { count, max_ms, over_budget } = body.timings.simulation;
    assert.deepEqual([count, max_ms, over_budget], [1, 7, 1]);
    assert.deepEqual(body.turns, { valid: 0, invalid: 1, timeouts: 0, disconnected: 0 });
    assert.deepEqual(body.games.mean_turns, null);
    assert.deepEqual(Object.keys(body), [
      "generated",
      "uptime_seconds",
      "window_seconds",
      "observed_seconds",
      "tick_ms",
      "capacity",
      "timings",
      "turns",
      "sends",
      "games",
      "pairing",
      "floods",
    ]);
  });

  it("says the tick of the settings in force", async () => {
    const { api, get } = await world();
    api.live.change({ tick_s: 0.25 });
    assert.equal((await get("health")).body.tick_ms, 250);
  });

  it("is kept by nobody", async () => {
    const { api, token } = await world();
    const headers = { authorization: `Bearer ${token}` };
    for (const url of ["/api/admin/health", "/api/admin/metrics"]) {
      const answer = await api.app.inject({ url, headers });
      assert.equal(answer.statusCode, 200, url);
      assert.equal(answer.headers["cache-control"], "private, no-store", url);
    }
  });

  it("is text for Prometheus at an address of its own", async () => {
    const { api, token } = await world();
    api.arena.waiting = 3;
    const headers = { authorization: `Bearer ${token}` };
    const answer = await api.app.inject({ url: "/api/admin/metrics", headers });
    assert.equal(answer.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    assert.match(answer.body, /^bout_results_waiting 3$/m);
    assert.match(answer.body, /^bout_store_up 0$/m, "as long as they wait");
  });
});

describe("GET /healthz", () => {
  const states: [string, Partial<Record<"isUp" | "isDraining", boolean>> & { waiting?: number }][] =
    [
      ["all is well", {}],
      ["the store is away", { isUp: false }],
      ["a result waits for the store", { waiting: 1 }],
      ["the server drains", { isDraining: true }],
    ];
  for (const [what, { isUp = true, isDraining = false, waiting = 0 }] of states)
    it(`says that ${what}, without a question to the store`, async () => {
      let asked = 0;
      const api = testApi({}, { isStoreUp: () => isUp });
      for (const noun of [api.store.database, api.store.bots, api.store.matches])
        for (const name of Object.keys(noun))
          Object.assign(noun, { [name]: async () => void (asked += 1) });
      Object.assign(api.arena, { isDraining, waiting });
      const { statusCode, body } = await api.app.inject("/healthz");
      const store = isUp && waiting === 0;
      const ok = store && !isDraining;
      assert.equal(statusCode, ok ? 200 : 503);
      assert.deepEqual(JSON.parse(body), { ok, store, draining: isDraining });
      assert.equal(asked, 0);
    });
});
