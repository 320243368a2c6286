import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  CALLBACK,
  register,
  request,
  codeFor,
  redeem,
  tokensFor,
  openWorld,
} from "#testing/fixtures/identity-programs.ts";
import { codeIn, IDENTITY_BASE, identityWorld } from "#testing/fixtures/identity-world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

describe("a client", () => {
  it("that does not say how it shows who it is gets a secret", async () => {
    const { world, person } = await openWorld();
    const program = await register(world, { token_endpoint_auth_method: undefined });
    const secret = program.secret ?? "";
    assert.match(secret, /^[\w-]{43}$/);
    const basic = (id: string, word: string) => {
      return { Authorization: `Basic ${Buffer.from(`${id}:${word}`).toString("base64")}` };
    };
    const exchange = async (headers: object, fields: object = {}) => {
      const { code, verifier } = await codeFor(world, program, person);
      const form = { grant_type: "authorization_code", code, code_verifier: verifier, ...fields };
      return redeem(world, program, form, headers);
    };
    assert.equal((await exchange(basic(program.id, secret))).status, 200);
    const wrong = [
      await exchange({}),
      await exchange({}, { client_secret: secret }),
      await exchange(basic(program.id, `${secret}x`)),
      await exchange(basic("unknown", secret)),
    ];
    for (const reply of wrong) {
      assert.deepEqual(codeIn(reply), [401, "invalid_client"]);
      assert.equal(reply.headers.get("www-authenticate"), "Basic");
    }
    const posting = await register(world, { token_endpoint_auth_method: "client_secret_post" });
    const { code, verifier } = await codeFor(world, posting, person);
    const form = { grant_type: "authorization_code", code, code_verifier: verifier };
    assert.deepEqual(codeIn(await redeem(world, posting, form)), [401, "invalid_client"]);
    const posted = await redeem(world, posting, { ...form, client_secret: posting.secret });
    assert.equal(posted.status, 200);
    const unsupported = await redeem(world, await register(world), { grant_type: "password" });
    assert.deepEqual(codeIn(unsupported), [400, "unsupported_grant_type"]);
  });

  it("registers addresses that a browser may be sent to, and no others", async () => {
    const { world } = await openWorld();
    const wrong: unknown[] = [
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
    for (const redirect_uris of wrong) {
      const body = { redirect_uris, token_endpoint_auth_method: "none" };
      const reply = await world.ask("POST", "/oauth/clients/register", { body });
      assert.deepEqual(codeIn(reply), [400, "invalid_redirect_uri"], JSON.stringify(redirect_uris));
    }
    const body = { redirect_uris: [CALLBACK], token_endpoint_auth_method: "private_key_jwt" };
    const reply = await world.ask("POST", "/oauth/clients/register", { body });
    assert.deepEqual(codeIn(reply), [400, "invalid_client_metadata"]);
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
      const reply = await world.ask("POST", "/oauth/clients/register", { body });
      assert.deepEqual(codeIn(reply), [400, "invalid_redirect_uri"], uri);
    }
    await register(world, { redirect_uris: ["https://bout.example.org/cb"] });
  });

  it("has a name of at most 200 characters, kept as text", async () => {
    const { world } = await openWorld();
    const nameOf = async (client_name: unknown) => {
      const body = { client_name, redirect_uris: [CALLBACK] };
      return (await world.ask("POST", "/oauth/clients/register", { body })).body.client_name;
    };
    assert.equal(await nameOf("<b>Agent</b>"), "<b>Agent</b>");
    assert.equal(await nameOf("x".repeat(300)), "x".repeat(200));
    assert.equal(await nameOf("Ladder\u202Eexe.\u0000\n"), "Ladderexe.");
    assert.equal(await nameOf(undefined), "A program without a name");
    assert.equal(await nameOf({ a: 1 }), "A program without a name");
  });

  it("that nobody let in is forgotten after 30 days", async () => {
    const { world, person, program } = await openWorld();
    const used = await register(world);
    await tokensFor(world, used, person);
    world.clock.pass(30 * DAY - MINUTE);
    await world.embedded.sweep();
    assert.equal((await request(world, program)).reply.status, 302);
    world.clock.pass(2 * MINUTE);
    await world.embedded.sweep();
    assert.equal((await request(world, program)).reply.status, 400);
    assert.equal((await request(world, used)).reply.status, 302);
  });

  it("registers ten times in five minutes from one address, with 30 at once", async () => {
    const { ask, clock } = await identityWorld({ settings: { limitsAddresses: true } });
    const body = { redirect_uris: [CALLBACK] };
    const statuses = [];
    for (let time = 0; time < 31; time += 1)
      statuses.push((await ask("POST", "/oauth/clients/register", { body })).status);
    assert.deepEqual([statuses.indexOf(429), statuses.length], [30, 31]);
    clock.pass(300_000);
    const later = [];
    for (let time = 0; time < 11; time += 1)
      later.push((await ask("POST", "/oauth/clients/register", { body })).status);
    assert.equal(later.filter((status) => status === 201).length, 10);
  });
});
