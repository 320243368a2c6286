import assert from "node:assert/strict";
import { it } from "node:test";

import type { Practice } from "#core/resources/practice.ts";
import { addBot, bearer, testApi, tokenOf } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

const headers = bearer(tokenOf("Rex"));
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

const ask = ({ app }: TestApi) => app.inject({ method: "POST", url: "/api/me/practice", headers });

async function withRex() {
  const api = testApi();
  return { ...api, bot: await addBot(api, "Rex") };
}

it("enters the wish for a practice game, and shows how it goes", async () => {
  const api = await withRex();
  api.arena.asked = { practice: PENDING };
  const { statusCode, json } = await ask(api);
  assert.deepEqual([statusCode, json()], [202, PENDING]);
  assert.deepEqual(api.arena.told, [`practice ${api.bot.id}`]);
  for (const practice of [PENDING, DONE]) {
    api.arena.practices = [{ botId: api.bot.id, practice }];
    const answer = await api.app.inject({ url: "/api/me/practice/p1", headers });
    assert.deepEqual([answer.statusCode, answer.json()], [200, practice]);
  }
});

it("shows no other bot's practice game, and none that it does not know", async () => {
  const api = await withRex();
  await addBot(api, "Kit");
  api.arena.practices = [{ botId: api.bot.id, practice: DONE }];
  for (const [url, name] of [
    ["/api/me/practice/p1", "Kit"],
    ["/api/me/practice/p2", "Rex"],
    ["/api/me/practice/%00", "Rex"],
  ] as const) {
    const { statusCode } = await api.app.inject({ url, headers: bearer(tokenOf(name)) });
    assert.equal(statusCode, 404, url);
  }
});

it("says why there is no practice game", async () => {
  const api = await withRex();
  for (const refused of ["practice_pending", "practice_unavailable"] as const) {
    api.arena.asked = { refused };
    const { statusCode, json } = await ask(api);
    assert.deepEqual([statusCode, json().code], [409, refused]);
  }
  api.arena.asked = { refused: "rate_limited", waitS: 77 };
  const answer = await ask(api);
  const { code, limit, error } = answer.json();
  assert.deepEqual(
    [answer.statusCode, code, limit, answer.headers["retry-after"]],
    [429, "rate_limited", "practice_per_hour", "77"],
  );
  assert.match(error, /20 practice matches an hour/);
});

it("takes nobody's word but an active bot's", async () => {
  const api = await withRex();
  await addBot(api, "Sly", { status: "suspended" });
  api.arena.asked = { practice: PENDING };
  for (const [authorization, code] of [
    [undefined, "missing_authorization"],
    ["Bearer nobody", "invalid_token"],
    [`Bearer ${tokenOf("Sly")}`, "suspended"],
  ] as const)
    for (const [method, url] of [
      ["POST", "/api/me/practice"],
      ["GET", "/api/me/practice/p1"],
    ] as const) {
      const own = authorization === undefined ? {} : { authorization };
      const answer = await api.app.inject({ method, url, headers: own });
      assert.equal(answer.json().code, code);
    }
  assert.deepEqual(api.arena.told, []);
});
