import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { decodeJwt } from "jose";

import {
  IDENTITY_ROOT,
  MCP_RESOURCE,
  ADA_EMAIL,
  APP_CALLBACK,
  registerApp,
  requestAuthorization,
  beginAuthorization,
  loadAuthorizationAs,
  decideAuthorization,
  authorizeForCode,
  authorizeForTokens,
  identityWorldWithApp,
} from "#testing/fixtures/identity-apps.ts";
import { statusAndCode, IDENTITY_BASE } from "#testing/fixtures/identity-world.ts";

describe("a person", () => {
  it("sees the requesting app, and only the first viewer can decide, and only once", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const otherMember = await world.addMember("bob@example.org");
    const { id } = await beginAuthorization(world, app);
    const earlyDecision = await decideAuthorization(world, resourceOwner, id, "approve");
    assert.deepEqual(statusAndCode(earlyDecision), [404, "oauth_authorization_not_found"]);
    const { body } = await loadAuthorizationAs(world, resourceOwner, id);
    assert.deepEqual(body, {
      authorization_id: id,
      redirect_uri: APP_CALLBACK,
      client: { id: app.id, name: "Agent", uri: "", logo_uri: "" },
      user: { id: resourceOwner.id, email: ADA_EMAIL },
      scope: "openid email",
    });
    for (const reply of [
      await loadAuthorizationAs(world, otherMember, id),
      await decideAuthorization(world, otherMember, id, "approve"),
    ])
      assert.deepEqual(statusAndCode(reply), [404, "oauth_authorization_not_found"]);
    assert.deepEqual(statusAndCode(await decideAuthorization(world, resourceOwner, id, "maybe")), [
      400,
      "validation_failed",
    ]);
    assert.equal((await decideAuthorization(world, resourceOwner, id, "approve")).status, 200);
    for (const action of ["approve", "deny"])
      assert.deepEqual(statusAndCode(await decideAuthorization(world, resourceOwner, id, action)), [
        404,
        "oauth_authorization_not_found",
      ]);
  });

  it("can deny access, and the app receives the error", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const { id } = await beginAuthorization(world, app);
    await loadAuthorizationAs(world, resourceOwner, id);
    const redirectUrl = new URL(
      (await decideAuthorization(world, resourceOwner, id, "deny")).body.redirect_url,
    );
    assert.deepEqual(
      ["error", "state", "iss", "code"].map((name) => redirectUrl.searchParams.get(name)),
      ["access_denied", "of the client", IDENTITY_ROOT, null],
    );
    assert.deepEqual(
      statusAndCode(await decideAuthorization(world, resourceOwner, id, "approve")),
      [404, "oauth_authorization_not_found"],
    );
  });

  it("is asked for consent each time if another app could receive the code", async () => {
    const { world, person: resourceOwner } = await identityWorldWithApp();
    for (const redirect_uri of [
      "http://127.0.0.1/cb",
      "https://localhost/cb",
      "com.example.app:/cb",
    ]) {
      const app = await registerApp(world, { redirect_uris: [redirect_uri] });
      await authorizeForCode(world, app, resourceOwner, { redirect_uri });
      const { id } = await beginAuthorization(world, app, { redirect_uri });
      assert.ok(
        "client" in (await loadAuthorizationAs(world, resourceOwner, id)).body,
        redirect_uri,
      );
    }
  });

  it("is asked for consent for each redirect URI, whatever was allowed for another", async () => {
    const { world, person: resourceOwner } = await identityWorldWithApp();
    const allowed = "https://claude.example/cb";
    const others = ["https://evil.example/cb", `${allowed}?next=1`, "https://claude.example/other"];
    const app = await registerApp(world, { redirect_uris: [allowed, ...others] });
    await authorizeForCode(world, app, resourceOwner, { redirect_uri: allowed });
    for (const redirect_uri of others) {
      const { id } = await beginAuthorization(world, app, { redirect_uri });
      const { body } = await loadAuthorizationAs(world, resourceOwner, id);
      assert.ok("client" in body && !("redirect_url" in body), redirect_uri);
    }
    const again = await beginAuthorization(world, app, { redirect_uri: allowed });
    const redirectUrl = new URL(
      (await loadAuthorizationAs(world, resourceOwner, again.id)).body.redirect_url,
    );
    assert.equal(redirectUrl.origin + redirectUrl.pathname, allowed);
  });

  it("is asked for scopes that were allowed only for another redirect URI", async () => {
    const { world, person: resourceOwner } = await identityWorldWithApp();
    const [one, otherMember] = ["https://client.example/one", "https://client.example/other"];
    const app = await registerApp(world, { redirect_uris: [one, otherMember] });
    const wide = { scope: "openid email", redirect_uri: one };
    await authorizeForCode(world, app, resourceOwner, wide);
    await authorizeForCode(world, app, resourceOwner, {
      scope: "openid",
      redirect_uri: otherMember,
    });
    const narrow = await beginAuthorization(world, app, {
      scope: "openid",
      redirect_uri: otherMember,
    });
    assert.ok("redirect_url" in (await loadAuthorizationAs(world, resourceOwner, narrow.id)).body);
    const wider = await beginAuthorization(world, app, {
      scope: "openid email",
      redirect_uri: otherMember,
    });
    assert.ok("client" in (await loadAuthorizationAs(world, resourceOwner, wider.id)).body);
    const sameScope = await beginAuthorization(world, app, wide);
    assert.ok(
      "redirect_url" in (await loadAuthorizationAs(world, resourceOwner, sameScope.id)).body,
    );
  });

  it("is asked for consent again only for additional scopes", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    await authorizeForTokens(world, app, resourceOwner);
    const sameScope = await beginAuthorization(world, app, { scope: "email" });
    assert.deepEqual(
      Object.keys((await loadAuthorizationAs(world, resourceOwner, sameScope.id)).body),
      ["redirect_url"],
    );
    const widerScope = await beginAuthorization(world, app, { scope: "openid email profile" });
    assert.ok("client" in (await loadAuthorizationAs(world, resourceOwner, widerScope.id)).body);
    await decideAuthorization(world, resourceOwner, widerScope.id, "approve");
    const grants = (
      await world.sendRequest("GET", "/user/oauth/grants", { jwt: resourceOwner.access })
    ).body;
    const [grant] = grants as unknown as { scopes: string[] }[];
    assert.deepEqual(grant?.scopes.toSorted(), ["email", "openid", "profile"]);
  });

  it("is protected from cross-site requests", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const { id } = await beginAuthorization(world, app);
    const crossOriginReply = await loadAuthorizationAs(world, resourceOwner, id, {
      origin: "https://evil.example",
    });
    assert.deepEqual(statusAndCode(crossOriginReply), [400, "validation_failed"]);
    assert.equal(
      (await loadAuthorizationAs(world, resourceOwner, id, { origin: IDENTITY_BASE })).status,
      200,
    );
  });

  it("can use authorizations through the identity interface", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const { provider } = world.embedded;
    const { id } = await beginAuthorization(world, app);
    assert.deepEqual(await provider.authorization(id, resourceOwner.access), {
      authorizationId: id,
      redirectUri: APP_CALLBACK,
      client: { id: app.id, name: "Agent", uri: null, logoUri: null },
      scopes: ["openid", "email"],
    });
    const decision = await provider.decide(id, "approve", resourceOwner.access);
    assert.match(decision?.redirectUrl ?? "", /^https:\/\/client\.example\/cb\?kept=1&code=/);
    assert.equal(await provider.decide(id, "approve", resourceOwner.access), null);
    assert.equal(await provider.authorization("unknown", resourceOwner.access), null);
    const nextAuthorization = await beginAuthorization(world, app);
    assert.deepEqual(
      Object.keys((await provider.authorization(nextAuthorization.id, resourceOwner.access)) ?? {}),
      ["redirectUrl"],
    );
    await world.sendRequest("POST", "/logout", { jwt: resourceOwner.access });
    await assert.rejects(provider.authorization(id, resourceOwner.access), {
      name: "InvalidSession",
    });
  });
});

describe("a request", () => {
  it("with an unknown client or unregistered redirect URI is not redirected to the app", async () => {
    const { world, program: app } = await identityWorldWithApp();
    const unknown = [
      { id: "unknown" },
      { id: "" },
      { id: "https://client.example/document" },
      { id: "\0" },
    ];
    for (const { id } of unknown) {
      const { reply } = await requestAuthorization(world, { id, secret: null });
      assert.deepEqual(statusAndCode(reply), [400, "invalid_client"]);
      assert.equal(reply.headers.get("location"), null);
    }
    const invalidUris = [
      undefined,
      "",
      "https://client.example/",
      "https://client.example/cb",
      "https://client.example/cb?kept=1&more=1",
      "https://client.example.evil.example/cb?kept=1",
      `${APP_CALLBACK}#`,
      "http://client.example/cb?kept=1",
      "javascript:alert(1)",
    ];
    for (const redirect_uri of invalidUris) {
      const { reply } = await requestAuthorization(world, app, { redirect_uri });
      assert.deepEqual(statusAndCode(reply), [400, "invalid_request"], String(redirect_uri));
      assert.equal(reply.headers.get("location"), null);
    }
  });

  it("with another error is not redirected to the app", async () => {
    const { world, program: app } = await identityWorldWithApp();
    const cases = [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ code_challenge: undefined }, "invalid_request"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge_method: undefined }, "invalid_request"],
      [{ code_challenge: "short" }, "invalid_request"],
      [{ resource: "https://elsewhere.example/mcp" }, "invalid_target"],
      [{ resource: IDENTITY_BASE }, "invalid_target"],
      [{ nonce: "x".repeat(2049) }, "invalid_request"],
      [{ nonce: "\0" }, "invalid_request"],
      [{ state: "\0" }, "invalid_request"],
    ] as const;
    for (const [changes, error] of cases) {
      const { reply } = await requestAuthorization(world, app, changes);
      assert.deepEqual(statusAndCode(reply), [400, error], JSON.stringify(changes));
      assert.equal(reply.headers.get("location"), null);
    }
  });

  it("with an error shows an error page to browsers", async () => {
    const { world, program: app } = await identityWorldWithApp();
    const cases = [
      [{ client_id: "unknown" }, "invalid_client"],
      [{ redirect_uri: "https://evil.example/" }, "invalid_request"],
      [{ response_type: undefined }, "unsupported_response_type"],
      [{ resource: "https://elsewhere.example/mcp" }, "invalid_target"],
    ] as const;
    const headers = { accept: "text/html,application/xhtml+xml;q=0.9" };
    for (const [changes, error] of cases) {
      const { reply, to } = await requestAuthorization(world, app, changes, headers);
      assert.equal(reply.status, 302);
      assert.equal(to.href, `${IDENTITY_BASE}/account/authorize?refused=${error}`);
    }
  });

  it("over the rate limit shows a page to browsers and returns 429 to apps", async () => {
    const { world, program: app } = await identityWorldWithApp({
      settings: { limitsAddresses: true },
    });
    const headers = { accept: "text/html" };
    for (let count = 0; count < 1000; count += 1) {
      const { reply, to } = await requestAuthorization(world, app, {}, headers);
      if (to.searchParams.has("authorization_id")) continue;
      assert.equal(reply.status, 302);
      const page = `${IDENTITY_BASE}/account/authorize?refused=over_request_rate_limit`;
      assert.equal(to.href, page);
      const plainResponse = await requestAuthorization(world, app);
      assert.deepEqual(statusAndCode(plainResponse.reply), [429, "over_request_rate_limit"]);
      return;
    }
    assert.fail("there is no limit");
  });

  it("may name the resource with or without a trailing slash, and unknown scopes are ignored", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    for (const resource of [MCP_RESOURCE, `${MCP_RESOURCE}/`, undefined]) {
      const { access_token } = await authorizeForTokens(world, app, resourceOwner, { resource });
      assert.equal(decodeJwt(access_token).aud, MCP_RESOURCE);
    }
    const { id } = await beginAuthorization(world, app, { scope: "offline_access admin openid" });
    assert.equal(
      (await loadAuthorizationAs(world, resourceOwner, id)).body.scope,
      "openid offline_access",
    );
    const unknownScope = await beginAuthorization(world, app, { scope: "admin" });
    const details = (await loadAuthorizationAs(world, resourceOwner, unknownScope.id)).body;
    assert.ok("redirect_url" in details);
  });

  it("is rejected if its redirect URI is on this server, even if the client registered it", async () => {
    const { world } = await identityWorldWithApp();
    for (const registeredUri of [
      "http://localhost/cb",
      "http://127.0.0.1:3000/cb",
      "http://[::1]/cb",
    ]) {
      const client = await registerApp(world, { redirect_uris: [registeredUri] });
      const own = new URL(registeredUri);
      own.port = new URL(IDENTITY_BASE).port;
      const { reply } = await requestAuthorization(world, client, { redirect_uri: own.href });
      assert.deepEqual(statusAndCode(reply), [400, "invalid_request"], own.href);
    }
    const { id } = await registerApp(world);
    const stored = await world.deps.store.grants.client(id);
    const redirectUris = [`${IDENTITY_BASE}/account`];
    await world.deps.store.grants.putClient({ ...stored!, redirectUris });
    const [redirect_uri] = redirectUris;
    const { reply } = await requestAuthorization(world, { id, secret: null }, { redirect_uri });
    assert.deepEqual(statusAndCode(reply), [400, "invalid_request"]);
  });

  it("from a local app may use any port", async () => {
    const { world, person: resourceOwner } = await identityWorldWithApp();
    const cases = [
      ["http://127.0.0.1/cb", "http://127.0.0.1:53000/cb", true],
      ["http://localhost:3000/cb", "http://localhost:3001/cb", true],
      ["http://[::1]/cb", "http://[::1]:9/cb", true],
      ["http://127.0.0.1/cb", "http://127.0.0.1:53000/other", false],
      ["http://127.0.0.1/cb", "http://localhost:53000/cb", false],
      ["http://127.0.0.1/cb", "https://127.0.0.1:53000/cb", false],
      ["com.example.agent:/cb", "com.example.agent:/cb", true],
      ["https://client.example/cb", "https://client.example:444/cb", false],
    ] as const;
    for (const [registeredUri, redirect_uri, isAccepted] of cases) {
      const app = await registerApp(world, { redirect_uris: [registeredUri] });
      const { reply } = await requestAuthorization(world, app, { redirect_uri });
      assert.equal(reply.status, isAccepted ? 302 : 400, redirect_uri);
    }
    const program = await registerApp(world, { redirect_uris: ["cursor://anysphere/cb"] });
    const { code } = await authorizeForCode(world, program, resourceOwner, {
      redirect_uri: "cursor://anysphere/cb",
    });
    assert.notEqual(code, "");
  });
});
