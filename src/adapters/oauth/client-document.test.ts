import assert from "node:assert/strict";
import { it } from "node:test";

import {
  statusAndCode,
  IDENTITY_BASE,
  identityWorld,
  createPkce,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";

const ID = "https://agent.example/client.json";
const DOCUMENT = {
  client_id: ID,
  client_name: "Agent with a document",
  redirect_uris: ["http://127.0.0.1/cb"],
  token_endpoint_auth_method: "none",
};

async function openDocumentWorld(document: unknown, clientDocuments = true) {
  const readUrls: string[] = [];
  const readDocument = async (url: URL) => {
    readUrls.push(url.href);
    if (document instanceof Error) throw document;
    return typeof document === "string" ? document : JSON.stringify(document);
  };
  const world = await identityWorld({ readDocument, settings: { clientDocuments } });
  return { world, read: readUrls };
}

async function request(
  { sendRequest: context }: IdentityWorld,
  client_id = ID,
  changes: object = {},
) {
  const { challenge, verifier } = createPkce();
  const query = {
    response_type: "code",
    client_id,
    redirect_uri: "http://127.0.0.1:5000/cb",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changes,
  };
  const reply = await context("GET", `/oauth/authorize?${new URLSearchParams(query)}`, {
    omitApiKey: true,
  });
  return { reply, verifier };
}

it("a client identified by the URL of its document can get tokens", async () => {
  const { world, read: readUrls } = await openDocumentWorld(DOCUMENT);
  const { access } = await world.addMember("ada@example.org");
  const { reply, verifier } = await request(world);
  const page = new URL(reply.headers.get("location") ?? "");
  const id = page.searchParams.get("authorization_id");
  const details = await world.sendRequest("GET", `/oauth/authorizations/${id}`, { jwt: access });
  const { client } = details.body as unknown as { client: { id: string; name: string } };
  assert.deepEqual([client.id, client.name], [ID, "Agent with a document"]);
  const body = { action: "approve" };
  const decision = await world.sendRequest("POST", `/oauth/authorizations/${id}/consent`, {
    jwt: access,
    body,
  });
  const code = new URL(decision.body.redirect_url).searchParams.get("code");
  const exchange = {
    grant_type: "authorization_code",
    client_id: ID,
    code,
    code_verifier: verifier,
  };
  const tokens = await world.sendRequest("POST", "/oauth/token", {
    body: exchange,
    omitApiKey: true,
  });
  assert.equal(tokens.status, 200);
  assert.equal(
    (await world.embedded.provider.verify(tokens.body.access_token, "mcp")).clientId,
    ID,
  );
  assert.deepEqual(readUrls, [ID]);
  assert.equal(await world.embedded.provider.revokeGrant(ID, access), true);
});

it("caches a document for five minutes", async () => {
  const { world, read: readUrls } = await openDocumentWorld(DOCUMENT);
  await request(world);
  world.clock.advance(299_999);
  await request(world);
  assert.equal(readUrls.length, 1);
  world.clock.advance(1);
  await request(world);
  assert.equal(readUrls.length, 2);
});

it("reads no document while the option is off", async () => {
  const { world, read: readUrls } = await openDocumentWorld(DOCUMENT, false);
  assert.deepEqual(statusAndCode((await request(world)).reply), [400, "invalid_client"]);
  assert.deepEqual(readUrls, []);
});

it("reads only canonical HTTPS URLs with a path", async () => {
  const { world, read: readUrls } = await openDocumentWorld(DOCUMENT);
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
    assert.deepEqual(statusAndCode((await request(world, id)).reply), [400, "invalid_client"], id);
  assert.deepEqual(readUrls, []);
});

it("rejects a document that is invalid or describes another client", async () => {
  const cases: [document: unknown, error: string][] = [
    [new Error("address is not public"), "invalid_client"],
    [{ ...DOCUMENT, client_id: `${ID}x` }, "invalid_client"],
    [{ ...DOCUMENT, client_id: undefined }, "invalid_client"],
    ["invalid JSON", "invalid_client"],
    ["null", "invalid_client"],
    ["7", "invalid_client"],
    [{ ...DOCUMENT, token_endpoint_auth_method: "client_secret_basic" }, "invalid_client"],
    [{ ...DOCUMENT, redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    [{ ...DOCUMENT, redirect_uris: undefined }, "invalid_redirect_uri"],
    [{ ...DOCUMENT, redirect_uris: [`${IDENTITY_BASE}/account`] }, "invalid_redirect_uri"],
    [{ ...DOCUMENT, redirect_uris: ["http://127.0.0.1/other"] }, "invalid_request"],
  ];
  for (const [document, error] of cases) {
    const { world } = await openDocumentWorld(document);
    assert.deepEqual(
      statusAndCode((await request(world)).reply),
      [400, error],
      JSON.stringify(document),
    );
  }
});
