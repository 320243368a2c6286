import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  APP_CALLBACK,
  registerApp,
  requestAuthorization,
  authorizeForCode,
  redeemGrant,
  authorizeForTokens,
  identityWorldWithApp,
} from "#testing/fixtures/identity-apps.ts";
import { statusAndCode, IDENTITY_BASE, identityWorld } from "#testing/fixtures/identity-world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

describe("a client", () => {
  it("gets a secret if it doesn't specify an authentication method", async () => {
    const { world, person: resourceOwner } = await identityWorldWithApp();
    const app = await registerApp(world, { token_endpoint_auth_method: undefined });
    const secret = app.secret ?? "";
    assert.match(secret, /^[\w-]{43}$/);
    const basic = (id: string, secretPart: string) => {
      return { Authorization: `Basic ${Buffer.from(`${id}:${secretPart}`).toString("base64")}` };
    };
    const exchange = async (headers: object, fields: object = {}) => {
      const { code, verifier } = await authorizeForCode(world, app, resourceOwner);
      const form = { grant_type: "authorization_code", code, code_verifier: verifier, ...fields };
      return redeemGrant(world, app, form, headers);
    };
    assert.equal((await exchange(basic(app.id, secret))).status, 200);
    const failedReplies = [
      await exchange({}),
      await exchange({}, { client_secret: secret }),
      await exchange(basic(app.id, `${secret}x`)),
      await exchange(basic("unknown", secret)),
    ];
    for (const reply of failedReplies) {
      assert.deepEqual(statusAndCode(reply), [401, "invalid_client"]);
      assert.equal(reply.headers.get("www-authenticate"), "Basic");
    }
    const postClient = await registerApp(world, {
      token_endpoint_auth_method: "client_secret_post",
    });
    const { code, verifier } = await authorizeForCode(world, postClient, resourceOwner);
    const form = { grant_type: "authorization_code", code, code_verifier: verifier };
    assert.deepEqual(statusAndCode(await redeemGrant(world, postClient, form)), [
      401,
      "invalid_client",
    ]);
    const postReply = await redeemGrant(world, postClient, {
      ...form,
      client_secret: postClient.secret,
    });
    assert.equal(postReply.status, 200);
    const unsupported = await redeemGrant(world, await registerApp(world), {
      grant_type: "password",
    });
    assert.deepEqual(statusAndCode(unsupported), [400, "unsupported_grant_type"]);
  });

  it("can register only redirect URIs that are safe for browsers", async () => {
    const { world } = await identityWorldWithApp();
    const failedReplies: unknown[] = [
      undefined,
      [],
      "https://client.example/cb",
      ["http://client.example/cb"],
      ["javascript:alert(1)"],
      ["data:text/html,x"],
      ["file:///etc/passwd"],
      ["vbscript:x"],
      ["blob:https://client.example/x"],
      ["https://client.example/cb#fragment"],
      ["https://user:word@client.example/cb"],
      ["/cb"],
      [7],
      [`https://client.example/${"x".repeat(2048)}`],
      Array.from({ length: 11 }, (_, at) => `https://client.example/${at}`),
      ["https://client.example/cb", "javascript:alert(1)"],
      ["ms-msdt:/id"],
      ["myapp:/cb"],
      ["https://client.example/\0"],
      ["https://client.example/\ud800"],
      [" https://client.example/cb"],
    ];
    for (const redirect_uris of failedReplies) {
      const body = { redirect_uris, token_endpoint_auth_method: "none" };
      const reply = await world.sendRequest("POST", "/oauth/clients/register", { body });
      assert.deepEqual(
        statusAndCode(reply),
        [400, "invalid_redirect_uri"],
        JSON.stringify(redirect_uris),
      );
    }
    const body = { redirect_uris: [APP_CALLBACK], token_endpoint_auth_method: "private_key_jwt" };
    const reply = await world.sendRequest("POST", "/oauth/clients/register", { body });
    assert.deepEqual(statusAndCode(reply), [400, "invalid_client_metadata"]);
  });

  it("can't register a redirect URI of this server", async () => {
    const origin = "https://bout.example";
    const redirectOrigins = [origin, "https://www.bout.example"];
    const world = await identityWorld({ settings: { redirectOrigins } });
    const own = [
      `${IDENTITY_BASE}/`,
      `${IDENTITY_BASE}/account`,
      "http://127.0.0.1:7777/cb",
      `${origin}/cb`,
      "HTTPS://BOUT.EXAMPLE/cb",
      "https://bout.example:443/cb",
      "https://bout.example./cb",
      "https://www.bout.example/cb",
    ];
    for (const uri of own) {
      const body = { redirect_uris: [uri], token_endpoint_auth_method: "none" };
      const reply = await world.sendRequest("POST", "/oauth/clients/register", { body });
      assert.deepEqual(statusAndCode(reply), [400, "invalid_redirect_uri"], uri);
    }
    await registerApp(world, { redirect_uris: ["https://bout.example.org/cb"] });
  });

  it("has a name of up to 200 characters, stored as plain text", async () => {
    const { world } = await identityWorldWithApp();
    const nameOf = async (client_name: unknown) => {
      const body = { client_name, redirect_uris: [APP_CALLBACK] };
      return (await world.sendRequest("POST", "/oauth/clients/register", { body })).body
        .client_name;
    };
    assert.equal(await nameOf("<b>Agent</b>"), "<b>Agent</b>");
    assert.equal(await nameOf("x".repeat(300)), "x".repeat(200));
    assert.equal(await nameOf("Ladder\u202Eexe.\u0000\n"), "Ladderexe.");
    assert.equal(await nameOf(undefined), "Unnamed app");
    assert.equal(await nameOf({ a: 1 }), "Unnamed app");
  });

  it("is deleted after 30 days without consent", async () => {
    const { world, person: resourceOwner, program: app } = await identityWorldWithApp();
    const usedClient = await registerApp(world);
    await authorizeForTokens(world, usedClient, resourceOwner);
    world.clock.advance(30 * DAY - MINUTE);
    await world.embedded.sweep();
    assert.equal((await requestAuthorization(world, app)).reply.status, 302);
    world.clock.advance(2 * MINUTE);
    await world.embedded.sweep();
    assert.equal((await requestAuthorization(world, app)).reply.status, 400);
    assert.equal((await requestAuthorization(world, usedClient)).reply.status, 302);
  });

  it("can be registered ten times in five minutes per address, with bursts of 30", async () => {
    const { sendRequest: context, clock } = await identityWorld({
      settings: { limitsAddresses: true },
    });
    const body = { redirect_uris: [APP_CALLBACK] };
    const statuses = [];
    for (let time = 0; time < 31; time += 1)
      statuses.push((await context("POST", "/oauth/clients/register", { body })).status);
    assert.deepEqual([statuses.indexOf(429), statuses.length], [30, 31]);
    clock.advance(300_000);
    const laterStatuses = [];
    for (let time = 0; time < 11; time += 1)
      laterStatuses.push((await context("POST", "/oauth/clients/register", { body })).status);
    assert.equal(laterStatuses.filter((status) => status === 201).length, 10);
  });
});
