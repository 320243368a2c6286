// Who may do what: every route of this room with every kind of credential.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { ERRORS } from "#core/protocol/errors.ts";
import { hashToken } from "#data/store/token.ts";
import { addHolders, CREDENTIAL_CASES } from "#testing/fixtures/credential-cases.ts";
import { addBot, addVersion, bearer, testApi, tokenOf } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

type Route = { method: "GET" | "POST"; url: string; payload?: object; status: number };

const PUBLIC: Route[] = [
  "/api",
  "/api/status",
  "/api/lobby",
  "/api/leaderboard",
  "/api/matches",
  "/api/bots/Rex",
  "/api/bots/Rex/ratings",
  "/api/bots/Rex/versions",
  "/api/bots/Rex/maps",
  "/api/bots/Rex/opponents",
  "/api/bots/Rex/style",
  "/api/bots/Rex/losses?version=v1",
  "/api/bots/Rex/compare?a=v0&b=v1",
  "/api/search?q=Re",
  "/api/standings",
  "/api/seasons",
  "/api/seasons/current",
  "/api/seasons/current/matchups?bot=Rex",
  "/api/ladders",
  "/api/ladders/public/results",
  "/api/events",
  "/api/announcements",
  "/api/changelog",
  "/docs",
  "/docs/api",
  "/docs/schema/queue.json",
  "/download/bots",
  "/download/bots/starter.ts",
  "/download/simulator/bout-sim.js",
  "/openapi.json",
  "/llms.txt",
  "/robots.txt",
  "/sitemap.xml",
].map((url) => ({ method: "GET", url, status: 200 }));

const OF_BOTS: Route[] = [
  { method: "GET", url: "/api/me", status: 200 },
  { method: "GET", url: "/api/me/versions", status: 200 },
  { method: "POST", url: "/api/me/versions", payload: { label: "v2" }, status: 201 },
  { method: "POST", url: "/api/me/versions/v1/retire", status: 200 },
  { method: "POST", url: "/api/me/token", status: 200 },
];

const REGISTRATION: Route = {
  method: "POST",
  url: "/api/bots",
  payload: { name: "Neo" },
  status: 201,
};

/** Nobody may until there are accounts. */
const DELETION = "delete_bot";

async function populated(): Promise<TestApi> {
  const api = testApi();
  const rex = await addHolders(api.store, (name, facts) => addBot(api, name, facts));
  for (const label of ["v0", "v1"]) await addVersion(api, rex, label);
  return api;
}

type Shown = Partial<Pick<(typeof CREDENTIAL_CASES)[string], "headers" | "query">>;

async function ask({ app }: TestApi, route: Route, { headers = {}, query = "" }: Shown) {
  const { method, payload } = route;
  const url = `${route.url}${route.url.includes("?") ? "&" : "?"}${query}`;
  const { statusCode, body } = await app.inject({
    method,
    url,
    headers,
    ...(payload && { payload }),
  });
  if (statusCode < 400) return { told: String(statusCode), error: "" };
  const { code, error } = JSON.parse(body) as { code?: string; error: string };
  return { told: `${statusCode} ${code}`, error };
}

describe("access", () => {
  for (const [kind, shown] of Object.entries(CREDENTIAL_CASES)) {
    const { headers, code, text = /./ } = shown;
    const isAnonymous = !("authorization" in headers || "x-owner-key" in headers);

    it(`lets ${kind} read what is public`, async () => {
      const api = await populated();
      for (const route of PUBLIC)
        assert.equal((await ask(api, route, shown)).told, "200", route.url);
    });

    it(`T13 gives ${kind} ${code ?? "a bot's routes"}`, async () => {
      const api = await populated();
      for (const route of OF_BOTS) {
        const { told, error } = await ask(api, route, shown);
        const expected = code === null ? route.status : `${ERRORS[code].status} ${code}`;
        assert.equal(told, String(expected), route.url);
        if (code !== null) assert.match(error, text);
      }
    });

    it(`lets nobody register with ${kind} without the ladder's registration key`, async () => {
      const api = testApi({ registrationKeyHash: hashToken("let-me-in") });
      const expected = (isKnown: boolean) => {
        if ("x-owner-key" in headers) return "400 invalid_owner_key";
        if (!isAnonymous) return "401 authentication_required";
        return isKnown ? "201" : "403 invalid_registration_key";
      };
      for (const key of [undefined, "", "let-me-out", hashToken("let-me-in"), "let-me-in"]) {
        const sent = { ...headers, ...(key !== undefined && { "x-registration-key": key }) };
        const { told } = await ask(api, REGISTRATION, { ...shown, headers: sent });
        assert.equal(told, expected(key === "let-me-in"), `with ${key}`);
      }
    });

    it(`lets nobody register with ${kind} unless none is needed`, async () => {
      const expected = (anonymous: boolean) => {
        if ("x-owner-key" in headers) return "400 invalid_owner_key";
        return isAnonymous && anonymous ? "201" : "401 authentication_required";
      };
      for (const anonymous of [true, false]) {
        const { told } = await ask(testApi({ anonymous }), REGISTRATION, shown);
        assert.equal(told, expected(anonymous));
      }
    });
  }

  it("covers every route that GET /api lists", async () => {
    const api = await populated();
    const { endpoints } = (await api.app.inject("/api")).json<{ endpoints: object }>();
    const byId = ["match", "match_stats", "replay", "user"];
    const covered = [...PUBLIC, ...OF_BOTS, REGISTRATION, DELETION].length + byId.length;
    assert.equal(Object.keys(endpoints).length, covered);
  });

  it("says in its challenge whether a token was wrong or missing", async () => {
    const { app } = await populated();
    const challengeOf = async (headers: Record<string, string>) =>
      (await app.inject({ url: "/api/me", headers })).headers["www-authenticate"];
    assert.equal(await challengeOf({}), "Bearer");
    assert.equal(await challengeOf(bearer("nobody")), 'Bearer error="invalid_token"');
    assert.equal(await challengeOf(bearer(tokenOf("Held"))), undefined);
  });

  it("refuses before it reads a body", async () => {
    const { app } = await populated();
    const payload = "x".repeat(100_000);
    for (const url of ["/api/me/versions", "/api/me/token"])
      assert.equal((await app.inject({ method: "POST", url, payload })).statusCode, 401, url);
  });
});
