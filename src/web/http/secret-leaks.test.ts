import assert from "node:assert/strict";
import { it } from "node:test";

import { wrapRepositories } from "#data/store/store.ts";
import {
  addTestBot,
  bearerHeader,
  setRating,
  testApi,
  botTokenOf,
} from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

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

async function brokenApi(...workingMethods: string[]) {
  const store = memoryStore();
  const namespaces = wrapRepositories(store, (method, name) => async (...values) => {
    if (workingMethods.includes(name)) return method(...values);
    throw new Error(SECRET);
  });
  const failingStore = { ...namespaces, close: store.close };
  const api = testApi({}, { store: failingStore });
  const { id: botId, name, house } = await addTestBot({ ...api, store }, "Rex");
  const rest = { online: true, version: null, versionId: null, ladderId: null, matchId: null };
  api.arena.bots.push({ botId, name, house, state: "idle", ...rest });
  const versionFacts = {
    id: "a version",
    botId,
    label: "v1",
    notes: "",
    created: "",
    retired: false,
  };
  setRating(api, versionFacts, 1600, [30, 0, 0]);
  return api;
}

it("T62 reveals no details of a server error", async () => {
  const failingApi = await brokenApi("bots.byToken", "bots.byName");
  for (const [method, url, payload] of ROUTES) {
    const body = payload && { payload };
    const headers = url.startsWith("/api/me") ? bearerHeader(botTokenOf("Rex")) : {};
    const response = await failingApi.app.inject({ method, url, ...body, headers });
    // These paths need only the working methods.
    if (url.includes("/me") && response.statusCode < 500) assert.fail(url);
    assert.deepEqual(
      [response.statusCode, response.json()],
      [500, { error: "Internal Server Error." }],
      url,
    );
    assert.ok(!JSON.stringify(response.headers).includes("tokens"));
  }
  const tokenLookupResponse = await brokenApi();
  const headers = bearerHeader(botTokenOf("Rex"));
  const answer = await tokenLookupResponse.app.inject({ url: "/api/me", headers });
  assert.deepEqual([answer.statusCode, answer.json()], [500, { error: "Internal Server Error." }]);
});

it("T62 reveals no details if the arena or reading a replay fails", async () => {
  const api = testApi();
  api.arena.onlineBots = () => {
    throw new Error(SECRET);
  };
  for (const url of ["/api/status", "/api/lobby", "/api/leaderboard"])
    assert.deepEqual((await api.app.inject(url)).json(), { error: "Internal Server Error." }, url);
});

it("T63 logs no issued secrets and no line breaks from input", async () => {
  const api = testApi();
  const { app, log, issuedTokens } = api;
  const { token } = (
    await app.inject({ method: "POST", url: "/api/bots", payload: { name: "Rex" } })
  ).json();
  const logInjection = "\r\n\u001b[31mroot logged in";
  for (const [method, url, payload] of ROUTES) {
    const headers = {
      ...bearerHeader(issuedTokens.at(-1)!),
      "user-agent": logInjection.replaceAll(/[\r\n]/g, " "),
    };
    await app.inject({ method, url, ...(payload && { payload }), headers });
    const query = `${url}${url.includes("?") ? "&" : "?"}token=${token}`;
    await app.inject({
      method,
      url: query,
      payload: { name: logInjection, label: logInjection, notes: logInjection },
      headers,
    });
  }
  await app.inject({ url: `/${token}`, headers: bearerHeader(`${token}x`) });
  await app.inject({ url: `/api/bots/%zz${token}` });
  assert.ok(log.length > ROUTES.length && issuedTokens.length > 1);
  for (const line of log) {
    for (const secret of issuedTokens) assert.ok(!line.includes(secret), line);
    assert.equal(line.trimEnd().includes("\n"), false);
    assert.ok(!line.includes("\u001b"));
  }
});

it("logs a server error with its cause, for operators only", async () => {
  const { app, log } = await brokenApi();
  await app.inject("/api/leaderboard");
  assert.ok(log.some((line) => line.includes("request failed") && line.includes("/srv/data")));
});
