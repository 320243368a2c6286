// T98: a refresh token is stolen, and the thief and the owner use their copies in turn.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";

import { LIMITS } from "#core/words/limits.ts";
import { openAccounts } from "#server/composition/accounts.ts";
import { readServeOptions } from "#server/configuration/flags.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { IDENTITY_BASE } from "#testing/fixtures/identity-world.ts";
import { BUILD } from "#testing/fixtures/project.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { mailTo, personAt } from "#testing/harness/account-client.ts";
import { temporaryFolder } from "#testing/harness/test-server.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { mountIdentity } from "#web/auth/identity-mount.ts";

const OWNER = "owner@example.org";
const REUSE_MS = 11_000;
const CALLBACK = "https://client.example/cb";
const VERIFIER = "v".repeat(43);
/** The S256 challenge of VERIFIER. */
const CHALLENGE = await challengeOf(VERIFIER);

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return Buffer.from(digest).toString("base64url");
}

const failTest = (_: object, text: string) => assert.fail(text);

/** A server with embedded accounts on a port of its own, on a clock that the test moves. */
async function startServer(t: TestContext) {
  const folder = await temporaryFolder();
  const options = readServeOptions(["--data", folder.path, "--accounts", "embedded"], {});
  assert.ok(!("error" in options));
  const clock = fakeClock();
  const store = memoryStore();
  const accounts = await openAccounts({
    options,
    social: [],
    place: { baseUrl: IDENTITY_BASE, origins: [IDENTITY_BASE] },
    build: BUILD,
    store,
    settings: openSettings(LIMITS),
    clock,
    callerOf: () => null,
    scaleOf: () => 1,
    newId: randomUUID,
    log: { error: failTest, warn: failTest, info: () => {} },
    tell: () => {},
  });
  const { app } = testApi({}, { store, accounts: accounts.side, clock: () => clock.wall() });
  assert.ok(accounts.mount !== null);
  mountIdentity(app, accounts.mount);
  const baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  t.after(async () => {
    await app.close();
    await accounts.stop();
    await folder.remove();
  });
  const person = await personAt(baseUrl);
  const token = await person.join(OWNER, folder.path);
  const account = await person.ladder("GET", "/api/account", { token });
  assert.equal(account.status, 200, JSON.stringify(account.body));
  return { baseUrl, clock, store, data: folder.path, ...person };
}

type Server = Awaited<ReturnType<typeof startServer>>;
type Tokens = { status: number; refresh: string; access: string };

async function signIn({ identity }: Server): Promise<Tokens> {
  const password = "correct horse battery";
  return tokensIn(await identity("POST", "/token?grant_type=password", { email: OWNER, password }));
}

function tokensIn({ status, body }: { status: number; body: Record<string, unknown> }): Tokens {
  return { status, refresh: String(body["refresh_token"]), access: String(body["access_token"]) };
}

const refreshBrowser =
  ({ identity }: Server) =>
  async (refresh_token: string): Promise<Tokens> =>
    tokensIn(await identity("POST", "/token?grant_type=refresh_token", { refresh_token }));

/** Owner and thief hold the same token and refresh in turn until one of them is refused. */
async function takeTurns(
  { clock }: Server,
  stolen: string,
  refresh: (token: string) => Promise<Tokens>,
) {
  const held = { owner: stolen, thief: stolen };
  const accesses: string[] = [];
  for (let turn = 1; turn <= 6; turn += 1) {
    const name = turn % 2 === 1 ? "owner" : "thief";
    const tokens = await refresh(held[name]);
    if (tokens.status !== 200) return { turn, held, accesses };
    held[name] = tokens.refresh;
    accesses.push(tokens.access);
    clock.pass(REUSE_MS);
  }
  return assert.fail("owner and thief both keep refreshing");
}

async function assertEnded(
  server: Server,
  { held, accesses }: { held: Record<string, string>; accesses: readonly string[] },
  refresh: (token: string) => Promise<Tokens>,
) {
  for (const token of Object.values(held)) assert.equal((await refresh(token)).status, 400);
  for (const access of accesses) {
    const user = await fetch(`${server.baseUrl}/auth/v1/oauth/userinfo`, {
      headers: { Authorization: `Bearer ${access}` },
    });
    assert.equal(user.status, 401);
    const account = await server.ladder("GET", "/api/account", { token: access });
    assert.equal(account.status, 401);
  }
  const mail = await mailTo(server.data, OWNER);
  assert.equal(mail.subject, "We ended one of your sessions");
  const entries = await server.store.audit.list({ kind: "session.token_reused", limit: 10 });
  assert.equal(entries.length, 1);
  assert.equal(entries[0]?.subject?.kind, "account");
  return { mail, entry: entries[0] };
}

describe("T98 a stolen refresh token that owner and thief use in turn", () => {
  it("ends the session of a browser for both and notifies the owner", async (t) => {
    const server = await startServer(t);
    const other = await signIn(server);
    const refresh = refreshBrowser(server);
    const result = await takeTurns(server, (await signIn(server)).refresh, refresh);
    assert.equal(result.turn, 3);
    await assertEnded(server, result, refresh);
    assert.equal((await refresh(other.refresh)).status, 200, "other sessions continue");
  });

  it("ends the session of an OAuth client at the first late reuse", async (t) => {
    const server = await startServer(t);
    const { access } = await signIn(server);
    const { client, tokens } = await connectApp(server, access);
    const refresh = async (refresh_token: string) => {
      const fields = { client_id: client, grant_type: "refresh_token", refresh_token };
      return tokensIn(await postToken(server, fields));
    };
    const result = await takeTurns(server, tokens.refresh, refresh);
    assert.equal(result.turn, 2);
    const { mail, entry } = await assertEnded(server, result, refresh);
    assert.match(mail.text, /Stolen app/);
    assert.deepEqual(entry?.detail, { client });
  });
});

async function postToken({ baseUrl }: Server, fields: Record<string, string>) {
  const body = new URLSearchParams(fields);
  const response = await fetch(`${baseUrl}/auth/v1/oauth/token`, { method: "POST", body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Registers a public client and takes it through consent. */
async function connectApp(server: Server, access: string) {
  const { baseUrl, identity, ladder } = server;
  const registered = await identity("POST", "/oauth/clients/register", {
    client_name: "Stolen app",
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: "none",
  });
  const client = String(registered.body["client_id"]);
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client,
    redirect_uri: CALLBACK,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    scope: "openid email",
  });
  const url = `${baseUrl}/auth/v1/oauth/authorize?${query}`;
  const { headers } = await fetch(url, { redirect: "manual" });
  const page = new URL(headers.get("location") ?? "");
  const authorization_id = page.searchParams.get("authorization_id");
  const path = "/api/account/mcp/authorization";
  await ladder("GET", `${path}?authorization_id=${authorization_id}`, { token: access });
  const body = { authorization_id, action: "approve" };
  const approved = await ladder("POST", path, { token: access, body });
  const code = new URL(String(approved.body["redirect_url"])).searchParams.get("code") ?? "";
  const fields = { client_id: client, grant_type: "authorization_code", code };
  const exchanged = await postToken(server, { ...fields, code_verifier: VERIFIER });
  return { client, tokens: tokensIn(exchanged) };
}
