import assert from "node:assert/strict";
import { it } from "node:test";

import { MOUNT } from "#outside/identity/deps.ts";
import { WELL_KNOWN } from "#outside/identity/embedded.ts";
import { identityWorld, PASSWORD } from "#testing/fixtures/identity-world.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

import { mountIdentity } from "./identity-mount.ts";

const ADA = "ada@example.org";

async function mounted() {
  const world = await identityWorld();
  const callers: string[] = [];
  const embedded = {
    answer: (request: Request, caller: string) => {
      callers.push(caller);
      return world.embedded.answer(request, caller);
    },
  };
  const { app } = testApi();
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
  const followed = await app.inject({ url: (link ?? "").replace(/^http:\/\/[^/]+/, "") });
  assert.equal(followed.statusCode, 303);
  assert.equal(followed.headers.location, "http://localhost:7777/");
  const url = `${MOUNT}/token?grant_type=password`;
  const signedIn = await app.inject({ method: "POST", url, headers, payload });
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

it("the body is bounded like any other", async () => {
  const { app, headers } = await mounted();
  const payload = { email: ADA, password: "x".repeat(64 * 1024) };
  const reply = await app.inject({ method: "POST", url: `${MOUNT}/signup`, headers, payload });
  assert.equal(reply.statusCode, 413);
});
