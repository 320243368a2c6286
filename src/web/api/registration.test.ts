import assert from "node:assert/strict";
import { it } from "node:test";

import { hashToken } from "#data/credentials/token.ts";
import { addTestBot, bearerHeader, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

const post = ({ app }: TestApi, payload: object) =>
  app.inject({ method: "POST", url: "/api/bots", payload });
const codeOf = (response: { json(): { code?: string } }) => response.json().code;

it("registers a bot that owns itself and returns its token once", async () => {
  const api = testApi();
  const response = await post(api, { name: "Neo" });
  assert.equal(response.statusCode, 201);
  assert.equal(response.headers["cache-control"], "private, no-store");
  const { name, token, bot_endpoint } = response.json();
  assert.deepEqual([name, bot_endpoint], ["Neo", "ws://localhost:7777/bot"]);
  const tokenOwner = await api.store.bots.byToken(hashToken(token));
  assert.deepEqual(tokenOwner?.bot, {
    id: tokenOwner?.bot.id,
    name: "Neo",
    owner: "Neo",
    ownerId: "anon:neo",
    house: false,
    ownerBanned: false,
    status: "active",
    statusReason: null,
    statusSince: null,
    avatar: null,
    created: "2026-01-05T12:00:00.000Z",
  });
  const me = await api.app.inject({ url: "/api/me", headers: bearerHeader(token) });
  assert.ok(!me.body.includes(token));
  const [entry] = await api.store.audit.list({ kind: "bot.registered", limit: 5 });
  const { actor, subject, detail } = entry!;
  assert.deepEqual(actor, { kind: "system", id: null, name: null });
  assert.deepEqual(subject, { kind: "bot", id: tokenOwner?.bot.id, name: "Neo" });
  assert.deepEqual(detail, { owner: "Neo" });
});

it("accepts an owner name unless it is reserved or malformed", async () => {
  const api = testApi();
  for (const [at, owner] of ["ada.l", "x", "Team A", "Zoë"].entries()) {
    assert.equal((await post(api, { name: `Neo${at}`, owner })).statusCode, 201);
    assert.equal((await api.store.bots.byName(`Neo${at}`))?.owner, owner);
  }
  for (const owner of ["house", "ADMIN", "Support", "a@b", " x", "", "x".repeat(40)])
    assert.equal(codeOf(await post(api, { name: "Next", owner })), "invalid_handle", owner);
  const { error } = (await post(api, { name: "Next", owner: "a@b" })).json();
  assert.match(error, /1-39 printable characters other than \/ @ # %/);
});

it("names the missing field", async () => {
  const response = await post(testApi(), { nam: "x" });
  assert.deepEqual(
    [response.statusCode, response.json()],
    [400, { error: "The field 'name' of the body is required.", code: "invalid_bot" }],
  );
});

it("T73 reads only name and owner from the body", async () => {
  const api = testApi();
  const extraFields = {
    house: true,
    rating: 3000,
    role: "admin",
    status: "banned",
    id: "mine",
    avatar: "x",
  };
  assert.equal((await post(api, { name: "Neo", owner: "ada", ...extraFields })).statusCode, 201);
  const page = (await api.app.inject("/api/bots/neo")).json();
  assert.deepEqual([page.house, page.avatar, page.versions], [false, null, []]);
  const bot = await api.store.bots.byName("Neo");
  assert.deepEqual([bot?.status, bot?.house, bot?.id === "mine"], ["active", false, false]);
});

it("T85 rejects malformed, reserved and taken names case-insensitively", async () => {
  const api = testApi();
  await addTestBot(api, "Rex");
  await addTestBot(api, "Old", { status: "retired" });
  const texts = ["a", "x".repeat(25), "a b", "", "аda", "ａda", "\u212Aelvin", "a\u200Bda"];
  const reserved = ["Champion", "admin", "__proto__", "house-kiter", "NULL"];
  for (const name of [...texts, ...reserved, "Rex", "rEX", "OLD", 5, null, ["Neo"], {}])
    assert.equal(codeOf(await post(api, { name })), "invalid_bot", JSON.stringify(name));
  assert.equal(codeOf(await post(api, {})), "invalid_bot");
  assert.equal((await post(api, { name: "Neo", owner: 5 })).statusCode, 400);
});

it("reports that a name is reserved", async () => {
  const api = testApi();
  const errorOf = async (body: object) => String((await post(api, body)).json().error);
  for (const name of ["House", "Brawler", "house-kiter", "admin"])
    assert.equal(
      await errorOf({ name }),
      `The name ${name} is reserved for this server. Choose a different one.`,
    );
  assert.match(await errorOf({ name: "Neo", owner: "Root" }), /^The owner's name Root is reserved/);
  assert.doesNotMatch(await errorOf({ name: "a b" }), /is reserved for/);
});

it("T76 gives the last free slot to one of 50 concurrent requests", async () => {
  const api = testApi();
  for (const name of ["One", "Two", "Three", "Four"]) await addTestBot(api, name, { owner: "Ada" });
  await addTestBot(api, "Five", { owner: "Ada", status: "retired" });
  const names = Array.from({ length: 50 }, (_, index) => `Bot-${index}`);
  const responses = await Promise.all(names.map((name) => post(api, { name, owner: "ADA" })));
  const addedCount = responses.filter((response) => response.statusCode === 201);
  const refusals = responses.filter((response) => codeOf(response) === "bot_limit");
  assert.deepEqual([addedCount.length, refusals.length], [1, 49]);
  assert.equal(refusals[0]?.statusCode, 409);
});

it("counts an owner's bots against the current bots_per_owner", async () => {
  const api = testApi();
  const status = async (name: string) => (await post(api, { name, owner: "Ada" })).statusCode;
  api.liveSettings.change({ bots_per_owner: 1 });
  assert.deepEqual([await status("One"), await status("Two")], [201, 409]);
  api.liveSettings.change({ bots_per_owner: 2 });
  assert.deepEqual([await status("Two"), await status("Three")], [201, 409]);
});

it("refuses all registrations on a server without accounts or anonymous mode", async () => {
  const api = testApi({ anonymous: false });
  const response = await post(api, { name: "Neo" });
  assert.equal(response.statusCode, 401);
  assert.equal(response.headers["www-authenticate"], "Bearer");
  assert.deepEqual(response.json(), {
    error: "Registering a bot requires an account, but this server has none.",
    code: "authentication_required",
    account_url: "http://localhost:7777/account",
  });
  assert.equal((await api.app.inject("/api")).json().onboarding.register, null);
});

it("reports that anonymous mode accepts no credentials", async () => {
  const call = { method: "POST", url: "/api/bots", payload: { name: "Neo" } } as const;
  const response = await testApi().app.inject({ ...call, headers: bearerHeader("any") });
  const { error, ...body } = response.json();
  assert.deepEqual(
    [response.statusCode, body],
    [401, { code: "authentication_required", account_url: "http://localhost:7777/account" }],
  );
  assert.match(error, /so no credential is valid\. Register without one/);
});

it("requires the configured registration key for registration only", async () => {
  const register = async (api: TestApi, key: string) => {
    const [payload, headers] = [{ name: "Neo" }, { "x-registration-key": key }];
    return api.app.inject({ method: "POST", url: "/api/bots", payload, headers });
  };
  assert.equal((await register(testApi(), "any")).statusCode, 201);
  const closedApi = testApi({ registrationKeyHash: hashToken("let-me-in") });
  const refusals = await register(closedApi, "any");
  assert.deepEqual([refusals.statusCode, codeOf(refusals)], [403, "invalid_registration_key"]);
  assert.match(refusals.json().error, /X-Registration-Key/);
  assert.equal(await closedApi.store.bots.byName("Neo"), null);
  assert.equal((await register(closedApi, "let-me-in")).statusCode, 201);
  const anonymousResponse = testApi({
    registrationKeyHash: hashToken("let-me-in"),
    anonymous: false,
  });
  assert.equal(codeOf(await register(anonymousResponse, "let-me-in")), "authentication_required");
});

it("documents the registration key in the contract", async () => {
  const security = async (api: TestApi) => {
    const { paths } = (await api.app.inject("/openapi.json")).json();
    return paths["/api/bots"].post.security as object[];
  };
  assert.deepEqual(await security(testApi()), [{ AccountBearer: [] }, { OwnerKey: [] }, {}]);
  assert.deepEqual(await security(testApi({ registrationKeyHash: hashToken("let-me-in") })), [
    { AccountBearer: [], RegistrationKey: [] },
    { OwnerKey: [], RegistrationKey: [] },
    { RegistrationKey: [] },
  ]);
});

const OWNER_HEADERS: [what: string, headers: Record<string, string>][] = [
  ["no credential", {}],
  ["a bot token", bearerHeader("token-of-Rex")],
  ["a key", { "x-owner-key": "bout_key_x" }],
];
for (const [what, headers] of OWNER_HEADERS)
  it(`refuses to delete a bot with ${what}, whether the bot exists or not`, async () => {
    for (const anonymous of [true, false]) {
      const api = testApi({ anonymous });
      await addTestBot(api, "Rex");
      for (const name of ["Rex", "nobody"]) {
        const url = `/api/bots/${name}`;
        const response = await api.app.inject({ method: "DELETE", url, headers });
        assert.deepEqual([response.statusCode, codeOf(response)], [400, "invalid_owner_key"]);
      }
      assert.equal((await api.store.bots.byName("Rex"))?.status, "active");
    }
  });

it("returns the bot's location, and reports a taken name", async () => {
  const api = testApi();
  const { headers } = await post(api, { name: "Neo" });
  assert.equal(headers.location, "/api/bots/Neo");
  assert.equal((await api.app.inject("/api/bots/Neo")).statusCode, 200);
  const takenResponse = await post(api, { name: "nEO" });
  assert.deepEqual(takenResponse.json(), { error: "The name nEO is taken.", code: "invalid_bot" });
});

it("audits who registered a bot, but not refused registrations", async () => {
  const api = testApi();
  for (const name of ["Neo", "neo", "Trinity"]) await post(api, { name, owner: "Ada" });
  const entries = await api.store.audit.list({ limit: 9 });
  assert.deepEqual(
    entries.map(({ kind, subject, detail }) => [kind, subject?.name, detail]),
    ["Trinity", "Neo"].map((name) => ["bot.registered", name, { owner: "Ada" }]),
  );
});
