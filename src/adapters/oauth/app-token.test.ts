import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";

import {
  IDENTITY_ROOT,
  MCP_RESOURCE,
  ADA_EMAIL,
  registerApp,
  beginAuthorization,
  loadAuthorizationAs,
  authorizeForCode,
  redeemCodeGrant,
  authorizeForTokens,
  identityWorldWithApp,
  redeemRefreshGrant,
} from "#testing/fixtures/identity-apps.ts";
import { statusAndCode, TEST_PASSWORD, createPkce } from "#testing/fixtures/identity-world.ts";
import type { IdentityReply } from "#testing/fixtures/identity-world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

describe("an app with consent", () => {
  it("gets tokens for the MCP endpoint, and state and issuer in the redirect", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const {
      code,
      verifier,
      back: redirectUrl,
    } = await authorizeForCode(world, app, resourceOwner, { nonce: "its nonce" });
    assert.equal(redirectUrl.origin + redirectUrl.pathname, "https://client.example/cb");
    assert.deepEqual(
      ["kept", "state", "iss"].map((name) => redirectUrl.searchParams.get(name)),
      ["1", "of the client", IDENTITY_ROOT],
    );
    const { body, headers } = await redeemCodeGrant(world, app, code, verifier);
    assert.equal(headers.get("cache-control"), "no-store");
    const claims = decodeJwt(body.access_token);
    assert.deepEqual(
      [claims.aud, claims.iss, claims.sub, claims["client_id"], claims["scope"]],
      [MCP_RESOURCE, IDENTITY_ROOT, resourceOwner.id, app.id, "openid email"],
    );
    assert.deepEqual(
      (claims["amr"] as { method: string }[]).map(({ method }) => method),
      ["oauth_provider/authorization_code"],
    );
    const keys = createLocalJWKSet({ keys: world.deps.secrets.publishedKeys() });
    const { payload } = await jwtVerify(body.id_token, keys, {
      audience: app.id,
      issuer: IDENTITY_ROOT,
      currentDate: world.clock.wall(),
    });
    assert.deepEqual([payload["nonce"], payload["email"]], ["its nonce", ADA_EMAIL]);
    const verifiedClaims = await world.embedded.provider.verify(body.access_token, "mcp");
    assert.deepEqual([verifiedClaims.clientId, verifiedClaims.subject], [app.id, resourceOwner.id]);
    const browser = world.embedded.provider.verify(body.access_token, "browser");
    await assert.rejects(browser, { name: "InvalidSession" });
    const info = await world.sendRequest("GET", "/oauth/userinfo", {
      jwt: body.access_token,
      omitApiKey: true,
    });
    assert.deepEqual(info.body, { sub: resourceOwner.id, email: ADA_EMAIL, email_verified: true });
  });

  it("sees the user's email address and profile only with the right scopes", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const body = { data: { colour: "blue" } };
    assert.equal(
      (await world.sendRequest("PUT", "/user", { jwt: resourceOwner.access, body })).status,
      200,
    );
    for (const scope of ["openid", "openid profile offline_access"]) {
      const first = await authorizeForTokens(world, app, resourceOwner, { scope });
      const { body: nextTokens } = await redeemRefreshGrant(world, app, first.refresh_token);
      for (const { access_token: jwt, id_token } of [first, nextTokens]) {
        const user = await world.sendRequest("GET", "/user", { jwt });
        const info = await world.sendRequest("GET", "/oauth/userinfo", { jwt, omitApiKey: true });
        assert.deepEqual(
          [user.status, user.body.id, info.body.sub],
          [200, resourceOwner.id, resourceOwner.id],
        );
        const responseText = JSON.stringify([
          decodeJwt(jwt),
          decodeJwt(id_token),
          user.body,
          info.body,
        ]);
        assert.doesNotMatch(responseText, /ada@|blue|providers|identities/);
        const verifiedClaims = await world.embedded.provider.verify(jwt, "mcp");
        assert.deepEqual(
          [verifiedClaims.subject, verifiedClaims.clientId, verifiedClaims.email],
          [resourceOwner.id, app.id, null],
        );
        assert.ok(verifiedClaims.sessionId !== "" && verifiedClaims.signedInAt > 0);
        assert.equal((await world.embedded.provider.liveUser(jwt))?.id, resourceOwner.id);
      }
      await world.sendRequest("DELETE", `/user/oauth/grants?client_id=${app.id}`, {
        jwt: resourceOwner.access,
      });
    }
    const { access_token: jwt } = await authorizeForTokens(world, app, resourceOwner);
    assert.equal(decodeJwt(jwt)["email"], ADA_EMAIL);
    assert.equal((await world.sendRequest("GET", "/user", { jwt })).body.email, ADA_EMAIL);
  });

  it("can read user info and nothing else from the provider", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const { access_token: jwt } = await authorizeForTokens(world, app, resourceOwner);
    assert.equal((await world.sendRequest("GET", "/user", { jwt })).status, 200);
    assert.equal((await world.sendRequest("GET", "/oauth/userinfo", { jwt })).status, 200);
    const { id } = await beginAuthorization(world, app, { scope: "openid profile" });
    const refusedReplies: IdentityReply[] = [
      await world.sendRequest("PUT", "/user", { jwt, body: { password: "moved address" } }),
      await world.sendRequest("POST", "/logout", { jwt }),
      await world.sendRequest("GET", "/user/oauth/grants", { jwt }),
      await world.sendRequest("DELETE", `/user/oauth/grants?client_id=${app.id}`, { jwt }),
      await world.sendRequest("GET", `/oauth/authorizations/${id}`, { jwt }),
      await world.sendRequest("POST", `/oauth/authorizations/${id}/consent`, {
        jwt,
        body: { action: "approve" },
      }),
    ];
    for (const reply of refusedReplies) assert.deepEqual(statusAndCode(reply), [403, "bad_jwt"]);
    const info = await world.sendRequest("GET", "/oauth/userinfo", { jwt: resourceOwner.access });
    assert.deepEqual(statusAndCode(info), [401, "invalid_token"]);
  });

  it("can use its refresh token only at the app token endpoint", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const { refresh_token: first } = await authorizeForTokens(world, app, resourceOwner);
    const { body } = await redeemRefreshGrant(world, app, first, { resource: MCP_RESOURCE });
    assert.equal(decodeJwt(body.access_token).aud, MCP_RESOURCE);
    assert.notEqual(body.refresh_token, first);
    const browser = { body: { refresh_token: body.refresh_token } };
    const misusedReply = await world.sendRequest(
      "POST",
      "/token?grant_type=refresh_token",
      browser,
    );
    assert.deepEqual(statusAndCode(misusedReply), [400, "invalid_client"]);
    const otherApp = await registerApp(world);
    const otherAppReply = await redeemRefreshGrant(world, otherApp, body.refresh_token);
    assert.deepEqual(statusAndCode(otherAppReply), [400, "invalid_grant"]);
    const userTokenReply = await redeemRefreshGrant(world, app, resourceOwner.refresh);
    assert.deepEqual(statusAndCode(userTokenReply), [400, "invalid_grant"]);
  });

  it("loses its session if it reuses its code, but not if another app does", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const { code, verifier } = await authorizeForCode(world, app, resourceOwner);
    const { body } = await redeemCodeGrant(world, app, code, verifier);
    const otherApp = await registerApp(world);
    assert.deepEqual(statusAndCode(await redeemCodeGrant(world, otherApp, code, verifier)), [
      400,
      "invalid_grant",
    ]);
    const jwt = body.access_token;
    assert.equal((await world.sendRequest("GET", "/user", { jwt })).status, 200);
    assert.deepEqual(statusAndCode(await redeemCodeGrant(world, app, code, "x")), [
      400,
      "invalid_grant",
    ]);
    assert.deepEqual(statusAndCode(await world.sendRequest("GET", "/user", { jwt })), [
      403,
      "session_not_found",
    ]);
    const refreshed = await redeemRefreshGrant(world, app, body.refresh_token);
    assert.deepEqual(statusAndCode(refreshed), [400, "invalid_grant"]);
  });

  it("loses its session if an old refresh token is reused", async () => {
    for (const wait of [0, 10_000]) {
      const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
      const { refresh_token: first } = await authorizeForTokens(world, app, resourceOwner);
      const second = (await redeemRefreshGrant(world, app, first)).body;
      const repeated = await redeemRefreshGrant(world, app, first);
      assert.equal(repeated.body.refresh_token, second.refresh_token);
      const third = (await redeemRefreshGrant(world, app, second.refresh_token)).body;
      world.clock.advance(wait);
      assert.deepEqual(statusAndCode(await redeemRefreshGrant(world, app, first)), [
        400,
        "invalid_grant",
      ]);
      const ended = await redeemRefreshGrant(world, app, third.refresh_token);
      assert.deepEqual(statusAndCode(ended), [400, "invalid_grant"]);
      assert.equal(await world.embedded.provider.liveUser(third.access_token), null);
    }
  });

  it("loses its session, refresh token and codes when consent is revoked", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const { access_token, refresh_token } = await authorizeForTokens(world, app, resourceOwner);
    const { code, verifier } = await authorizeForCode(world, app, resourceOwner);
    assert.equal(await world.embedded.provider.revokeGrant(app.id, resourceOwner.access), true);
    const endedReply = await world.sendRequest("GET", "/user", { jwt: access_token });
    assert.deepEqual(statusAndCode(endedReply), [403, "session_not_found"]);
    const refreshed = await redeemRefreshGrant(world, app, refresh_token);
    assert.deepEqual(statusAndCode(refreshed), [400, "invalid_grant"]);
    const lateReply = await redeemCodeGrant(world, app, code, verifier);
    assert.deepEqual(statusAndCode(lateReply), [400, "invalid_grant"]);
    assert.equal(await world.embedded.provider.revokeGrant(app.id, resourceOwner.access), true);
    const secondRevocation = await world.sendRequest(
      "DELETE",
      `/user/oauth/grants?client_id=${app.id}`,
      {
        jwt: resourceOwner.access,
      },
    );
    assert.deepEqual(statusAndCode(secondRevocation), [404, "oauth_consent_not_found"]);
  });

  it("loses access when the user signs out everywhere", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const { access_token } = await authorizeForTokens(world, app, resourceOwner);
    await world.sendRequest("POST", "/logout?scope=global", { jwt: resourceOwner.access });
    assert.equal(await world.embedded.provider.liveUser(access_token), null);
  });
});

describe("a code", () => {
  it("can be exchanged once, even by concurrent requests", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const { code, verifier } = await authorizeForCode(world, app, resourceOwner);
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => redeemCodeGrant(world, app, code, verifier)),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(statusAndCode(replies.find(({ status }) => status !== 200)!), [
      400,
      "invalid_grant",
    ]);
  });

  it("is bound to its client, redirect URI, verifier and resource", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const otherApp = await registerApp(world);
    const { code, verifier } = await authorizeForCode(world, app, resourceOwner);
    const mismatches = [
      await redeemCodeGrant(world, otherApp, code, verifier),
      await redeemCodeGrant(world, app, code, createPkce().verifier),
      await redeemCodeGrant(world, app, code, ""),
      await redeemCodeGrant(world, app, `${code}x`, verifier),
      await redeemCodeGrant(world, app, code, verifier, {
        redirect_uri: "https://client.example/",
      }),
    ];
    for (const reply of mismatches) assert.deepEqual(statusAndCode(reply), [400, "invalid_grant"]);
    const resource = "https://elsewhere.example/mcp";
    const wrongResourceReply = await redeemCodeGrant(world, app, code, verifier, { resource });
    assert.deepEqual(statusAndCode(wrongResourceReply), [400, "invalid_target"]);
    assert.equal(
      (await redeemCodeGrant(world, app, code, verifier, { resource: MCP_RESOURCE })).status,
      200,
    );
  });

  it("T45 expires ten minutes after the authorization request and is invalid with a wrong clock", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const { code, verifier } = await authorizeForCode(world, app, resourceOwner);
    const { id } = await beginAuthorization(world, app, { scope: "profile" });
    world.clock.advance(10 * MINUTE);
    assert.deepEqual(statusAndCode(await redeemCodeGrant(world, app, code, verifier)), [
      400,
      "invalid_grant",
    ]);
    const lateReply = await loadAuthorizationAs(world, resourceOwner, id);
    assert.deepEqual(statusAndCode(lateReply), [404, "oauth_authorization_not_found"]);
    const moveClock = (ms: number) =>
      world.clock.setWall(new Date(world.clock.wall().getTime() + ms).toISOString());
    moveClock(40 * DAY);
    const { refresh_token } = (
      await world.sendRequest("POST", "/token?grant_type=refresh_token", {
        body: { refresh_token: resourceOwner.refresh },
      })
    ).body;
    assert.notEqual(refresh_token, undefined);
    const futureAuthorization = await beginAuthorization(world, app, { scope: "profile" });
    moveClock(-40 * DAY);
    const futureReply = await loadAuthorizationAs(world, resourceOwner, futureAuthorization.id);
    assert.deepEqual(statusAndCode(futureReply), [404, "oauth_authorization_not_found"]);
  });
});

it("app tokens can't be used to sign in", async () => {
  const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
  const { access_token } = await authorizeForTokens(world, app, resourceOwner);
  const body = { email: ADA_EMAIL, password: TEST_PASSWORD };
  const reply = await world.sendRequest("POST", "/token?grant_type=password", {
    body,
    jwt: access_token,
  });
  assert.equal(decodeJwt(reply.body.access_token)["client_id"], undefined);
});
