import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { it } from "node:test";

import { LIMITS } from "#core/words/limits.ts";
import { MOUNT } from "#outside/identity/deps.ts";
import type { IdentitySettings } from "#outside/identity/deps.ts";
import { WELL_KNOWN } from "#outside/identity/embedded.ts";
import { buttonOf, identityWorld, PASSWORD } from "#testing/fixtures/identity-world.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { openAdmission } from "#web/http/admission.ts";
import { callerOf } from "#web/http/caller.ts";

import { mountIdentity } from "./identity-mount.ts";

const ADA = "ada@example.org";

async function mounted(settings: Partial<IdentitySettings> = {}) {
  const world = await identityWorld({ settings });
  const callers: string[] = [];
  const embedded = {
    ...world.embedded,
    answer: (request: Request, caller: string) => {
      callers.push(caller);
      return world.embedded.answer(request, caller);
    },
  };
  const admission = openAdmission({
    limits: LIMITS,
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

it("people sign up and in through the app, and the caller is told", async () => {
  const { world, app, headers, callers } = await mounted();
  const payload = { email: ADA, password: PASSWORD };
  const signedUp = await app.inject({ method: "POST", url: `${MOUNT}/signup`, headers, payload });
  assert.equal(signedUp.statusCode, 200, signedUp.body);
  const { link } = await world.mailTo(ADA);
  const followed = await app.inject({ url: buttonOf(link ?? "").replace(/^http:\/\/[^/]+/, "") });
  assert.equal(followed.statusCode, 303);
  const landed = new URL(String(followed.headers.location));
  assert.equal(landed.origin + landed.pathname, "http://localhost:7777/account");
  const facts = Object.fromEntries(new URLSearchParams(landed.hash.slice(1)));
  const invite = { token_hash: facts["token_hash"], type: "invite" };
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
  const out = {
    method: "POST",
    url: `${MOUNT}/logout`,
    headers: { ...headers, authorization },
  } as const;
  const signedOut = await app.inject(out);
  assert.deepEqual([signedOut.statusCode, signedOut.body], [204, ""]);
  assert.deepEqual(new Set(callers), new Set(["192.0.2.9"]));
});

it("forms, preflights, methods and unknown addresses reach the provider", async () => {
  const { app, headers } = await mounted();
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
  const closed = await app.inject({ method: "OPTIONS", url: `${MOUNT}/signup` });
  assert.equal(closed.headers["access-control-allow-origin"], undefined);
  const wrong = await app.inject({ method: "PATCH", url: `${MOUNT}/user`, headers });
  assert.equal(wrong.statusCode, 405);
  const nothing = await app.inject({ url: `${MOUNT}/no/such/thing`, headers });
  assert.equal(nothing.statusCode, 404);
  for (const url of WELL_KNOWN) {
    const found = await app.inject({ url });
    assert.equal(found.json<{ issuer: string }>().issuer, `http://localhost:7777${MOUNT}`);
  }
});

it("a body that is not read is refused in the provider's own shape", async () => {
  const { app, headers } = await mounted();
  const post = (payload: string, more: Record<string, string> = {}) =>
    app.inject({
      method: "POST",
      url: `${MOUNT}/signup`,
      headers: { ...headers, "content-type": "application/json", ...more },
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
  const marked = await post(`\uFEFF${JSON.stringify({ email: ADA, password: PASSWORD })}`);
  assert.equal(marked.statusCode, 200, marked.body);
});

const WRONG_TYPE = "unsupported_media_type";

it("what has no limit of its own counts as reads and writes; the rest counts whatever is wrong", async () => {
  const { app, world, headers } = await mounted({ limitsAddresses: true });
  const statuses = async (method: "GET" | "POST", path: string, more: object = {}) => {
    const all: number[] = [];
    const asked = { method, url: MOUNT + path, remoteAddress: "203.0.113.1", ...more };
    for (let time = 0; time <= LIMITS.reads_burst; time += 1)
      all.push((await app.inject(asked)).statusCode);
    world.clock.pass(60_000);
    return all.filter((status) => status === 429).length;
  };
  const asked = LIMITS.reads_burst + 1;
  assert.equal(await statuses("GET", "/settings", { headers }), 1);
  assert.equal(await statuses("GET", "/user"), 1);
  assert.equal(await statuses("GET", "/nothing", { headers }), 1);
  assert.equal(await statuses("POST", "/logout", { headers }), asked - LIMITS.writes_burst);
  const large = { headers, payload: { password: "x".repeat(64 * 1024) } };
  const charset = { headers: { ...headers, "content-type": "application/json;charset=x" } };
  assert.equal(await statuses("POST", "/signup"), asked - 30);
  assert.equal(await statuses("POST", "/recover", large), asked - 30);
  assert.equal(await statuses("POST", "/resend", { ...charset, payload: "{}" }), asked - 30);
});
