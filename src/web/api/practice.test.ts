import assert from "node:assert/strict";
import { it } from "node:test";

import type { Practice } from "#core/api/practice.ts";
import { addTestBot, bearerHeader, testApi, botTokenOf } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

const headers = bearerHeader(botTokenOf("Rex"));
const PENDING: Practice = { id: "p1", state: "pending", match_id: null, result: null };
const DONE: Practice = {
  id: "p1",
  state: "done",
  match_id: "m1",
  result: {
    winner: null,
    reason: "timeout_draw",
    replies: 3,
    p50_ms: 10,
    p95_ms: 12.5,
    max_ms: 12.5,
    idles: { timeout: 1 },
    refused: { not_ready: 2 },
    errors: [{ tick: 4, code: "timeout", message: "No turn within 1000 ms." }],
  },
};

const requestPractice = ({ app }: TestApi) =>
  app.inject({ method: "POST", url: "/api/me/practice", headers });

async function withRex() {
  const api = testApi();
  return { ...api, bot: await addTestBot(api, "Rex") };
}

it("queues a practice match and shows its progress", async () => {
  const api = await withRex();
  api.arena.practiceResponse = { practice: PENDING };
  const { statusCode, json } = await requestPractice(api);
  assert.deepEqual([statusCode, json()], [202, PENDING]);
  assert.deepEqual(api.arena.calls, [`practice ${api.bot.id}`]);
  for (const practice of [PENDING, DONE]) {
    api.arena.practiceRecords = [{ botId: api.bot.id, practice }];
    const response = await api.app.inject({ url: "/api/me/practice/p1", headers });
    assert.deepEqual([response.statusCode, response.json()], [200, practice]);
  }
});

it("returns 404 for unknown practice matches and for other bots' practice matches", async () => {
  const api = await withRex();
  await addTestBot(api, "Kit");
  api.arena.practiceRecords = [{ botId: api.bot.id, practice: DONE }];
  for (const [url, name] of [
    ["/api/me/practice/p1", "Kit"],
    ["/api/me/practice/p2", "Rex"],
    ["/api/me/practice/%00", "Rex"],
  ] as const) {
    const { statusCode } = await api.app.inject({ url, headers: bearerHeader(botTokenOf(name)) });
    assert.equal(statusCode, 404, url);
  }
});

it("reports why a practice match can't start", async () => {
  const api = await withRex();
  for (const refusalCode of ["practice_pending", "practice_unavailable"] as const) {
    api.arena.practiceResponse = { refused: refusalCode };
    const { statusCode, json } = await requestPractice(api);
    assert.deepEqual([statusCode, json().code], [409, refusalCode]);
  }
  api.arena.practiceResponse = { refused: "rate_limited", waitS: 77 };
  const response = await requestPractice(api);
  const { code, limit, error } = response.json();
  assert.deepEqual(
    [response.statusCode, code, limit, response.headers["retry-after"]],
    [429, "rate_limited", "practice_per_hour", "77"],
  );
  assert.match(error, /20 practice matches an hour/);
});

it("rejects unauthenticated callers and suspended bots", async () => {
  const api = await withRex();
  await addTestBot(api, "Sly", { status: "suspended" });
  api.arena.practiceResponse = { practice: PENDING };
  for (const [authorization, code] of [
    [undefined, "missing_authorization"],
    ["Bearer nobody", "invalid_token"],
    [`Bearer ${botTokenOf("Sly")}`, "suspended"],
  ] as const)
    for (const [method, url] of [
      ["POST", "/api/me/practice"],
      ["GET", "/api/me/practice/p1"],
    ] as const) {
      const ownHeaders = authorization === undefined ? {} : { authorization };
      const response = await api.app.inject({ method, url, headers: ownHeaders });
      assert.equal(response.json().code, code);
    }
  assert.deepEqual(api.arena.calls, []);
});
