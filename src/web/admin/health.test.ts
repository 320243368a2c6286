import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { accountApi, signUpAccount, sendRequest } from "#testing/fixtures/account-api.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

async function world() {
  const api = accountApi();
  const { token } = await signUpAccount(api, "root", "hopper");
  const get = (path: string) => sendRequest(api, ["GET", `/api/admin/${path}`], { token });
  return { api, token, get };
}

const NO_DURATIONS = { mean_ms: null, p50_ms: null, p95_ms: null, p99_ms: null, max_ms: null };

describe("server health", () => {
  it("reports metrics for the time window, and null where data is missing", async () => {
    const { api, get } = await world();
    for (let minute = 0; minute < 3; minute += 1) api.nextMinute();
    api.health.recordBeat(2000);
    api.health.recordDuration("simulation", 7000);
    api.health.countTurn("invalid");
    const { told: outcome, body } = await get("health");
    assert.equal(outcome, "200");
    assert.equal(body.generated, api.now().toISOString());
    const { uptime_seconds, window_seconds, observed_seconds, tick_ms } = body;
    assert.ok(uptime_seconds >= 180);
    assert.deepEqual([window_seconds, observed_seconds], [300, Math.min(300, uptime_seconds)]);
    assert.equal(tick_ms, 1000);
    assert.deepEqual(body.capacity, { running: 0, max: 320 });
    assert.deepEqual(body.timings.reply, { count: 0, ...NO_DURATIONS, over_budget: 0 });
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

  it("reports the tick length in force", async () => {
    const { api, get } = await world();
    api.liveSettings.change({ tick_s: 0.25 });
    assert.equal((await get("health")).body.tick_ms, 250);
  });

  it("is not cacheable", async () => {
    const { api, token } = await world();
    const headers = { authorization: `Bearer ${token}` };
    for (const url of ["/api/admin/health", "/api/admin/metrics"]) {
      const response = await api.app.inject({ url, headers });
      assert.equal(response.statusCode, 200, url);
      assert.equal(response.headers["cache-control"], "private, no-store", url);
    }
  });

  it("is served to Prometheus as text on a separate route", async () => {
    const { api, token } = await world();
    api.arena.unsavedCount = 3;
    const headers = { authorization: `Bearer ${token}` };
    const response = await api.app.inject({ url: "/api/admin/metrics", headers });
    assert.equal(response.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    assert.match(response.body, /^bout_results_waiting 3$/m);
    assert.match(response.body, /^bout_store_up 0$/m, "while they wait");
  });
});

describe("GET /healthz", () => {
  const states: [string, Partial<Record<"isUp" | "isDraining", boolean>> & { waiting?: number }][] =
    [
      ["all is well", {}],
      ["store unreachable", { isUp: false }],
      ["unsaved result", { waiting: 1 }],
      ["server draining", { isDraining: true }],
    ];
  for (const [description, { isUp = true, isDraining = false, waiting = 0 }] of states)
    it(`reports that ${description}, without a store query`, async () => {
      let storeReads = 0;
      const api = testApi({}, { isStoreUp: () => isUp });
      for (const noun of [api.store.database, api.store.bots, api.store.matches])
        for (const name of Object.keys(noun))
          Object.assign(noun, { [name]: async () => void (storeReads += 1) });
      Object.assign(api.arena, { isShuttingDown: isDraining, unsavedCount: waiting });
      const { statusCode, body } = await api.app.inject("/healthz");
      const store = isUp && waiting === 0;
      const ok = store && !isDraining;
      assert.equal(statusCode, ok ? 200 : 503);
      assert.deepEqual(JSON.parse(body), { ok, store, draining: isDraining });
      assert.equal(storeReads, 0);
    });
});
