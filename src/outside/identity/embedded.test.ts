import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import {
  codeIn,
  freshFolder,
  IDENTITY_BASE,
  identityWorld,
  PASSWORD,
  signIn,
} from "#testing/fixtures/identity-world.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

import { WELL_KNOWN } from "./embedded.ts";

const ADA = "ada@example.org";

describe("the same data folder at another address", () => {
  const addresses = ["http://localhost:7778", "https://ladder.example", "http://[::1]:80"];
  for (const baseUrl of addresses)
    it(`has the same accounts: ${baseUrl}`, async () => {
      const data = freshFolder();
      const first = await openStore({ data });
      const before = await identityWorld({ store: first, data });
      const ada = await before.member(ADA);
      const claims = await before.embedded.provider.verify(ada.access, "browser");
      await first.close();
      await using store = closing(await openStore({ data }));
      const after = await identityWorld({ store, data, settings: { baseUrl } });
      const again = await signIn(after, ADA);
      const { issuer, subject } = await after.embedded.provider.verify(again.access, "browser");
      assert.deepEqual([issuer, subject], [claims.issuer, claims.subject]);
      assert.deepEqual([issuer, subject], ["embedded", ada.id]);
      assert.equal(after.embedded.publishableKey, before.embedded.publishableKey);
      // A token names the address of its day; its session goes on.
      assert.deepEqual(codeIn(await after.ask("GET", "/user", { jwt: ada.access })), [
        403,
        "bad_jwt",
      ]);
      const body = { refresh_token: ada.refresh };
      const next = await after.ask("POST", "/token?grant_type=refresh_token", { body });
      assert.equal(
        (await after.ask("GET", "/user", { jwt: next.body.access_token })).body.id,
        ada.id,
      );
      assert.equal(after.embedded.provider.issuer(), `${baseUrl}/auth/v1`);
    });
});

/** The same store, closed when the test leaves it. */
const closing = (store: Store) => ({ ...store, [Symbol.asyncDispose]: () => store.close() });

const OPEN = [
  "GET /.well-known/jwks.json",
  "GET /.well-known/oauth-authorization-server",
  "GET /.well-known/openid-configuration",
  "POST /oauth/clients/register",
  "POST /oauth/token",
  "GET /oauth/userinfo",
];
const CLOSED = [
  "GET /health",
  "GET /settings",
  "POST /signup",
  "POST /resend",
  "POST /recover",
  "POST /token",
  "POST /invite",
  "GET /user",
  "PUT /user",
  "POST /logout",
  "GET /user/oauth/grants",
  "DELETE /user/oauth/grants",
  "GET /oauth/authorizations/x",
  "POST /oauth/authorizations/x/consent",
];
/** Opened by browsers, but no site's script reads them. */
const VISITED = ["GET /verify", "POST /verify", "GET /oauth/authorize"];

const split = (route: string) => route.split(" ") as [string, string];

it("only the addresses of programs, and those that browsers open, do without the key", async () => {
  const { ask } = await identityWorld();
  for (const route of CLOSED) {
    const { status, body } = await ask(...split(route), { keyless: true });
    assert.deepEqual([status, body], [401, { message: "No API key found in request" }], route);
    const headers = { apikey: "sb_publishable_of_another_ladder" };
    const wrong = await ask(...split(route), { keyless: true, headers });
    assert.deepEqual([wrong.status, wrong.body], [401, { message: "Invalid API key" }], route);
  }
  for (const route of [...OPEN, ...VISITED]) {
    const { body } = await ask(...split(route), { keyless: true });
    assert.notEqual(body.message, "No API key found in request", route);
  }
});

it("other sites' scripts read what programs need, and nothing else", async () => {
  const { ask } = await identityWorld();
  const originOf = async (route: string, method?: string) => {
    const [own, path] = split(route);
    const headers = { origin: "https://elsewhere.example" };
    const reply = await ask(method ?? own, path, { headers });
    return reply.headers.get("access-control-allow-origin");
  };
  for (const route of OPEN) {
    assert.equal(await originOf(route), "*", route);
    assert.equal(await originOf(route, "OPTIONS"), "*", route);
  }
  for (const route of [...CLOSED, ...VISITED]) {
    assert.equal(await originOf(route), null, route);
    assert.equal(await originOf(route, "OPTIONS"), null, route);
  }
});

it("nothing is kept by caches but keys and metadata, and no cookie is set", async () => {
  const { ask } = await identityWorld();
  for (const route of [...OPEN, ...CLOSED, ...VISITED]) {
    const { headers } = await ask(...split(route));
    const isKept = route.includes(".well-known");
    const expected = isKept ? "public, max-age=600" : "no-store";
    assert.equal(headers.get("cache-control"), expected, route);
    assert.equal(headers.get("set-cookie"), null);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
  }
});

it("a body is a JSON object of at most 64 KiB", async () => {
  const { ask } = await identityWorld();
  const send = async (body: string, type = "application/json") =>
    codeIn(await ask("POST", "/signup", { body, headers: { "Content-Type": type } }));
  const large = JSON.stringify({ email: ADA, password: "x".repeat(64 * 1024) });
  assert.deepEqual(await send(large), [413, "request_too_large"]);
  assert.deepEqual(await send("{}", "text/plain"), [415, "unsupported_media_type"]);
  const form = "email=ada%40example.org";
  assert.deepEqual(await send(form, "application/x-www-form-urlencoded"), [
    415,
    "unsupported_media_type",
  ]);
  for (const text of ["{", "[]", "null", '"text"', "7"])
    assert.deepEqual(await send(text), [400, "bad_json"], text);
});

it("errors have the shape that the client's version knows", async () => {
  const { ask } = await identityWorld();
  const old = await ask("GET", "/user", { headers: { "X-Supabase-Api-Version": "2023-12-31" } });
  assert.deepEqual(old.body, {
    code: 401,
    error_code: "no_authorization",
    msg: "This endpoint requires a bearer token.",
  });
  const body = { email: ADA, password: "short" };
  const { body: shaped, headers } = await ask("POST", "/signup", { body });
  assert.deepEqual(shaped, {
    code: "weak_password",
    message: "The password must have at least 8 characters.",
    weak_password: { reasons: ["length"] },
  });
  assert.equal(headers.get("x-sb-error-code"), "weak_password");
  assert.equal(headers.get("x-supabase-api-version"), "2024-01-01");
});

it("addresses and methods that do not exist are refused", async () => {
  const { ask } = await identityWorld();
  for (const path of ["/nothing", "/", "/admin/users", "/factors", "/oauth/authorizations/a/b"])
    assert.deepEqual(codeIn(await ask("GET", path)), [404, "not_found"], path);
  const wrong = await ask("DELETE", "/user");
  assert.deepEqual(codeIn(wrong), [405, "method_not_allowed"]);
  assert.equal(wrong.headers.get("allow"), "GET, PUT");
  assert.equal((await ask("GET", `${IDENTITY_BASE}/user`)).status, 404);
});

it("metadata stands where clients look first, too", async () => {
  const { ask } = await identityWorld();
  const usual = await ask("GET", "/.well-known/oauth-authorization-server");
  for (const path of WELL_KNOWN)
    assert.deepEqual((await ask("GET", IDENTITY_BASE + path)).body, usual.body, path);
  const { issuer } = usual.body as unknown as { issuer: string };
  assert.equal(issuer, `${IDENTITY_BASE}/auth/v1`);
});

it("each route has a limit for one address, where addresses are limited", async () => {
  const table = [
    ["POST /signup", 30, 10],
    ["POST /resend", 30, 10],
    ["POST /recover", 30, 10],
    ["GET /verify", 30, 10],
    ["POST /verify", 30, 10],
    ["PUT /user", 30, 10],
    ["POST /token?grant_type=refresh_token", 150, 2],
    ["POST /oauth/token", 150, 2],
    ["GET /oauth/authorize", 150, 2],
    ["GET /authorize", 150, 2],
    ["GET /callback", 150, 2],
    ["POST /oauth/clients/register", 30, 30],
  ] as const;
  for (const [route, most, waitS] of table) {
    for (const limitsAddresses of [true, false]) {
      const { ask, clock } = await identityWorld({ settings: { limitsAddresses } });
      const [method, path] = split(route);
      const { embedded } = await identityWorld();
      const url = new URL(`/auth/v1${path}`, IDENTITY_BASE).href;
      assert.ok(embedded.limits({ method, url }), route);
      const statuses: number[] = [];
      for (let time = 0; time <= most; time += 1) statuses.push((await ask(method, path)).status);
      const limited = statuses.filter((status) => status === 429).length;
      assert.equal(limited, limitsAddresses ? 1 : 0, route);
      if (!limitsAddresses) continue;
      const reply = await ask(method, path);
      assert.equal(reply.headers.get("Retry-After"), String(waitS), route);
      assert.notEqual((await ask(method, path, { caller: "192.0.2.2" })).status, 429);
      clock.pass(waitS * 1000);
      assert.notEqual((await ask(method, path)).status, 429);
    }
  }
});

it("a store that cannot be reached is 503, and the fault is told to us alone", async () => {
  const memory = memoryStore();
  const down = async () => Promise.reject(new StoreError("unavailable", "the disk of secrets"));
  const store = changedStore(memory, { identity: { userByEmail: down, session: down } });
  const world = await identityWorld({ store });
  const body = { email: ADA, password: PASSWORD };
  const reply = await world.ask("POST", "/token?grant_type=password", { body });
  assert.deepEqual(codeIn(reply), [503, "store_unavailable"]);
  assert.ok(!JSON.stringify(reply.body).includes("disk"));
  assert.equal(world.faults.length, 1);
  assert.ok(!JSON.stringify(world.faults).includes(PASSWORD));
});

it("people who leave meanwhile have no session, and nothing is at fault", async () => {
  await using inner = closing(await openStore({ data: freshFolder() }));
  let leaves = false;
  const store = changedStore(inner, {
    identity: {
      putToken: async (token, ends) => {
        if (leaves) await inner.identity.deleteUser(token.userId);
        return inner.identity.putToken(token, ends);
      },
    },
  });
  const world = await identityWorld({ store });
  const { access: jwt } = await world.member(ADA);
  leaves = true;
  const moved = await world.ask("PUT", "/user", { jwt, body: { email: "eve@example.org" } });
  assert.deepEqual(codeIn(moved), [403, "session_not_found"]);
  assert.deepEqual(world.faults, []);
  assert.deepEqual(world.mails, []);
});

it("the seam answers who somebody is, and that a session has ended", async () => {
  const world = await identityWorld();
  const { provider, publishableKey } = world.embedded;
  assert.deepEqual(provider.publicInfo(), {
    project_url: IDENTITY_BASE,
    publishable_key: publishableKey,
  });
  const { access, id } = await world.member(ADA);
  const { sessionId: _, ...claims } = await provider.verify(access, "browser");
  const at = Math.floor(world.clock.wall().getTime() / 1000);
  assert.deepEqual(claims, {
    issuer: "embedded",
    subject: id,
    clientId: null,
    email: ADA,
    isAnonymous: false,
    issuedAt: at,
    expiresAt: at + 3600,
    signedInAt: at,
  });
  const user = await provider.live(access);
  assert.deepEqual([user?.id, user?.email, user?.providers], [id, ADA, ["email"]]);
  assert.ok(user?.emailConfirmedAt);
  await assert.rejects(provider.verify(access, "mcp"), { name: "InvalidSession" });
  await world.ask("POST", "/logout", { jwt: access });
  assert.equal(await provider.live(access), null);
});
