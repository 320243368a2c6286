// T98: a refresh token is stolen, and thief and owner take turns using their copies.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";

import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { openAccounts } from "#server/composition/accounts.ts";
import { readServeOptions } from "#server/configuration/flags.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { IDENTITY_BASE } from "#testing/fixtures/identity-world.ts";
import { TEST_BUILD } from "#testing/fixtures/project.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { waitForEmail, createAccountClient } from "#testing/harness/account-client.ts";
import { createTemporaryFolder } from "#testing/harness/test-server.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { mountIdentity } from "#web/auth/identity-mount.ts";

const OWNER = "owner@example.org";
const REUSE_MS = 11_000;
const CALLBACK = "https://client.example/cb";
const VERIFIER = "v".repeat(43);
const CHALLENGE = await challengeFor(VERIFIER);

async function challengeFor(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return Buffer.from(digest).toString("base64url");
}

const failTest = (_: object, text: string) => assert.fail(text);

async function startServer(t: TestContext) {
  const folder = await createTemporaryFolder();
  const options = readServeOptions(["--data", folder.path, "--accounts", "embedded"], {});
  assert.ok(!("error" in options));
  const clock = fakeClock();
  const store = memoryStore();
  const accounts = await openAccounts({
    options,
    social: [],
    apiSettings: { baseUrl: IDENTITY_BASE, origins: [IDENTITY_BASE] },
    build: TEST_BUILD,
    store,
    settings: openSettings(DEFAULT_LIMITS),
    clock,
    callerOf: () => null,
    scaleOf: () => 1,
    newId: randomUUID,
    log: { error: failTest, warn: failTest, info: () => {} },
    printLine: () => {},
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
  const person = await createAccountClient(baseUrl);
  const signUp = person.signUpAndConfirm(OWNER, folder.path);
  // The confirmation email is sent after a random delay of the manual clock.
  const advancing = setInterval(() => clock.advance(100), 20);
  const token = await signUp.finally(() => clearInterval(advancing));
  const account = await person.requestLadder("GET", "/api/account", { token });
  assert.equal(account.status, 200, JSON.stringify(account.body));
  return { baseUrl, clock, store, data: folder.path, ...person };
}

type Server = Awaited<ReturnType<typeof startServer>>;
type Tokens = { status: number; refresh: string; access: string };

async function signIn({ requestProvider }: Server): Promise<Tokens> {
  const password = "correct horse battery";
  return readTokens(
    await requestProvider("POST", "/token?grant_type=password", { email: OWNER, password }),
  );
}

function readTokens({ status, body }: { status: number; body: Record<string, unknown> }): Tokens {
  return { status, refresh: String(body["refresh_token"]), access: String(body["access_token"]) };
}

const refreshBrowser =
  ({ requestProvider }: Server) =>
  async (refresh_token: string): Promise<Tokens> =>
    readTokens(await requestProvider("POST", "/token?grant_type=refresh_token", { refresh_token }));

async function refreshInTurn(
  { clock }: Server,
  stolenTokens: string,
  refresh: (token: string) => Promise<Tokens>,
) {
  const tokensByHolder = { owner: stolenTokens, thief: stolenTokens };
  const accessTokens: string[] = [];
  for (let turn = 1; turn <= 6; turn += 1) {
    const name = turn % 2 === 1 ? "owner" : "thief";
    const tokens = await refresh(tokensByHolder[name]);
    if (tokens.status !== 200) return { turn, tokensByHolder, accessTokens };
    tokensByHolder[name] = tokens.refresh;
    accessTokens.push(tokens.access);
    clock.advance(REUSE_MS);
  }
  return assert.fail("owner and thief both keep refreshing");
}

async function assertSessionEnded(
  server: Server,
  {
    tokensByHolder,
    accessTokens,
  }: { tokensByHolder: Record<string, string>; accessTokens: readonly string[] },
  refresh: (token: string) => Promise<Tokens>,
) {
  for (const token of Object.values(tokensByHolder))
    assert.equal((await refresh(token)).status, 400);
  for (const access of accessTokens) {
    const user = await fetch(`${server.baseUrl}/auth/v1/oauth/userinfo`, {
      headers: { Authorization: `Bearer ${access}` },
    });
    assert.equal(user.status, 401);
    const account = await server.requestLadder("GET", "/api/account", { token: access });
    assert.equal(account.status, 401);
  }
  const mail = await waitForEmail(server.data, OWNER);
  assert.equal(mail.subject, "We ended one of your sessions");
  const entries = await server.store.audit.list({ kind: "session.token_reused", limit: 10 });
  assert.equal(entries.length, 1);
  assert.equal(entries[0]?.subject?.kind, "account");
  return { mail, entry: entries[0] };
}

describe("T98 a stolen refresh token that owner and thief use in turn", () => {
  it("ends the browser session for both and notifies the owner", async (t) => {
    const server = await startServer(t);
    const otherSession = await signIn(server);
    const refresh = refreshBrowser(server);
    const result = await refreshInTurn(server, (await signIn(server)).refresh, refresh);
    assert.equal(result.turn, 3);
    await assertSessionEnded(server, result, refresh);
    assert.equal((await refresh(otherSession.refresh)).status, 200, "other sessions continue");
  });

  it("ends an OAuth client's session at the first late reuse of its token", async (t) => {
    const server = await startServer(t);
    const { access } = await signIn(server);
    const { client, tokens } = await connectApp(server, access);
    const refresh = async (refresh_token: string) => {
      const fields = { client_id: client, grant_type: "refresh_token", refresh_token };
      return readTokens(await postToken(server, fields));
    };
    const result = await refreshInTurn(server, tokens.refresh, refresh);
    assert.equal(result.turn, 2);
    const { mail, entry } = await assertSessionEnded(server, result, refresh);
    assert.match(mail.text, /Stolen app/);
    assert.deepEqual(entry?.detail, { client });
  });
});

async function postToken({ baseUrl }: Server, fields: Record<string, string>) {
  const body = new URLSearchParams(fields);
  const response = await fetch(`${baseUrl}/auth/v1/oauth/token`, { method: "POST", body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function connectApp(server: Server, access: string) {
  const { baseUrl, requestProvider, requestLadder } = server;
  const registered = await requestProvider("POST", "/oauth/clients/register", {
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
  await requestLadder("GET", `${path}?authorization_id=${authorization_id}`, { token: access });
  const body = { authorization_id, action: "approve" };
  const approved = await requestLadder("POST", path, { token: access, body });
  const code = new URL(String(approved.body["redirect_url"])).searchParams.get("code") ?? "";
  const fields = { client_id: client, grant_type: "authorization_code", code };
  const exchanged = await postToken(server, { ...fields, code_verifier: VERIFIER });
  return { client, tokens: readTokens(exchanged) };
}
