import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { it } from "node:test";

import { WELL_KNOWN } from "#adapters/identity/embedded-provider.ts";
import { MOUNT } from "#adapters/identity/identity-deps.ts";
import type { IdentitySettings } from "#adapters/identity/identity-deps.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { verifyLinkOf, identityWorld, TEST_PASSWORD } from "#testing/fixtures/identity-world.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { openAdmission } from "#web/http/admission.ts";
import { callerOf } from "#web/http/client-address.ts";

import { mountIdentity } from "./identity-mount.ts";

const ADA = "ada@example.org";

async function mountProvider(settings: Partial<IdentitySettings> = {}) {
  const world = await identityWorld({ settings });
  const callers: string[] = [];
  const embedded = {
    ...world.embedded,
    respond: (request: Request, caller: string) => {
      callers.push(caller);
      return world.embedded.respond(request, caller);
    },
  };
  const admission = openAdmission({
    limits: DEFAULT_LIMITS,
    now: () => world.clock.now(),
    callerOf: (request) => callerOf(request, new BlockList()),
  });
  const { app } = testApi({}, settings.limitsAddresses === true ? { admission } : {});
  const addresses = [`${MOUNT}/*`, ...WELL_KNOWN];
  mountIdentity(app, { embedded, addresses, callerOf: () => "192.0.2.9" });
  const headers = {
    apikey: world.embedded.publishableKey,
    "x-supabase-api-version": "2024-01-01",
  };
  return { world, app, headers, callers };
}

it("users sign up and sign in through the app, which passes on the client address", async () => {
  const { world, app, headers, callers } = await mountProvider();
  const payload = { email: ADA, password: TEST_PASSWORD };
  const signedUp = await app.inject({ method: "POST", url: `${MOUNT}/signup`, headers, payload });
  assert.equal(signedUp.statusCode, 200, signedUp.body);
  const { link } = await world.waitForEmail(ADA);
  const linkResponse = await app.inject({
    url: verifyLinkOf(link ?? "").replace(/^http:\/\/[^/]+/, ""),
  });
  assert.equal(linkResponse.statusCode, 303);
  const landed = new URL(String(linkResponse.headers.location));
  assert.equal(landed.origin + landed.pathname, "http://localhost:7777/account");
  const fragmentParams = Object.fromEntries(new URLSearchParams(landed.hash.slice(1)));
  const invite = { token_hash: fragmentParams["token_hash"], type: "invite" };
  const signedIn = await app.inject({
    method: "POST",
    url: `${MOUNT}/verify`,
    headers,
    payload: invite,
  });
  assert.equal(signedIn.statusCode, 200);
  assert.equal(signedIn.headers["cache-control"], "no-store");
  const { access_token: token } = signedIn.json<{ access_token: string }>();
  const authorization = `Bearer ${token}`;
  const user = await app.inject({ url: `${MOUNT}/user`, headers: { ...headers, authorization } });
  assert.equal(user.json<{ email: string }>().email, ADA);
  const signOutRequest = {
    method: "POST",
    url: `${MOUNT}/logout`,
    headers: { ...headers, authorization },
  } as const;
  const signedOut = await app.inject(signOutRequest);
  assert.deepEqual([signedOut.statusCode, signedOut.body], [204, ""]);
  assert.deepEqual(new Set(callers), new Set(["192.0.2.9"]));
});

it("forms, preflights, all methods and unknown paths reach the provider", async () => {
  const { app, headers } = await mountProvider();
  const form = await app.inject({
    method: "POST",
    url: `${MOUNT}/oauth/token`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "grant_type=authorization_code&client_id=x",
  });
  assert.deepEqual(
    [form.statusCode, form.json<{ error: string }>().error],
    [401, "invalid_client"],
  );
  const preflight = await app.inject({ method: "OPTIONS", url: `${MOUNT}/oauth/token` });
  assert.equal(preflight.statusCode, 204);
  assert.equal(preflight.headers["access-control-allow-origin"], "*");
  const preflightResponse = await app.inject({ method: "OPTIONS", url: `${MOUNT}/signup` });
  assert.equal(preflightResponse.headers["access-control-allow-origin"], undefined);
  const methodResponse = await app.inject({ method: "PATCH", url: `${MOUNT}/user`, headers });
  assert.equal(methodResponse.statusCode, 405);
  const notFoundResponse = await app.inject({ url: `${MOUNT}/no/such/thing`, headers });
  assert.equal(notFoundResponse.statusCode, 404);
  for (const url of WELL_KNOWN) {
    const settingsResponse = await app.inject({ url });
    assert.equal(
      settingsResponse.json<{ issuer: string }>().issuer,
      `http://localhost:7777${MOUNT}`,
    );
  }
});

it("a body that can't be read is refused in the provider's error format", async () => {
  const { app, headers } = await mountProvider();
  const post = (payload: string, moreHeaders: Record<string, string> = {}) =>
    app.inject({
      method: "POST",
      url: `${MOUNT}/signup`,
      headers: { ...headers, "content-type": "application/json", ...moreHeaders },
      payload,
    });
  const large = JSON.stringify({ email: ADA, password: "x".repeat(64 * 1024) });
  const table = [
    [await post(large), 413, "request_too_large"],
    [await post("{}", { "content-type": "application/json;charset=utf-16" }), 415, WRONG_TYPE],
    [await post("{}", { "content-encoding": "gzip" }), 415, WRONG_TYPE],
    [await post("{}", { "content-type": "text/plain" }), 415, WRONG_TYPE],
  ] as const;
  for (const [reply, status, code] of table) {
    assert.deepEqual([reply.statusCode, reply.json<{ code: string }>().code], [status, code]);
    assert.equal(reply.headers["x-sb-error-code"], code);
  }
  const bomResponse = await post(
    `\uFEFF${JSON.stringify({ email: ADA, password: TEST_PASSWORD })}`,
  );
  assert.equal(bomResponse.statusCode, 200, bomResponse.body);
});

const WRONG_TYPE = "unsupported_media_type";

it("provider routes count as reads and writes, and rate-limited operations count even invalid requests", async () => {
  const { app, world, headers } = await mountProvider({ limitsAddresses: true });
  const statuses = async (method: "GET" | "POST", path: string, moreHeaders: object = {}) => {
    const statusCodes: number[] = [];
    const requestOptions = {
      method,
      url: MOUNT + path,
      remoteAddress: "203.0.113.1",
      ...moreHeaders,
    };
    for (let time = 0; time <= DEFAULT_LIMITS.reads_burst; time += 1)
      statusCodes.push((await app.inject(requestOptions)).statusCode);
    world.clock.advance(60_000);
    return statusCodes.filter((status) => status === 429).length;
  };
  const asked = DEFAULT_LIMITS.reads_burst + 1;
  assert.equal(await statuses("GET", "/settings", { headers }), 1);
  assert.equal(await statuses("GET", "/user"), 1);
  assert.equal(await statuses("GET", "/nothing", { headers }), 1);
  assert.equal(await statuses("POST", "/logout", { headers }), asked - DEFAULT_LIMITS.writes_burst);
  const large = { headers, payload: { password: "x".repeat(64 * 1024) } };
  const charset = { headers: { ...headers, "content-type": "application/json;charset=x" } };
  assert.equal(await statuses("POST", "/signup"), asked - 30);
  assert.equal(await statuses("POST", "/recover", large), asked - 30);
  assert.equal(await statuses("POST", "/resend", { ...charset, payload: "{}" }), asked - 30);
});
