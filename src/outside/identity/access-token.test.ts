import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { it } from "node:test";

import { exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from "jose";
import type { JWTHeaderParameters } from "jose";

import { sure } from "#base/units/sure.ts";
import { codeIn, IDENTITY_BASE, identityWorld } from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";

const ROOT = `${IDENTITY_BASE}/auth/v1`;

function partsOf(jwt: string): Record<string, unknown>[] {
  return jwt
    .split(".")
    .slice(0, 2)
    .map(
      (part) => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>,
    );
}

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
  const [header, payload] = partsOf(access);
  assert.ok(header !== undefined && payload !== undefined);
  const kid = String(header["kid"]);
  const [published] = world.deps.secrets.published();
  const ours = world.deps.secrets.signing().key;
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const sign = (key: typeof privateKey, claims: object, head: object = {}) =>
    new SignJWT({ ...payload, ...claims })
      .setProtectedHeader({ alg: "ES256", kid, ...head } as JWTHeaderParameters)
      .sign(key);
  const now = Number(payload["iat"]);
  const spki = await exportSPKI((await importJWK(sure(published, "key"), "ES256")) as CryptoKey);
  const hmac = (secret: string) => {
    const text = [{ alg: "HS256", kid, typ: "JWT" }, payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  };
  const forged: [why: string, jwt: string][] = [
    ["none", new UnsecuredJWT(payload).encode()],
    ["a public key used as a secret", hmac(spki)],
    ["the key set used as a secret", hmac(JSON.stringify(published))],
    ["another key under our name", await sign(privateKey, {})],
    ["its own key", await sign(privateKey, {}, { jwk: await exportJWK(publicKey) })],
    ["a key elsewhere", await sign(privateKey, {}, { jku: "http://127.0.0.1:9/keys" })],
    ["a key by path", await sign(privateKey, {}, { kid: "../../../dev/null" })],
    ["no name of a key", await sign(privateKey, {}, { kid: undefined })],
    ["another issuer", await sign(ours, { iss: "https://evil.example/auth/v1" })],
    ["another audience", await sign(ours, { aud: "https://evil.example/mcp" })],
    ["expired", await sign(ours, { exp: now - 6 })],
    ["not yet", await sign(ours, { nbf: now + 60 })],
    ["without an end", await sign(ours, { exp: undefined })],
    ["without a session", await sign(ours, { session_id: undefined })],
    ["text", "not a token"],
    ["changed", `${access.slice(0, -4)}AAAA`],
  ];
  for (const [why, jwt] of forged) await assertRefused(world, jwt, why);
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
