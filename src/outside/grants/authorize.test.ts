import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { decodeJwt } from "jose";

import {
  IDENTITY_ROOT,
  MCP,
  ADA,
  CALLBACK,
  register,
  request,
  begin,
  look,
  decide,
  codeFor,
  tokensFor,
  openWorld,
} from "#testing/fixtures/identity-programs.ts";
import { codeIn, IDENTITY_BASE } from "#testing/fixtures/identity-world.ts";

describe("a person", () => {
  it("sees who asks, and only the one who looked decides, once", async () => {
    const { world, person, program } = await openWorld();
    const other = await world.member("bob@example.org");
    const { id } = await begin(world, program);
    const early = await decide(world, person, id, "approve");
    assert.deepEqual(codeIn(early), [404, "oauth_authorization_not_found"]);
    const { body } = await look(world, person, id);
    assert.deepEqual(body, {
      authorization_id: id,
      redirect_uri: CALLBACK,
      client: { id: program.id, name: "Agent", uri: "", logo_uri: "" },
      user: { id: person.id, email: ADA },
      scope: "openid email",
    });
    for (const reply of [await look(world, other, id), await decide(world, other, id, "approve")])
      assert.deepEqual(codeIn(reply), [404, "oauth_authorization_not_found"]);
    assert.deepEqual(codeIn(await decide(world, person, id, "maybe")), [400, "validation_failed"]);
    assert.equal((await decide(world, person, id, "approve")).status, 200);
    for (const action of ["approve", "deny"])
      assert.deepEqual(codeIn(await decide(world, person, id, action)), [
        404,
        "oauth_authorization_not_found",
      ]);
  });

  it("says no, and the program is told so", async () => {
    const { world, person, program } = await openWorld();
    const { id } = await begin(world, program);
    await look(world, person, id);
    const back = new URL((await decide(world, person, id, "deny")).body.redirect_url);
    assert.deepEqual(
      ["error", "state", "iss", "code"].map((name) => back.searchParams.get(name)),
      ["access_denied", "of the client", IDENTITY_ROOT, null],
    );
    assert.deepEqual(codeIn(await decide(world, person, id, "approve")), [
      404,
      "oauth_authorization_not_found",
    ]);
  });

  it("is asked again wherever another program could receive the code", async () => {
    const { world, person } = await openWorld();
    for (const redirect_uri of [
      "http://127.0.0.1/cb",
      "https://localhost/cb",
      "com.example.app:/cb",
    ]) {
      const app = await register(world, { redirect_uris: [redirect_uri] });
      await codeFor(world, app, person, { redirect_uri });
      const { id } = await begin(world, app, { redirect_uri });
      assert.ok("client" in (await look(world, person, id)).body, redirect_uri);
    }
  });

  it("is asked for each redirect URI, whatever they allowed for another", async () => {
    const { world, person } = await openWorld();
    const allowed = "https://claude.example/cb";
    const others = ["https://evil.example/cb", `${allowed}?next=1`, "https://claude.example/other"];
    const app = await register(world, { redirect_uris: [allowed, ...others] });
    await codeFor(world, app, person, { redirect_uri: allowed });
    for (const redirect_uri of others) {
      const { id } = await begin(world, app, { redirect_uri });
      const { body } = await look(world, person, id);
      assert.ok("client" in body && !("redirect_url" in body), redirect_uri);
    }
    const again = await begin(world, app, { redirect_uri: allowed });
    const back = new URL((await look(world, person, again.id)).body.redirect_url);
    assert.equal(back.origin + back.pathname, allowed);
  });

  it("is asked for scopes that they allowed only for another redirect URI", async () => {
    const { world, person } = await openWorld();
    const [one, other] = ["https://client.example/one", "https://client.example/other"];
    const app = await register(world, { redirect_uris: [one, other] });
    const wide = { scope: "openid email", redirect_uri: one };
    await codeFor(world, app, person, wide);
    await codeFor(world, app, person, { scope: "openid", redirect_uri: other });
    const narrow = await begin(world, app, { scope: "openid", redirect_uri: other });
    assert.ok("redirect_url" in (await look(world, person, narrow.id)).body);
    const wider = await begin(world, app, { scope: "openid email", redirect_uri: other });
    assert.ok("client" in (await look(world, person, wider.id)).body);
    const same = await begin(world, app, wide);
    assert.ok("redirect_url" in (await look(world, person, same.id)).body);
  });

  it("is asked again only for more than they allowed", async () => {
    const { world, person, program } = await openWorld();
    await tokensFor(world, program, person);
    const same = await begin(world, program, { scope: "email" });
    assert.deepEqual(Object.keys((await look(world, person, same.id)).body), ["redirect_url"]);
    const more = await begin(world, program, { scope: "openid email profile" });
    assert.ok("client" in (await look(world, person, more.id)).body);
    await decide(world, person, more.id, "approve");
    const grants = (await world.ask("GET", "/user/oauth/grants", { jwt: person.access })).body;
    const [grant] = grants as unknown as { scopes: string[] }[];
    assert.deepEqual(grant?.scopes.toSorted(), ["email", "openid", "profile"]);
  });

  it("is protected from pages of other sites", async () => {
    const { world, person, program } = await openWorld();
    const { id } = await begin(world, program);
    const foreign = await look(world, person, id, { origin: "https://evil.example" });
    assert.deepEqual(codeIn(foreign), [400, "validation_failed"]);
    assert.equal((await look(world, person, id, { origin: IDENTITY_BASE })).status, 200);
  });

  it("is seen through the seam as the ladder needs it", async () => {
    const { world, person, program } = await openWorld();
    const { provider } = world.embedded;
    const { id } = await begin(world, program);
    assert.deepEqual(await provider.authorization(id, person.access), {
      authorizationId: id,
      redirectUri: CALLBACK,
      client: { id: program.id, name: "Agent", uri: null, logoUri: null },
      scopes: ["openid", "email"],
    });
    const decided = await provider.decide(id, "approve", person.access);
    assert.match(decided?.redirectUrl ?? "", /^https:\/\/client\.example\/cb\?kept=1&code=/);
    assert.equal(await provider.decide(id, "approve", person.access), null);
    assert.equal(await provider.authorization("unknown", person.access), null);
    const next = await begin(world, program);
    assert.deepEqual(Object.keys((await provider.authorization(next.id, person.access)) ?? {}), [
      "redirectUrl",
    ]);
    await world.ask("POST", "/logout", { jwt: person.access });
    await assert.rejects(provider.authorization(id, person.access), { name: "InvalidSession" });
  });
});

describe("a request", () => {
  it("of an unknown client, or to an address it did not name, leads nowhere", async () => {
    const { world, program } = await openWorld();
    const unknown = [
      { id: "unknown" },
      { id: "" },
      { id: "https://client.example/document" },
      { id: "\0" },
    ];
    for (const { id } of unknown) {
      const { reply } = await request(world, { id, secret: null });
      assert.deepEqual(codeIn(reply), [400, "invalid_client"]);
      assert.equal(reply.headers.get("location"), null);
    }
    const wrong = [
      undefined,
      "",
      "https://client.example/",
      "https://client.example/cb",
      "https://client.example/cb?kept=1&more=1",
      "https://client.example.evil.example/cb?kept=1",
      `${CALLBACK}#`,
      "http://client.example/cb?kept=1",
      "javascript:alert(1)",
    ];
    for (const redirect_uri of wrong) {
      const { reply } = await request(world, program, { redirect_uri });
      assert.deepEqual(codeIn(reply), [400, "invalid_request"], String(redirect_uri));
      assert.equal(reply.headers.get("location"), null);
    }
  });

  it("that is wrong in another way leads nowhere either", async () => {
    const { world, program } = await openWorld();
    const table = [
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
    for (const [changes, error] of table) {
      const { reply } = await request(world, program, changes);
      assert.deepEqual(codeIn(reply), [400, error], JSON.stringify(changes));
      assert.equal(reply.headers.get("location"), null);
    }
  });

  it("that is wrong shows its person a page of ours, whatever is wrong", async () => {
    const { world, program } = await openWorld();
    const table = [
      [{ client_id: "unknown" }, "invalid_client"],
      [{ redirect_uri: "https://evil.example/" }, "invalid_request"],
      [{ response_type: undefined }, "unsupported_response_type"],
      [{ resource: "https://elsewhere.example/mcp" }, "invalid_target"],
    ] as const;
    const headers = { accept: "text/html,application/xhtml+xml;q=0.9" };
    for (const [changes, error] of table) {
      const { reply, to } = await request(world, program, changes, headers);
      assert.equal(reply.status, 302);
      assert.equal(to.href, `${IDENTITY_BASE}/account/authorize?refused=${error}`);
    }
  });

  it("too often shows its person a page, and a program the code 429", async () => {
    const { world, program } = await openWorld({ settings: { limitsAddresses: true } });
    const headers = { accept: "text/html" };
    for (let count = 0; count < 1000; count += 1) {
      const { reply, to } = await request(world, program, {}, headers);
      if (to.searchParams.has("authorization_id")) continue;
      assert.equal(reply.status, 302);
      const page = `${IDENTITY_BASE}/account/authorize?refused=over_request_rate_limit`;
      assert.equal(to.href, page);
      const bare = await request(world, program);
      assert.deepEqual(codeIn(bare.reply), [429, "over_request_rate_limit"]);
      return;
    }
    assert.fail("there is no limit");
  });

  it("may name the resource, with or without a slash, and unknown scopes are left out", async () => {
    const { world, person, program } = await openWorld();
    for (const resource of [MCP, `${MCP}/`, undefined]) {
      const { access_token } = await tokensFor(world, program, person, { resource });
      assert.equal(decodeJwt(access_token).aud, MCP);
    }
    const { id } = await begin(world, program, { scope: "offline_access admin openid" });
    assert.equal((await look(world, person, id)).body.scope, "openid offline_access");
    const none = await begin(world, program, { scope: "admin" });
    const told = (await look(world, person, none.id)).body;
    assert.ok("redirect_url" in told);
  });

  it("can't name a redirect URI of this server, whatever the client registered", async () => {
    const { world } = await openWorld();
    for (const known of ["http://localhost/cb", "http://127.0.0.1:3000/cb", "http://[::1]/cb"]) {
      const client = await register(world, { redirect_uris: [known] });
      const own = new URL(known);
      own.port = new URL(IDENTITY_BASE).port;
      const { reply } = await request(world, client, { redirect_uri: own.href });
      assert.deepEqual(codeIn(reply), [400, "invalid_request"], own.href);
    }
    const { id } = await register(world);
    const stored = await world.deps.store.grants.client(id);
    const redirectUris = [`${IDENTITY_BASE}/account`];
    await world.deps.store.grants.putClient({ ...stored!, redirectUris });
    const [redirect_uri] = redirectUris;
    const { reply } = await request(world, { id, secret: null }, { redirect_uri });
    assert.deepEqual(codeIn(reply), [400, "invalid_request"]);
  });

  it("of a program on this machine may name any port", async () => {
    const { world, person } = await openWorld();
    const table = [
      ["http://127.0.0.1/cb", "http://127.0.0.1:53000/cb", true],
      ["http://localhost:3000/cb", "http://localhost:3001/cb", true],
      ["http://[::1]/cb", "http://[::1]:9/cb", true],
      ["http://127.0.0.1/cb", "http://127.0.0.1:53000/other", false],
      ["http://127.0.0.1/cb", "http://localhost:53000/cb", false],
      ["http://127.0.0.1/cb", "https://127.0.0.1:53000/cb", false],
      ["com.example.agent:/cb", "com.example.agent:/cb", true],
      ["https://client.example/cb", "https://client.example:444/cb", false],
    ] as const;
    for (const [known, redirect_uri, isFine] of table) {
      const program = await register(world, { redirect_uris: [known] });
      const { reply } = await request(world, program, { redirect_uri });
      assert.equal(reply.status, isFine ? 302 : 400, redirect_uri);
    }
    const program = await register(world, { redirect_uris: ["cursor://anysphere/cb"] });
    const { code } = await codeFor(world, program, person, {
      redirect_uri: "cursor://anysphere/cb",
    });
    assert.notEqual(code, "");
  });
});
