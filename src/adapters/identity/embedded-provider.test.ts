import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import {
  statusAndCode,
  temporaryIdentityFolder,
  IDENTITY_BASE,
  identityWorld,
  TEST_PASSWORD,
  signInMember,
} from "#testing/fixtures/identity-world.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

import { WELL_KNOWN } from "./embedded-provider.ts";

const ADA = "ada@example.org";

describe("a data folder opened at another URL", () => {
  const addresses = ["http://localhost:7778", "https://ladder.example", "http://[::1]:80"];
  for (const baseUrl of addresses)
    it(`keeps its accounts at ${baseUrl}`, async () => {
      const data = temporaryIdentityFolder();
      const first = await openStore({ data });
      const before = await identityWorld({ store: first, dataFolder: data });
      const ada = await before.addMember(ADA);
      const claims = await before.embedded.provider.verify(ada.access, "browser");
      await first.close();
      await using store = disposable(await openStore({ data }));
      const after = await identityWorld({ store, dataFolder: data, settings: { baseUrl } });
      const signedIn = await signInMember(after, ADA);
      const { issuer, subject } = await after.embedded.provider.verify(signedIn.access, "browser");
      assert.deepEqual([issuer, subject], [claims.issuer, claims.subject]);
      assert.deepEqual([issuer, subject], ["embedded", ada.id]);
      assert.equal(after.embedded.publishableKey, before.embedded.publishableKey);
      // The token contains the old URL and is rejected, but its session continues.
      assert.deepEqual(
        statusAndCode(await after.sendRequest("GET", "/user", { jwt: ada.access })),
        [403, "bad_jwt"],
      );
      const body = { refresh_token: ada.refresh };
      const next = await after.sendRequest("POST", "/token?grant_type=refresh_token", { body });
      assert.equal(
        (await after.sendRequest("GET", "/user", { jwt: next.body.access_token })).body.id,
        ada.id,
      );
      assert.equal(after.embedded.provider.issuer(), `${baseUrl}/auth/v1`);
    });
});

const disposable = (store: Store) => ({ ...store, [Symbol.asyncDispose]: () => store.close() });

const OPEN_ROUTES = [
  "GET /.well-known/jwks.json",
  "GET /.well-known/oauth-authorization-server",
  "GET /.well-known/openid-configuration",
  "POST /oauth/clients/register",
  "POST /oauth/token",
  "GET /oauth/userinfo",
];
const KEY_REQUIRED_ROUTES = [
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
/** Browsers open these routes directly. Scripts on other sites can't read the responses. */
const VISITED_ROUTES = ["GET /verify", "POST /verify", "GET /oauth/authorize"];

const split = (route: string) => route.split(" ") as [string, string];

it("only app endpoints and pages opened by browsers work without the API key", async () => {
  const { sendRequest: context } = await identityWorld();
  for (const route of KEY_REQUIRED_ROUTES) {
    const { status, body } = await context(...split(route), { omitApiKey: true });
    assert.deepEqual([status, body], [401, { message: "No API key found in request" }], route);
    const headers = { apikey: "sb_publishable_of_another_ladder" };
    const wrongKeyReply = await context(...split(route), { omitApiKey: true, headers });
    assert.deepEqual(
      [wrongKeyReply.status, wrongKeyReply.body],
      [401, { message: "Invalid API key" }],
      route,
    );
  }
  for (const route of [...OPEN_ROUTES, ...VISITED_ROUTES]) {
    const { body } = await context(...split(route), { omitApiKey: true });
    assert.notEqual(body.message, "No API key found in request", route);
  }
});

it("scripts on other sites can read only the responses that apps need", async () => {
  const { sendRequest: context } = await identityWorld();
  const originOf = async (route: string, method?: string) => {
    const [routeMethod, path] = split(route);
    const headers = { origin: "https://elsewhere.example" };
    const reply = await context(method ?? routeMethod, path, { headers });
    return reply.headers.get("access-control-allow-origin");
  };
  for (const route of OPEN_ROUTES) {
    assert.equal(await originOf(route), "*", route);
    assert.equal(await originOf(route, "OPTIONS"), "*", route);
  }
  for (const route of [...KEY_REQUIRED_ROUTES, ...VISITED_ROUTES]) {
    assert.equal(await originOf(route), null, route);
    assert.equal(await originOf(route, "OPTIONS"), null, route);
  }
});

it("only keys and metadata are cacheable, and no response sets a cookie", async () => {
  const { sendRequest: context } = await identityWorld();
  for (const route of [...OPEN_ROUTES, ...KEY_REQUIRED_ROUTES, ...VISITED_ROUTES]) {
    const { headers } = await context(...split(route));
    const isRateLimitKept = route.includes(".well-known");
    const expected = isRateLimitKept ? "public, max-age=600" : "no-store";
    assert.equal(headers.get("cache-control"), expected, route);
    assert.equal(headers.get("set-cookie"), null);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
  }
});

it("accepts only JSON object bodies up to 64 KiB", async () => {
  const { sendRequest: context } = await identityWorld();
  const send = async (body: string, type = "application/json") =>
    statusAndCode(await context("POST", "/signup", { body, headers: { "Content-Type": type } }));
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

it("errors have the format of the client's API version", async () => {
  const { sendRequest: context } = await identityWorld();
  const oldFormat = await context("GET", "/user", {
    headers: { "X-Supabase-Api-Version": "2023-12-31" },
  });
  assert.deepEqual(oldFormat.body, {
    code: 401,
    error_code: "no_authorization",
    msg: "This endpoint requires a bearer token.",
  });
  const body = { email: ADA, password: "short" };
  const { body: newFormat, headers } = await context("POST", "/signup", { body });
  assert.deepEqual(newFormat, {
    code: "weak_password",
    message: "The password must have at least 8 characters.",
    weak_password: { reasons: ["length"] },
  });
  assert.equal(headers.get("x-sb-error-code"), "weak_password");
  assert.equal(headers.get("x-supabase-api-version"), "2024-01-01");
});

it("rejects unknown paths and methods", async () => {
  const { sendRequest: context } = await identityWorld();
  for (const path of ["/nothing", "/", "/admin/users", "/factors", "/oauth/authorizations/a/b"])
    assert.deepEqual(statusAndCode(await context("GET", path)), [404, "not_found"], path);
  const wrongKeyReply = await context("DELETE", "/user");
  assert.deepEqual(statusAndCode(wrongKeyReply), [405, "method_not_allowed"]);
  assert.equal(wrongKeyReply.headers.get("allow"), "GET, PUT");
  assert.equal((await context("GET", `${IDENTITY_BASE}/user`)).status, 404);
});

it("serves metadata at the paths that clients try first", async () => {
  const { sendRequest: context } = await identityWorld();
  const defaultFormat = await context("GET", "/.well-known/oauth-authorization-server");
  for (const path of WELL_KNOWN)
    assert.deepEqual((await context("GET", IDENTITY_BASE + path)).body, defaultFormat.body, path);
  const { issuer } = defaultFormat.body as unknown as { issuer: string };
  assert.equal(issuer, `${IDENTITY_BASE}/auth/v1`);
});

it("limits each route per client address if address limits are on", async () => {
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
  for (const [route, maxRequests, waitS] of table) {
    for (const limitsAddresses of [true, false]) {
      const { sendRequest: context, clock } = await identityWorld({
        settings: { limitsAddresses },
      });
      const [method, path] = split(route);
      const { embedded } = await identityWorld();
      const url = new URL(`/auth/v1${path}`, IDENTITY_BASE).href;
      assert.ok(embedded.isRateLimited({ method, url }), route);
      const statuses: number[] = [];
      for (let time = 0; time <= maxRequests; time += 1)
        statuses.push((await context(method, path)).status);
      const limited = statuses.filter((status) => status === 429).length;
      assert.equal(limited, limitsAddresses ? 1 : 0, route);
      if (!limitsAddresses) continue;
      const reply = await context(method, path);
      assert.equal(reply.headers.get("Retry-After"), String(waitS), route);
      assert.notEqual((await context(method, path, { caller: "192.0.2.2" })).status, 429);
      clock.advance(waitS * 1000);
      assert.notEqual((await context(method, path)).status, 429);
    }
  }
});

it("returns 503 when the store is unreachable and reports the error only to the operator", async () => {
  const memory = memoryStore();
  const down = async () => Promise.reject(new StoreError("unavailable", "secret disk details"));
  const store = overrideStore(memory, { identity: { userByEmail: down, session: down } });
  const world = await identityWorld({ store });
  const body = { email: ADA, password: TEST_PASSWORD };
  const reply = await world.sendRequest("POST", "/token?grant_type=password", { body });
  assert.deepEqual(statusAndCode(reply), [503, "store_unavailable"]);
  assert.ok(!JSON.stringify(reply.body).includes("disk"));
  assert.equal(world.reportedErrors.length, 1);
  assert.ok(!JSON.stringify(world.reportedErrors).includes(TEST_PASSWORD));
});

it("a user deleted during the request gets no session, and no error is reported", async () => {
  await using inner = disposable(await openStore({ data: temporaryIdentityFolder() }));
  let leaves = false;
  const store = overrideStore(inner, {
    identity: {
      putToken: async (token, ends) => {
        if (leaves) await inner.identity.deleteUser(token.userId);
        return inner.identity.putToken(token, ends);
      },
    },
  });
  const world = await identityWorld({ store });
  const { access: jwt } = await world.addMember(ADA);
  leaves = true;
  const changeReply = await world.sendRequest("PUT", "/user", {
    jwt,
    body: { email: "eve@example.org" },
  });
  assert.deepEqual(statusAndCode(changeReply), [403, "session_not_found"]);
  assert.deepEqual(world.reportedErrors, []);
  assert.deepEqual(world.receivedEmails, []);
});

it("the identity interface returns users and detects ended sessions", async () => {
  const world = await identityWorld();
  const { provider, publishableKey } = world.embedded;
  assert.deepEqual(provider.publicInfo(), {
    project_url: IDENTITY_BASE,
    publishable_key: publishableKey,
  });
  const { access, id } = await world.addMember(ADA);
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
  const user = await provider.liveUser(access);
  assert.deepEqual([user?.id, user?.email, user?.providers], [id, ADA, ["email"]]);
  assert.ok(user?.emailConfirmedAt);
  await assert.rejects(provider.verify(access, "mcp"), { name: "InvalidSession" });
  await world.sendRequest("POST", "/logout", { jwt: access });
  assert.equal(await provider.liveUser(access), null);
});
