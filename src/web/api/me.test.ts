import assert from "node:assert/strict";
import { it } from "node:test";

import { limitsWith } from "#core/limits/limits.ts";
import {
  addTestBot,
  addTestVersion,
  bearerHeader,
  setRating,
  testApi,
  botTokenOf,
} from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

const headers = bearerHeader(botTokenOf("Rex"));

async function withRex(): Promise<TestApi> {
  const api = testApi();
  await addTestBot(api, "Rex", { owner: "ada" });
  return api;
}

const post = ({ app }: TestApi, url: string, payload?: object) =>
  app.inject({ method: "POST", url, headers, ...(payload && { payload }) });

it("shows the bot with its versions, oldest first", async () => {
  const api = await withRex();
  const bot = (await api.store.bots.byName("Rex"))!;
  await addTestVersion(api, bot, "v1");
  setRating(api, await addTestVersion(api, bot, "v2"), 1612.4, [2, 1, 1]);
  const { statusCode, json } = await api.app.inject({ url: "/api/me", headers });
  assert.equal(statusCode, 200);
  const { versions, ...me } = json();
  assert.deepEqual(me, {
    id: bot.id,
    name: "Rex",
    display_name: "Rex",
    owner: "ada",
    owner_url: null,
    house: false,
    online: false,
    created: "2026-01-05T12:01:00.000Z",
    avatar: null,
    versions_total: 2,
  });
  const figures = (versions as Record<string, unknown>[]).map((version) => [
    version.label,
    version.rating,
    version.win_rate,
  ]);
  assert.deepEqual(figures, [
    ["v1", 1500, null],
    ["v2", 1612, 62.5],
  ]);
});

it("creates a version with its notes, and only once", async () => {
  const api = await withRex();
  const createResponse = await post(api, "/api/me/versions", { label: "v1", notes: "first\ntry" });
  assert.equal(createResponse.statusCode, 201);
  const { label, notes, retired, rating, rating_deviation, leaderboard_score } =
    createResponse.json();
  assert.deepEqual([label, notes, retired], ["v1", "first\ntry", false]);
  assert.deepEqual([rating, rating_deviation, leaderboard_score], [1500, 347, 805]);
  const duplicateResponse = await post(api, "/api/me/versions", { label: "v1" });
  assert.deepEqual(
    [duplicateResponse.statusCode, duplicateResponse.json().code],
    [409, "version_exists"],
  );
});

it("T84 rejects labels that can't be part of a URL and serves all others", async () => {
  const api = await withRex();
  const invalidLabels = [
    "/",
    ".",
    "..",
    `a${"\u0301".repeat(4)}`,
    "%2f",
    "a@b",
    "#",
    "",
    " a",
    "x".repeat(33),
    "a\u0000",
    5,
    null,
    undefined,
  ];
  for (const label of invalidLabels) {
    const response = await post(api, "/api/me/versions", { label });
    assert.equal(response.json().code, "invalid_version", JSON.stringify(label));
    if (typeof label !== "string") continue;
    assert.match(response.json().error, /1-32 printable characters .*no more than three in a row/);
  }
  for (const label of ["constructor", "__proto__", "🤖".repeat(32), "a b", "1.0.0", "toString"]) {
    assert.equal((await post(api, "/api/me/versions", { label })).statusCode, 201, label);
    const url = `/api/me/versions/${encodeURIComponent(label)}/retire`;
    assert.deepEqual((await post(api, url)).json(), { ok: true }, label);
  }
  const bot = (await api.store.bots.byName("Rex"))!;
  const versions = (await api.store.versions.list(bot.id, { limit: 99 })) ?? [];
  assert.ok(versions.length > 0 && versions.every(({ retired }) => retired));
});

it("rejects notes that are too long or contain characters that can't be stored", async () => {
  const api = await withRex();
  for (const notes of ["x".repeat(2001), "a\u0000b", 5, null]) {
    const { statusCode, json } = await post(api, "/api/me/versions", { label: "v1", notes });
    assert.deepEqual([statusCode, json().code], [400, undefined], JSON.stringify(notes));
  }
});

it("limits how many versions can be created in 24 hours", async () => {
  const api = testApi({}, { limits: limitsWith({ versions_per_day: 2 }) });
  await addTestBot(api, "Rex");
  const make = async (label: string) =>
    (await post(api, "/api/me/versions", { label })).json<{ code?: string }>().code ?? "made";
  const codes = [await make("v0")];
  for (let minute = 0; minute < 30; minute++) api.nextMinute();
  codes.push(await make("v2"), await make("v3"), await make("v2"));
  assert.deepEqual(codes, ["made", "made", "version_limit", "version_exists"]);
  const { headers } = await post(api, "/api/me/versions", { label: "v3" });
  assert.equal(headers["retry-after"], String(23.5 * 60 * 60 + 1));
  for (let minute = 0; minute < 23.5 * 60; minute++) api.nextMinute();
  assert.equal(await make("v3"), "version_limit", "a version made a day ago still counts");
  const earlyResponse = await post(api, "/api/me/versions", { label: "v3" });
  assert.equal(earlyResponse.headers["retry-after"], "1");
  api.nextMinute();
  assert.equal(await make("v3"), "made");
});

it("retires a version and notifies the arena, and can be repeated", async () => {
  const api = await withRex();
  const bot = (await api.store.bots.byName("Rex"))!;
  await addTestVersion(api, bot, "v1");
  for (let times = 0; times < 2; times++)
    assert.deepEqual((await post(api, "/api/me/versions/v1/retire")).json(), { ok: true });
  const outcome = `version retired ${bot.id} v1`;
  assert.deepEqual(api.arena.calls, [outcome, outcome]);
  for (const label of ["v9", "..%2f", "%00", "constructor"])
    assert.equal((await post(api, `/api/me/versions/${label}/retire`)).statusCode, 404, label);
});

it("replaces the token: the old token stops working and its socket is notified", async () => {
  const api = await withRex();
  const bot = (await api.store.bots.byName("Rex"))!;
  const { statusCode, json } = await post(api, "/api/me/token");
  assert.equal(statusCode, 200);
  assert.deepEqual(api.arena.calls, [`rotated ${bot.id}`]);
  const status = async (token: string) =>
    (await api.app.inject({ url: "/api/me", headers: bearerHeader(token) })).statusCode;
  assert.deepEqual([await status(botTokenOf("Rex")), await status(json().token)], [401, 200]);
});

it("replaces the token once for concurrent requests", async () => {
  const api = testApi();
  await addTestBot(api, "Rex");
  const responses = await Promise.all([1, 2, 3].map(() => post(api, "/api/me/token")));
  const statuses = responses.map(({ statusCode }) => statusCode);
  assert.deepEqual(statuses.toSorted(), [200, 401, 401]);
  const [entry, ...otherEntries] = await api.store.audit.list({ kind: "bot.rotated", limit: 9 });
  assert.deepEqual([entry?.actor.name, otherEntries], ["Rex", []]);
});

it("reports a missing Bearer scheme, but no details about unknown tokens", async () => {
  const api = testApi();
  await addTestBot(api, "Rex");
  const errorOf = async (authorization: string) =>
    (await api.app.inject({ url: "/api/me", headers: { authorization } })).json<
      Record<"code" | "error", string>
    >();
  const missingAuthorization = await errorOf(botTokenOf("Rex"));
  assert.equal(missingAuthorization.code, "invalid_token");
  assert.match(missingAuthorization.error, /has no Bearer scheme/);
  assert.match((await errorOf("Bearer nobody")).error, /^No bot has this token/);
});
