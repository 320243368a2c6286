import assert from "node:assert/strict";
import { it } from "node:test";

import { codeIn, IDENTITY_BASE, identityWorld, pkce } from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";

const ID = "https://agent.example/client.json";
const DOCUMENT = {
  client_id: ID,
  client_name: "Agent with a document",
  redirect_uris: ["http://127.0.0.1/cb"],
  token_endpoint_auth_method: "none",
};

async function openWorld(document: unknown, clientDocuments = true) {
  const read: string[] = [];
  const readDocument = async (url: URL) => {
    read.push(url.href);
    if (document instanceof Error) throw document;
    return typeof document === "string" ? document : JSON.stringify(document);
  };
  const world = await identityWorld({ readDocument, settings: { clientDocuments } });
  return { world, read };
}

async function request({ ask }: IdentityWorld, client_id = ID, changes: object = {}) {
  const { challenge, verifier } = pkce();
  const query = {
    response_type: "code",
    client_id,
    redirect_uri: "http://127.0.0.1:5000/cb",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changes,
  };
  const reply = await ask("GET", `/oauth/authorize?${new URLSearchParams(query)}`, {
    keyless: true,
  });
  return { reply, verifier };
}

it("a client may be the address of its document, through to its tokens", async () => {
  const { world, read } = await openWorld(DOCUMENT);
  const { access } = await world.member("ada@example.org");
  const { reply, verifier } = await request(world);
  const page = new URL(reply.headers.get("location") ?? "");
  const id = page.searchParams.get("authorization_id");
  const details = await world.ask("GET", `/oauth/authorizations/${id}`, { jwt: access });
  const { client } = details.body as unknown as { client: { id: string; name: string } };
  assert.deepEqual([client.id, client.name], [ID, "Agent with a document"]);
  const body = { action: "approve" };
  const decided = await world.ask("POST", `/oauth/authorizations/${id}/consent`, {
    jwt: access,
    body,
  });
  const code = new URL(decided.body.redirect_url).searchParams.get("code");
  const exchange = {
    grant_type: "authorization_code",
    client_id: ID,
    code,
    code_verifier: verifier,
  };
  const tokens = await world.ask("POST", "/oauth/token", { body: exchange, keyless: true });
  assert.equal(tokens.status, 200);
  assert.equal(
    (await world.embedded.provider.verify(tokens.body.access_token, "mcp")).clientId,
    ID,
  );
  assert.deepEqual(read, [ID]);
  assert.equal(await world.embedded.provider.revokeGrant(ID, access), true);
});

it("what a document said is believed for five minutes", async () => {
  const { world, read } = await openWorld(DOCUMENT);
  await request(world);
  world.clock.pass(299_999);
  await request(world);
  assert.equal(read.length, 1);
  world.clock.pass(1);
  await request(world);
  assert.equal(read.length, 2);
});

it("while it is off, nothing is read", async () => {
  const { world, read } = await openWorld(DOCUMENT, false);
  assert.deepEqual(codeIn((await request(world)).reply), [400, "invalid_client"]);
  assert.deepEqual(read, []);
});

it("addresses that are no plain https with a path are not read", async () => {
  const { world, read } = await openWorld(DOCUMENT);
  for (const id of [
    "http://agent.example/client.json",
    "https://agent.example",
    "https://agent.example/",
    "https://agent.example/a/../client.json",
    "https://user@agent.example/client.json",
    "https://agent.example/client.json#x",
    "https://AGENT.example/client.json",
    "https://agent.example:443/client.json",
    "https://",
    `https://agent.example/${"x".repeat(2048)}`,
  ])
    assert.deepEqual(codeIn((await request(world, id)).reply), [400, "invalid_client"], id);
  assert.deepEqual(read, []);
});

it("a document that is not the client's, or not usable, is refused", async () => {
  const table: [document: unknown, error: string][] = [
    [new Error("the address is not public"), "invalid_client"],
    [{ ...DOCUMENT, client_id: `${ID}x` }, "invalid_client"],
    [{ ...DOCUMENT, client_id: undefined }, "invalid_client"],
    ["not JSON", "invalid_client"],
    ["null", "invalid_client"],
    ["7", "invalid_client"],
    [{ ...DOCUMENT, token_endpoint_auth_method: "client_secret_basic" }, "invalid_client"],
    [{ ...DOCUMENT, redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    [{ ...DOCUMENT, redirect_uris: undefined }, "invalid_redirect_uri"],
    [{ ...DOCUMENT, redirect_uris: [`${IDENTITY_BASE}/account`] }, "invalid_redirect_uri"],
    [{ ...DOCUMENT, redirect_uris: ["http://127.0.0.1/other"] }, "invalid_request"],
  ];
  for (const [document, error] of table) {
    const { world } = await openWorld(document);
    assert.deepEqual(codeIn((await request(world)).reply), [400, error], JSON.stringify(document));
  }
});
