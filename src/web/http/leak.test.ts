// What must never leak: internals in a fault, and secrets in logs.
import assert from "node:assert/strict";
import { it } from "node:test";

import { around } from "#data/store/store.ts";
import { addBot, bearer, rate, testApi, tokenOf } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const SECRET = "select hash from tokens; /srv/data/ladder.sqlite; bout_bot_secret";
const ID = "01900000-0000-7000-8000-000000000001";

type Row = [method: "GET" | "POST", url: string, payload?: object];
const ROUTES: Row[] = [
  ["GET", "/api/lobby"],
  ["GET", "/api/leaderboard"],
  ["GET", "/api/matches"],
  ["GET", "/api/matches?bot=Rex&stats=1"],
  ["GET", `/api/matches?before=${ID}`],
  ["GET", `/api/matches/${ID}`],
  ["GET", `/api/matches/${ID}/stats`],
  ["GET", "/api/bots/Rex"],
  ["GET", "/api/bots/Rex/versions"],
  ["POST", "/api/bots", { name: "Neo" }],
  ["GET", "/api/me"],
  ["GET", "/api/me/versions"],
  ["POST", "/api/me/versions", { label: "v1" }],
  ["POST", "/api/me/versions/v1/retire"],
  ["POST", "/api/me/token"],
  ["GET", `/replays/${ID}.jsonl.gz`],
];

/** An app whose store fails in every method except those named. */
async function broken(...working: string[]) {
  const store = memoryStore();
  const nouns = around(store, (method, name) => async (...values) => {
    if (working.includes(name)) return method(...values);
    throw new Error(SECRET);
  });
  const failing = { ...nouns, close: store.close };
  const api = testApi({}, { store: failing });
  const { id: botId, name, house } = await addBot({ ...api, store }, "Rex");
  const rest = { online: true, version: null, versionId: null, ladderId: null, matchId: null };
  api.arena.bots.push({ botId, name, house, state: "idle", ...rest });
  const facts = { id: "a version", botId, label: "v1", notes: "", created: "", retired: false };
  rate(api, facts, 1600, [30, 0, 0]);
  return api;
}

it("T62 says nothing about a fault except that there was one", async () => {
  const inside = await broken("bots.byToken", "bots.byName");
  for (const [method, url, payload] of ROUTES) {
    const body = payload && { payload };
    const headers = url.startsWith("/api/me") ? bearer(tokenOf("Rex")) : {};
    const answer = await inside.app.inject({ method, url, ...body, headers });
    // These only need what still works.
    if (url.includes("/me") && answer.statusCode < 500) assert.fail(url);
    assert.deepEqual(
      [answer.statusCode, answer.json()],
      [500, { error: "Internal Server Error." }],
      url,
    );
    assert.ok(!JSON.stringify(answer.headers).includes("tokens"));
  }
  const atTheDoor = await broken();
  const headers = bearer(tokenOf("Rex"));
  const answer = await atTheDoor.app.inject({ url: "/api/me", headers });
  assert.deepEqual([answer.statusCode, answer.json()], [500, { error: "Internal Server Error." }]);
});

it("T62 says nothing when the arena or a replay fails", async () => {
  const api = testApi();
  api.arena.online = () => {
    throw new Error(SECRET);
  };
  for (const url of ["/api/status", "/api/lobby", "/api/leaderboard"])
    assert.deepEqual((await api.app.inject(url)).json(), { error: "Internal Server Error." }, url);
});

it("T63 logs no issued secret, and nothing that could break a line", async () => {
  const api = testApi();
  const { app, log, tokens } = api;
  const { token } = (
    await app.inject({ method: "POST", url: "/api/bots", payload: { name: "Rex" } })
  ).json();
  const odd = "\r\n\u001b[31mroot logged in";
  for (const [method, url, payload] of ROUTES) {
    const headers = { ...bearer(tokens.at(-1)!), "user-agent": odd.replaceAll(/[\r\n]/g, " ") };
    await app.inject({ method, url, ...(payload && { payload }), headers });
    const query = `${url}${url.includes("?") ? "&" : "?"}token=${token}`;
    await app.inject({
      method,
      url: query,
      payload: { name: odd, label: odd, notes: odd },
      headers,
    });
  }
  await app.inject({ url: `/${token}`, headers: bearer(`${token}x`) });
  await app.inject({ url: `/api/bots/%zz${token}` });
  assert.ok(log.length > ROUTES.length && tokens.length > 1);
  for (const line of log) {
    for (const secret of tokens) assert.ok(!line.includes(secret), line);
    assert.equal(line.trimEnd().includes("\n"), false);
    assert.ok(!line.includes("\u001b"));
  }
});

it("logs a fault with its cause, where only operators read it", async () => {
  const { app, log } = await broken();
  await app.inject("/api/leaderboard");
  assert.ok(log.some((line) => line.includes("request failed") && line.includes("/srv/data")));
});
