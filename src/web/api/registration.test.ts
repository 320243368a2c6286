import assert from "node:assert/strict";
import { it } from "node:test";

import { hashToken } from "#data/access/token.ts";
import { addBot, bearer, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

const post = ({ app }: TestApi, payload: object) =>
  app.inject({ method: "POST", url: "/api/bots", payload });
const codeOf = (answer: { json(): { code?: string } }) => answer.json().code;

it("registers a bot that owns itself and shows its token once", async () => {
  const api = testApi();
  const answer = await post(api, { name: "Neo" });
  assert.equal(answer.statusCode, 201);
  assert.equal(answer.headers["cache-control"], "private, no-store");
  const { name, token, bot_endpoint } = answer.json();
  assert.deepEqual([name, bot_endpoint], ["Neo", "ws://localhost:7777/bot"]);
  const found = await api.store.bots.byToken(hashToken(token));
  assert.deepEqual(found?.bot, {
    id: found?.bot.id,
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
  const me = await api.app.inject({ url: "/api/me", headers: bearer(token) });
  assert.ok(!me.body.includes(token));
  const [entry] = await api.store.audit.list({ kind: "bot.registered", limit: 5 });
  const { actor, subject, detail } = entry!;
  assert.deepEqual(actor, { kind: "system", id: null, name: null });
  assert.deepEqual(subject, { kind: "bot", id: found?.bot.id, name: "Neo" });
  assert.deepEqual(detail, { owner: "Neo" });
});

it("takes an owner's name, but no reserved or odd one", async () => {
  const api = testApi();
  for (const [at, owner] of ["ada.l", "x", "Team A", "Zoë"].entries()) {
    assert.equal((await post(api, { name: `Neo${at}`, owner })).statusCode, 201);
    assert.equal((await api.store.bots.byName(`Neo${at}`))?.owner, owner);
  }
  for (const owner of ["house", "ADMIN", "Support", "a@b", " x", "", "x".repeat(40)])
    assert.equal(codeOf(await post(api, { name: "Next", owner })), "invalid_handle", owner);
  const { error } = (await post(api, { name: "Next", owner: "a@b" })).json();
  assert.match(error, /1-39 printable characters, none of \/ @ # %/);
});

it("says which field is missing", async () => {
  const answer = await post(testApi(), { nam: "x" });
  assert.deepEqual(
    [answer.statusCode, answer.json()],
    [400, { error: "The field 'name' of the body is needed.", code: "invalid_bot" }],
  );
});

it("T73 takes nothing from a body but name and owner", async () => {
  const api = testApi();
  const more = {
    house: true,
    rating: 3000,
    role: "admin",
    status: "banned",
    id: "mine",
    avatar: "x",
  };
  assert.equal((await post(api, { name: "Neo", owner: "ada", ...more })).statusCode, 201);
  const page = (await api.app.inject("/api/bots/neo")).json();
  assert.deepEqual([page.house, page.avatar, page.versions], [false, null, []]);
  const bot = await api.store.bots.byName("Neo");
  assert.deepEqual([bot?.status, bot?.house, bot?.id === "mine"], ["active", false, false]);
});

it("T85 refuses names that are malformed, reserved or taken in any letter case", async () => {
  const api = testApi();
  await addBot(api, "Rex");
  await addBot(api, "Old", { status: "retired" });
  const texts = ["a", "x".repeat(25), "a b", "", "аda", "ａda", "\u212Aelvin", "a\u200Bda"];
  const reserved = ["Champion", "admin", "__proto__", "house-kiter", "NULL"];
  for (const name of [...texts, ...reserved, "Rex", "rEX", "OLD", 5, null, ["Neo"], {}])
    assert.equal(codeOf(await post(api, { name })), "invalid_bot", JSON.stringify(name));
  assert.equal(codeOf(await post(api, {})), "invalid_bot");
  assert.equal((await post(api, { name: "Neo", owner: 5 })).statusCode, 400);
});

it("says of a reserved name that it is reserved", async () => {
  const api = testApi();
  const errorOf = async (body: object) => String((await post(api, body)).json().error);
  for (const name of ["House", "Brawler", "house-kiter", "admin"])
    assert.equal(
      await errorOf({ name }),
      `The name ${name} is reserved for this server. Choose another one.`,
    );
  assert.match(await errorOf({ name: "Neo", owner: "Root" }), /^The owner's name Root is reserved/);
  assert.doesNotMatch(await errorOf({ name: "a b" }), /is reserved for/);
});

it("T76 gives the last free place to one of fifty at once", async () => {
  const api = testApi();
  for (const name of ["One", "Two", "Three", "Four"]) await addBot(api, name, { owner: "Ada" });
  await addBot(api, "Five", { owner: "Ada", status: "retired" });
  const names = Array.from({ length: 50 }, (_, index) => `Bot-${index}`);
  const answers = await Promise.all(names.map((name) => post(api, { name, owner: "ADA" })));
  const added = answers.filter((answer) => answer.statusCode === 201);
  const refused = answers.filter((answer) => codeOf(answer) === "bot_limit");
  assert.deepEqual([added.length, refused.length], [1, 49]);
  assert.equal(refused[0]?.statusCode, 409);
});

it("counts the bots of an owner by bots_per_owner as it is since it changed", async () => {
  const api = testApi();
  const status = async (name: string) => (await post(api, { name, owner: "Ada" })).statusCode;
  api.live.change({ bots_per_owner: 1 });
  assert.deepEqual([await status("One"), await status("Two")], [201, 409]);
  api.live.change({ bots_per_owner: 2 });
  assert.deepEqual([await status("Two"), await status("Three")], [201, 409]);
});

it("says that nobody can register where there are neither accounts nor anonymous mode", async () => {
  const api = testApi({ anonymous: false });
  const answer = await post(api, { name: "Neo" });
  assert.equal(answer.statusCode, 401);
  assert.equal(answer.headers["www-authenticate"], "Bearer");
  assert.deepEqual(answer.json(), {
    error: "Registering a bot needs an account here, and this server has none.",
    code: "authentication_required",
    account_url: "http://localhost:7777/account",
  });
  assert.equal((await api.app.inject("/api")).json().onboarding.register, null);
});

it("says of a credential that none is valid", async () => {
  const call = { method: "POST", url: "/api/bots", payload: { name: "Neo" } } as const;
  const answer = await testApi().app.inject({ ...call, headers: bearer("any") });
  const { error, ...body } = answer.json();
  assert.deepEqual(
    [answer.statusCode, body],
    [401, { code: "authentication_required", account_url: "http://localhost:7777/account" }],
  );
  assert.match(error, /no accounts\. Register without any/);
});

it("asks for the registration key where there is one, and nowhere else", async () => {
  const register = async (api: TestApi, key: string) => {
    const [payload, headers] = [{ name: "Neo" }, { "x-registration-key": key }];
    return api.app.inject({ method: "POST", url: "/api/bots", payload, headers });
  };
  assert.equal((await register(testApi(), "any")).statusCode, 201);
  const closed = testApi({ registrationKeyHash: hashToken("let-me-in") });
  const refused = await register(closed, "any");
  assert.deepEqual([refused.statusCode, codeOf(refused)], [403, "invalid_registration_key"]);
  assert.match(refused.json().error, /X-Registration-Key/);
  assert.equal(await closed.store.bots.byName("Neo"), null);
  assert.equal((await register(closed, "let-me-in")).statusCode, 201);
  const nobody = testApi({ registrationKeyHash: hashToken("let-me-in"), anonymous: false });
  assert.equal(codeOf(await register(nobody, "let-me-in")), "authentication_required");
});

it("says in the contract that the registration key is needed", async () => {
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

const OWNED: [what: string, headers: Record<string, string>][] = [
  ["no credential", {}],
  ["a bot token", bearer("token-of-Rex")],
  ["a key", { "x-owner-key": "bout_key_x" }],
];
for (const [what, headers] of OWNED)
  it(`deletes no bot for ${what}, whether it is there or not`, async () => {
    for (const anonymous of [true, false]) {
      const api = testApi({ anonymous });
      await addBot(api, "Rex");
      for (const name of ["Rex", "nobody"]) {
        const url = `/api/bots/${name}`;
        const answer = await api.app.inject({ method: "DELETE", url, headers });
        assert.deepEqual([answer.statusCode, codeOf(answer)], [400, "invalid_owner_key"]);
      }
      assert.equal((await api.store.bots.byName("Rex"))?.status, "active");
    }
  });

it("says where the bot is, and when its name is taken", async () => {
  const api = testApi();
  const { headers } = await post(api, { name: "Neo" });
  assert.equal(headers.location, "/api/bots/Neo");
  assert.equal((await api.app.inject("/api/bots/Neo")).statusCode, 200);
  const taken = await post(api, { name: "nEO" });
  assert.deepEqual(taken.json(), { error: "The name nEO is taken.", code: "invalid_bot" });
});

it("writes who was registered with the bot, and nothing of one that was refused", async () => {
  const api = testApi();
  for (const name of ["Neo", "neo", "Trinity"]) await post(api, { name, owner: "Ada" });
  const entries = await api.store.audit.list({ limit: 9 });
  assert.deepEqual(
    entries.map(({ kind, subject, detail }) => [kind, subject?.name, detail]),
    ["Trinity", "Neo"].map((name) => ["bot.registered", name, { owner: "Ada" }]),
  );
});
