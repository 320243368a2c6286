// Who may do what: every route of this room against every kind of credential.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { hashToken } from "#data/store/token.ts";
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

/** Without accounts nobody may. */
const DELETION = "delete_bot";

/** Headers of each credential kind, and what a bot's route answers to it. */
const CREDENTIALS: Record<string, [headers: Record<string, string>, refusal: string | null]> = {
  "a bot token": [bearer(tokenOf("Rex")), null],
  none: [{}, "401 missing_authorization"],
  "an unknown token": [bearer("bout_bot_nobody"), "401 invalid_token"],
  "an empty bearer": [{ authorization: "Bearer " }, "401 invalid_token"],
  "another scheme": [{ authorization: "Basic UmV4OnY=" }, "401 invalid_token"],
  "a token with garbage behind": [bearer(`${tokenOf("Rex")} x`), "401 invalid_token"],
  "a rotated token": [bearer(tokenOf("Rotated")), "401 invalid_token"],
  "a retired bot's token": [bearer(tokenOf("Gone")), "403 retired"],
  "a suspended bot's token": [bearer(tokenOf("Held")), "403 suspended"],
  "a banned bot's token": [bearer("new-token-of-Banned"), "403 banned"],
  "a token that a ban rotated away": [bearer(tokenOf("Banned")), "403 banned"],
  "the hash of a token": [bearer(hashToken(tokenOf("Rex"))), "401 invalid_token"],
  "a token in the wrong header": [{ "x-owner-key": tokenOf("Rex") }, "401 missing_authorization"],
};

async function populated(): Promise<TestApi> {
  const api = testApi();
  await addVersion(api, await addBot(api, "Rex"), "v1");
  const rotated = await addBot(api, "Rotated");
  await api.store.rotateToken(rotated.id, hashToken("a newer one"));
  await addBot(api, "Gone", { status: "retired" });
  await addBot(api, "Held", { status: "suspended" });
  const banned = await addBot(api, "Banned");
  await api.store.setBotStatus(banned.id, "banned");
  await api.store.rotateToken(banned.id, hashToken("new-token-of-Banned"));
  return api;
}

async function ask({ app }: TestApi, route: Route, headers: Record<string, string>) {
  const { method, url, payload } = route;
  const { statusCode, body } = await app.inject({
    method,
    url,
    headers,
    ...(payload && { payload }),
  });
  const { code } = (body.startsWith("{") ? JSON.parse(body) : {}) as { code?: string };
  return statusCode < 400 ? String(statusCode) : `${statusCode} ${code}`;
}

describe("access", () => {
  for (const [kind, [headers, refusal]] of Object.entries(CREDENTIALS)) {
    it(`lets ${kind} read what is public`, async () => {
      const api = await populated();
      for (const route of PUBLIC) assert.equal(await ask(api, route, headers), "200", route.url);
    });

    it(`gives ${kind} ${refusal ?? "a bot's routes"}`, async () => {
      const api = await populated();
      for (const route of OF_BOTS)
        assert.equal(await ask(api, route, headers), refusal ?? String(route.status), route.url);
    });

    it(`lets nobody register with ${kind} without the ladder's registration key`, async () => {
      const api = testApi({ registrationKeyHash: hashToken("let-me-in") });
      const expected = (isKnown: boolean) => {
        if ("x-owner-key" in headers) return "400 invalid_owner_key";
        if (kind !== "none") return "401 authentication_required";
        return isKnown ? "201" : "403 invalid_registration_key";
      };
      for (const key of [undefined, "", "let-me-out", hashToken("let-me-in"), "let-me-in"]) {
        const sent = { ...headers, ...(key !== undefined && { "x-registration-key": key }) };
        assert.equal(
          await ask(api, REGISTRATION, sent),
          expected(key === "let-me-in"),
          `with ${key}`,
        );
      }
    });

    it(`lets nobody register with ${kind} unless none is needed`, async () => {
      const expected = (isAnonymous: boolean) => {
        if ("x-owner-key" in headers) return "400 invalid_owner_key";
        return kind === "none" && isAnonymous ? "201" : "401 authentication_required";
      };
      for (const anonymous of [true, false]) {
        const got = await ask(testApi({ anonymous }), REGISTRATION, headers);
        assert.equal(got, expected(anonymous));
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
