import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";

import {
  IDENTITY_ROOT,
  MCP,
  ADA,
  register,
  begin,
  look,
  codeFor,
  withCode,
  tokensFor,
  openWorld,
  withRefresh,
} from "#testing/fixtures/identity-programs.ts";
import { codeIn, PASSWORD, pkce } from "#testing/fixtures/identity-world.ts";
import type { Reply } from "#testing/fixtures/identity-world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

describe("a program that a person let in", () => {
  it("gets tokens for the MCP endpoint, and a state and an issuer on the way", async () => {
    const { world, person, program } = await openWorld();
    const { code, verifier, back } = await codeFor(world, program, person, { nonce: "its nonce" });
    assert.equal(back.origin + back.pathname, "https://client.example/cb");
    assert.deepEqual(
      ["kept", "state", "iss"].map((name) => back.searchParams.get(name)),
      ["1", "of the client", IDENTITY_ROOT],
    );
    const { body, headers } = await withCode(world, program, code, verifier);
    assert.equal(headers.get("cache-control"), "no-store");
    const claims = decodeJwt(body.access_token);
    assert.deepEqual(
      [claims.aud, claims.iss, claims.sub, claims["client_id"], claims["scope"]],
      [MCP, IDENTITY_ROOT, person.id, program.id, "openid email"],
    );
    assert.deepEqual(
      (claims["amr"] as { method: string }[]).map(({ method }) => method),
      ["oauth_provider/authorization_code"],
    );
    const keys = createLocalJWKSet({ keys: world.deps.secrets.published() });
    const { payload } = await jwtVerify(body.id_token, keys, {
      audience: program.id,
      issuer: IDENTITY_ROOT,
      currentDate: world.clock.wall(),
    });
    assert.deepEqual([payload["nonce"], payload["email"]], ["its nonce", ADA]);
    const seen = await world.embedded.provider.verify(body.access_token, "mcp");
    assert.deepEqual([seen.clientId, seen.subject], [program.id, person.id]);
    const browser = world.embedded.provider.verify(body.access_token, "browser");
    await assert.rejects(browser, { name: "InvalidSession" });
    const info = await world.ask("GET", "/oauth/userinfo", {
      jwt: body.access_token,
      keyless: true,
    });
    assert.deepEqual(info.body, { sub: person.id, email: ADA, email_verified: true });
  });

  it("learns the address and what else is known of its user only by the scope for it", async () => {
    const { world, person, program } = await openWorld();
    const body = { data: { colour: "blue" } };
    assert.equal((await world.ask("PUT", "/user", { jwt: person.access, body })).status, 200);
    for (const scope of ["openid", "openid profile offline_access"]) {
      const first = await tokensFor(world, program, person, { scope });
      const { body: next } = await withRefresh(world, program, first.refresh_token);
      for (const { access_token: jwt, id_token } of [first, next]) {
        const user = await world.ask("GET", "/user", { jwt });
        const info = await world.ask("GET", "/oauth/userinfo", { jwt, keyless: true });
        assert.deepEqual([user.status, user.body.id, info.body.sub], [200, person.id, person.id]);
        const told = JSON.stringify([decodeJwt(jwt), decodeJwt(id_token), user.body, info.body]);
        assert.doesNotMatch(told, /ada@|blue|providers|identities/);
        const seen = await world.embedded.provider.verify(jwt, "mcp");
        assert.deepEqual([seen.subject, seen.clientId, seen.email], [person.id, program.id, null]);
        assert.ok(seen.sessionId !== "" && seen.signedInAt > 0);
        assert.equal((await world.embedded.provider.live(jwt))?.id, person.id);
      }
      await world.ask("DELETE", `/user/oauth/grants?client_id=${program.id}`, {
        jwt: person.access,
      });
    }
    const { access_token: jwt } = await tokensFor(world, program, person);
    assert.equal(decodeJwt(jwt)["email"], ADA);
    assert.equal((await world.ask("GET", "/user", { jwt })).body.email, ADA);
  });

  it("can ask who its user is, and nothing else of ours", async () => {
    const { world, person, program } = await openWorld();
    const { access_token: jwt } = await tokensFor(world, program, person);
    assert.equal((await world.ask("GET", "/user", { jwt })).status, 200);
    assert.equal((await world.ask("GET", "/oauth/userinfo", { jwt })).status, 200);
    const { id } = await begin(world, program, { scope: "openid profile" });
    const refused: Reply[] = [
      await world.ask("PUT", "/user", { jwt, body: { password: "taken over" } }),
      await world.ask("POST", "/logout", { jwt }),
      await world.ask("GET", "/user/oauth/grants", { jwt }),
      await world.ask("DELETE", `/user/oauth/grants?client_id=${program.id}`, { jwt }),
      await world.ask("GET", `/oauth/authorizations/${id}`, { jwt }),
      await world.ask("POST", `/oauth/authorizations/${id}/consent`, {
        jwt,
        body: { action: "approve" },
      }),
    ];
    for (const reply of refused) assert.deepEqual(codeIn(reply), [403, "bad_jwt"]);
    const info = await world.ask("GET", "/oauth/userinfo", { jwt: person.access });
    assert.deepEqual(codeIn(info), [401, "invalid_token"]);
  });

  it("goes on by its refresh token, which is good for nothing else", async () => {
    const { world, person, program } = await openWorld();
    const { refresh_token: first } = await tokensFor(world, program, person);
    const { body } = await withRefresh(world, program, first, { resource: MCP });
    assert.equal(decodeJwt(body.access_token).aud, MCP);
    assert.notEqual(body.refresh_token, first);
    const browser = { body: { refresh_token: body.refresh_token } };
    const misused = await world.ask("POST", "/token?grant_type=refresh_token", browser);
    assert.deepEqual(codeIn(misused), [400, "invalid_client"]);
    const other = await register(world);
    const stolen = await withRefresh(world, other, body.refresh_token);
    assert.deepEqual(codeIn(stolen), [400, "invalid_grant"]);
    const people = await withRefresh(world, program, person.refresh);
    assert.deepEqual(codeIn(people), [400, "invalid_grant"]);
  });

  it("loses its session when its code is used again, but not by another program", async () => {
    const { world, person, program } = await openWorld();
    const { code, verifier } = await codeFor(world, program, person);
    const { body } = await withCode(world, program, code, verifier);
    const other = await register(world);
    assert.deepEqual(codeIn(await withCode(world, other, code, verifier)), [400, "invalid_grant"]);
    const jwt = body.access_token;
    assert.equal((await world.ask("GET", "/user", { jwt })).status, 200);
    assert.deepEqual(codeIn(await withCode(world, program, code, "x")), [400, "invalid_grant"]);
    assert.deepEqual(codeIn(await world.ask("GET", "/user", { jwt })), [403, "session_not_found"]);
    const refreshed = await withRefresh(world, program, body.refresh_token);
    assert.deepEqual(codeIn(refreshed), [400, "invalid_grant"]);
  });

  it("loses its session when an old refresh token is used again", async () => {
    for (const wait of [0, 10_000]) {
      const { world, person, program } = await openWorld();
      const { refresh_token: first } = await tokensFor(world, program, person);
      const second = (await withRefresh(world, program, first)).body;
      const repeated = await withRefresh(world, program, first);
      assert.equal(repeated.body.refresh_token, second.refresh_token);
      const third = (await withRefresh(world, program, second.refresh_token)).body;
      world.clock.pass(wait);
      assert.deepEqual(codeIn(await withRefresh(world, program, first)), [400, "invalid_grant"]);
      const ended = await withRefresh(world, program, third.refresh_token);
      assert.deepEqual(codeIn(ended), [400, "invalid_grant"]);
      assert.equal(await world.embedded.provider.live(third.access_token), null);
    }
  });

  it("is out once the grant is revoked: its session, its refresh token and its codes", async () => {
    const { world, person, program } = await openWorld();
    const { access_token, refresh_token } = await tokensFor(world, program, person);
    const { code, verifier } = await codeFor(world, program, person);
    assert.equal(await world.embedded.provider.revokeGrant(program.id, person.access), true);
    const gone = await world.ask("GET", "/user", { jwt: access_token });
    assert.deepEqual(codeIn(gone), [403, "session_not_found"]);
    const refreshed = await withRefresh(world, program, refresh_token);
    assert.deepEqual(codeIn(refreshed), [400, "invalid_grant"]);
    const late = await withCode(world, program, code, verifier);
    assert.deepEqual(codeIn(late), [400, "invalid_grant"]);
    assert.equal(await world.embedded.provider.revokeGrant(program.id, person.access), true);
    const again = await world.ask("DELETE", `/user/oauth/grants?client_id=${program.id}`, {
      jwt: person.access,
    });
    assert.deepEqual(codeIn(again), [404, "oauth_consent_not_found"]);
  });

  it("is out when its user signs out everywhere", async () => {
    const { world, person, program } = await openWorld();
    const { access_token } = await tokensFor(world, program, person);
    await world.ask("POST", "/logout?scope=global", { jwt: person.access });
    assert.equal(await world.embedded.provider.live(access_token), null);
  });
});

describe("a code", () => {
  it("is given once, even to many that ask at once", async () => {
    const { world, person, program } = await openWorld();
    const { code, verifier } = await codeFor(world, program, person);
    const all = await Promise.all(
      Array.from({ length: 6 }, () => withCode(world, program, code, verifier)),
    );
    assert.equal(all.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(codeIn(all.find(({ status }) => status !== 200)!), [400, "invalid_grant"]);
  });

  it("is of its client, its address, its verifier and its resource", async () => {
    const { world, person, program } = await openWorld();
    const other = await register(world);
    const { code, verifier } = await codeFor(world, program, person);
    const tries = [
      await withCode(world, other, code, verifier),
      await withCode(world, program, code, pkce().verifier),
      await withCode(world, program, code, ""),
      await withCode(world, program, `${code}x`, verifier),
      await withCode(world, program, code, verifier, { redirect_uri: "https://client.example/" }),
    ];
    for (const reply of tries) assert.deepEqual(codeIn(reply), [400, "invalid_grant"]);
    const resource = "https://elsewhere.example/mcp";
    const foreign = await withCode(world, program, code, verifier, { resource });
    assert.deepEqual(codeIn(foreign), [400, "invalid_target"]);
    assert.equal((await withCode(world, program, code, verifier, { resource: MCP })).status, 200);
  });

  it("T45 is good for ten minutes from the request on, by a clock that was right", async () => {
    const { world, person, program } = await openWorld();
    const { code, verifier } = await codeFor(world, program, person);
    const { id } = await begin(world, program, { scope: "profile" });
    world.clock.pass(10 * MINUTE);
    assert.deepEqual(codeIn(await withCode(world, program, code, verifier)), [
      400,
      "invalid_grant",
    ]);
    const late = await look(world, person, id);
    assert.deepEqual(codeIn(late), [404, "oauth_authorization_not_found"]);
    const move = (ms: number) =>
      world.clock.setWall(new Date(world.clock.wall().getTime() + ms).toISOString());
    move(40 * DAY);
    const { refresh_token } = (
      await world.ask("POST", "/token?grant_type=refresh_token", {
        body: { refresh_token: person.refresh },
      })
    ).body;
    assert.notEqual(refresh_token, undefined);
    const ahead = await begin(world, program, { scope: "profile" });
    move(-40 * DAY);
    const wrong = await look(world, person, ahead.id);
    assert.deepEqual(codeIn(wrong), [404, "oauth_authorization_not_found"]);
  });
});

it("people whose password is right still cannot use the tokens of programs to sign in", async () => {
  const { world, person, program } = await openWorld();
  const { access_token } = await tokensFor(world, program, person);
  const body = { email: ADA, password: PASSWORD };
  const reply = await world.ask("POST", "/token?grant_type=password", { body, jwt: access_token });
  assert.equal(decodeJwt(reply.body.access_token)["client_id"], undefined);
});
