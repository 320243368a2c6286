import assert from "node:assert/strict";
import { it } from "node:test";

import { SignJWT } from "jose";
import type { JWTHeaderParameters } from "jose";

import { forgedTokens, decodeTokenParts } from "#testing/fixtures/forged-tokens.ts";
import { statusAndCode, IDENTITY_BASE, identityWorld } from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";

const ROOT = `${IDENTITY_BASE}/auth/v1`;

it("a token contains the same claims as a GoTrue token", async () => {
  const { addMember, clock } = await identityWorld();
  const { access, id, email } = await addMember("ada@example.org");
  const [header, payload] = decodeTokenParts(access);
  const now = Math.floor(clock.wall().getTime() / 1000);
  assert.deepEqual([header?.["alg"], header?.["typ"]], ["ES256", "JWT"]);
  const { session_id: session, ...claims } = payload ?? {};
  assert.match(String(session), /^[0-9a-f-]{36}$/);
  assert.deepEqual(claims, {
    iss: ROOT,
    sub: id,
    aud: "authenticated",
    exp: now + 3600,
    iat: now,
    email,
    phone: "",
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: {},
    role: "authenticated",
    aal: "aal1",
    amr: [{ method: "password", timestamp: now }],
    is_anonymous: false,
  });
});

async function assertRefused(
  { sendRequest: context, embedded }: IdentityWorld,
  jwt: string,
  message: string,
) {
  assert.deepEqual(
    statusAndCode(await context("GET", "/user", { jwt })),
    [403, "bad_jwt"],
    message,
  );
  for (const audienceKind of ["browser", "mcp"] as const)
    await assert.rejects(
      embedded.provider.verify(jwt, audienceKind),
      { name: "InvalidSession" },
      message,
    );
}

it("T67 rejects forged tokens without a session lookup", async () => {
  const world = await identityWorld();
  const { access } = await world.addMember("ada@example.org");
  for (const [message, jwt] of await forgedTokens(world, access))
    await assertRefused(world, jwt, message);
  assert.equal((await world.sendRequest("GET", "/user", { jwt: access })).status, 200);
  assert.deepEqual(world.reportedErrors, []);
});

it("rejects a token with no session or another user's session", async () => {
  const world = await identityWorld();
  const ada = await world.addMember("ada@example.org");
  const bob = await world.addMember("bob@example.org");
  const [header, payload] = decodeTokenParts(ada.access);
  const sign = (claims: object) =>
    new SignJWT({ ...payload, ...claims })
      .setProtectedHeader(header as JWTHeaderParameters)
      .sign(world.deps.secrets.signingKey().key);
  const mixedToken = await sign({ sub: bob.id });
  assert.deepEqual(statusAndCode(await world.sendRequest("GET", "/user", { jwt: mixedToken })), [
    403,
    "bad_jwt",
  ]);
  const endedSessionToken = await sign({ session_id: crypto.randomUUID() });
  assert.deepEqual(
    statusAndCode(await world.sendRequest("GET", "/user", { jwt: endedSessionToken })),
    [403, "session_not_found"],
  );
  assert.equal(await world.embedded.provider.liveUser(endedSessionToken), null);
  const key = world.embedded.publishableKey;
  assert.deepEqual(statusAndCode(await world.sendRequest("GET", "/user", { jwt: key })), [
    403,
    "bad_jwt",
  ]);
  assert.deepEqual(statusAndCode(await world.sendRequest("GET", "/user")), [
    401,
    "no_authorization",
  ]);
});
