import assert from "node:assert/strict";
import { it } from "node:test";

import { SignJWT } from "jose";
import type { JWTHeaderParameters } from "jose";

import { forgedTokens, partsOf } from "#testing/fixtures/forged-tokens.ts";
import { codeIn, IDENTITY_BASE, identityWorld } from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";

const ROOT = `${IDENTITY_BASE}/auth/v1`;

it("a token says what GoTrue's tokens say", async () => {
  const { member, clock } = await identityWorld();
  const { access, id, email } = await member("ada@example.org");
  const [header, payload] = partsOf(access);
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

async function assertRefused({ ask, embedded }: IdentityWorld, jwt: string, why: string) {
  assert.deepEqual(codeIn(await ask("GET", "/user", { jwt })), [403, "bad_jwt"], why);
  for (const want of ["browser", "mcp"] as const)
    await assert.rejects(embedded.provider.verify(jwt, want), { name: "InvalidSession" }, why);
}

it("T67 forged tokens are refused, and nobody is asked about them", async () => {
  const world = await identityWorld();
  const { access } = await world.member("ada@example.org");
  for (const [why, jwt] of await forgedTokens(world, access)) await assertRefused(world, jwt, why);
  assert.equal((await world.ask("GET", "/user", { jwt: access })).status, 200);
  assert.deepEqual(world.faults, []);
});

it("a token of another user's session, or of none, is not good", async () => {
  const world = await identityWorld();
  const ada = await world.member("ada@example.org");
  const bob = await world.member("bob@example.org");
  const [header, payload] = partsOf(ada.access);
  const sign = (claims: object) =>
    new SignJWT({ ...payload, ...claims })
      .setProtectedHeader(header as JWTHeaderParameters)
      .sign(world.deps.secrets.signing().key);
  const mixed = await sign({ sub: bob.id });
  assert.deepEqual(codeIn(await world.ask("GET", "/user", { jwt: mixed })), [403, "bad_jwt"]);
  const gone = await sign({ session_id: crypto.randomUUID() });
  assert.deepEqual(codeIn(await world.ask("GET", "/user", { jwt: gone })), [
    403,
    "session_not_found",
  ]);
  assert.equal(await world.embedded.provider.live(gone), null);
  const key = world.embedded.publishableKey;
  assert.deepEqual(codeIn(await world.ask("GET", "/user", { jwt: key })), [403, "bad_jwt"]);
  assert.deepEqual(codeIn(await world.ask("GET", "/user")), [401, "no_authorization"]);
});
