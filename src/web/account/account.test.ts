import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  accountApi,
  addAgentKey,
  addAccountBot,
  signUpAccount,
  sendRequest,
} from "#testing/fixtures/account-api.ts";
import { addTestBot, botTokenOf } from "#testing/fixtures/test-api.ts";

const GET = ["GET", "/api/account"] as const;
const HANDLE = ["PUT", "/api/account/handle"] as const;

describe("authentication", () => {
  it("creates the account once, on the first sign-in, with an audit entry", async () => {
    const api = accountApi();
    const token = api.identity.signIn("ada");
    const responses = await Promise.all([1, 2, 3].map(() => sendRequest(api, GET, { token })));
    assert.equal(new Set(responses.map(({ body }) => String(body.id))).size, 1);
    const [response] = responses;
    assert.equal(response?.told, "200");
    assert.equal(response?.headers["cache-control"], "private, no-store");
    assert.equal(response?.headers.vary, "Authorization");
    assert.deepEqual(response?.body, {
      id: response?.body.id,
      email: "ada@example.org",
      admin: false,
      handle: null,
      suggested_handle: "ada",
      created: "2026-01-05T12:00:00.000Z",
      max_bots: 5,
      bot_count: 0,
      email_announcements: true,
      email_preferences: {
        onboarding: true,
        achievements: true,
        bot_health: true,
        event_reminders: true,
        weekly_digest: false,
        admin_warnings: true,
      },
      bots: [],
      keys: [],
      mcp_url: "http://localhost:7777/mcp",
      mcp_clients: [],
    });
    const entries = await api.store.audit.list({ kind: "account.created", limit: 9 });
    assert.equal(entries.length, 1);
  });

  it("recognises a user after an email address change and stores the new address", async () => {
    const api = accountApi();
    const { account } = await signUpAccount(api, "ada");
    const token = api.identity.signIn(
      "ada",
      {},
      { email: "l@example.org", emailConfirmedAt: null },
    );
    const { body } = await sendRequest(api, GET, { token });
    assert.deepEqual([body.id, body.email], [account.id, "l@example.org"]);
    const stored = await api.store.accounts.byId(account.id);
    assert.deepEqual([stored?.email, stored?.emailConfirmedAt], ["l@example.org", null]);
  });

  it("treats the same subject from two issuers as two accounts", async () => {
    const api = accountApi();
    const { account } = await signUpAccount(api, "ada");
    const token = api.identity.signIn("other", {
      issuer: "https://x.example",
      subject: account.subject,
    });
    const { body } = await sendRequest(api, GET, { token });
    assert.notEqual(body.id, account.id);
  });

  it("rejects requests without an active browser session", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada");
    await addTestBot(api, "Rex");
    const key = await addAgentKey(api, token);
    const appToken = api.identity.signIn("program", { clientId: "client-1" });
    const anonymous = api.identity.signIn("nobody", { isAnonymous: true });
    const endedSession = api.identity.signIn("ended");
    api.identity.peopleByToken.get(endedSession)!.isActive = false;
    for (const badToken of [
      key,
      botTokenOf("Rex"),
      "bout_bot_x",
      appToken,
      anonymous,
      endedSession,
      "x.y.z",
    ]) {
      const { told: outcome, headers } = await sendRequest(api, GET, { token: badToken });
      assert.equal(outcome, "401 invalid_session", badToken);
      assert.equal(headers["www-authenticate"], 'Bearer error="invalid_token"');
    }
    const missingResponse = await sendRequest(api, GET);
    assert.equal(missingResponse.told, "401 missing_authorization");
    assert.match(missingResponse.body.error, /access token/);
    assert.equal(missingResponse.headers["www-authenticate"], "Bearer");
    assert.equal((await api.store.accounts.list({ text: null, limit: 9 })).total, 1);
  });

  it("returns 503 while the identity provider is down, but still accepts agent keys", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada");
    const key = await addAgentKey(api, token);
    api.identity.isUnavailable = true;
    const awayResponse = await sendRequest(api, GET, { token });
    assert.deepEqual(
      [awayResponse.told, awayResponse.headers["retry-after"]],
      ["503 auth_unavailable", "1"],
    );
    const createResponse = await sendRequest(api, ["POST", "/api/bots"], {
      token: key,
      payload: { name: "Neo" },
    });
    assert.equal(createResponse.told, "201");
  });

  it("rejects requests from other origins before checking the credential", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada");
    for (const origin of ["https://evil.example", "null", "http://localhost:7778"]) {
      const { told: outcome } = await sendRequest(api, GET, { token, headers: { origin } });
      assert.equal(outcome, "403", origin);
    }
    assert.equal((await sendRequest(api, GET, { headers: { origin: "null" } })).told, "403");
    const sameOriginResponse = await sendRequest(api, GET, {
      token,
      headers: { origin: "http://localhost:7777" },
    });
    assert.equal(sameOriginResponse.told, "200");
  });

  it("rejects sessions that started before a sign-out, with one-second precision", async () => {
    const api = accountApi();
    const { token, account } = await signUpAccount(api, "ada");
    const second = api.identity.peopleByToken.get(token)!.claims.signedInAt;
    const [auditEntry] = await api.store.audit.list({ limit: 1 });
    await api.store.accounts.signOut(account.id, second, auditEntry!);
    assert.equal((await sendRequest(api, GET, { token })).told, "200", "same second");
    await api.store.accounts.signOut(account.id, second + 1, auditEntry!);
    assert.equal((await sendRequest(api, GET, { token })).told, "401 invalid_session");
    const newToken = api.identity.signIn("ada", { signedInAt: second + 1 });
    assert.equal((await sendRequest(api, GET, { token: newToken })).told, "200");
  });

  it("rejects a banned account until the ban is lifted", async () => {
    const api = accountApi();
    const { token, account } = await signUpAccount(api, "ada");
    const [auditEntry] = await api.store.audit.list({ limit: 1 });
    await api.store.accounts.setBan(
      account.id,
      { at: api.nextMinute(), reason: null },
      auditEntry!,
    );
    assert.equal((await sendRequest(api, GET, { token })).told, "403 account_banned");
    const bannedResponse = await sendRequest(api, HANDLE, { token, payload: { handle: 5 } });
    assert.equal(bannedResponse.told, "403 account_banned", "before the body");
    await api.store.accounts.setBan(account.id, null, auditEntry!);
    assert.equal((await sendRequest(api, GET, { token })).told, "200");
  });

  it("rejects the request before reading its body", async () => {
    const { app } = accountApi();
    const payload = "x".repeat(100_000);
    const response = await app.inject({ method: "PUT", url: "/api/account/handle", payload });
    assert.equal(response.statusCode, 401);
  });
});

describe("a handle", () => {
  it("is shown immediately as the owner of the account's bots", async () => {
    const api = accountApi();
    const { token, account } = await signUpAccount(api, "ada");
    const bot = await addAccountBot(api, account, "Rex", { owner: "ada" });
    const page = async () => (await sendRequest(api, ["GET", "/api/bots/Rex"])).body;
    assert.deepEqual([(await page()).owner, (await page()).owner_url], ["ada", "/user/ada"]);
    const { told: outcome, body } = await sendRequest(api, HANDLE, {
      token,
      payload: { handle: "Countess" },
    });
    assert.deepEqual([outcome, body.handle, body.suggested_handle], ["200", "Countess", null]);
    assert.deepEqual(
      [(await page()).owner, (await page()).owner_url],
      ["Countess", "/user/Countess"],
    );
    assert.ok(api.arena.calls.includes(`changed ${bot.id} Rex active`));
    const [entry] = await api.store.audit.list({ kind: "account.handle", limit: 1 });
    assert.deepEqual(entry?.detail, { from: "ada", to: "Countess" });
    assert.deepEqual(entry?.actor, { kind: "account", id: account.id, name: "ada" });
  });

  it("is rejected if malformed, reserved or taken", async () => {
    const api = accountApi();
    await signUpAccount(api, "ada");
    const { token } = await signUpAccount(api, "eve", null);
    await addTestBot(api, "Rex", { owner: "Team", ownerId: "anon:team" });
    const outcome = async (handle: unknown) =>
      (await sendRequest(api, HANDLE, { token, payload: { handle } })).told;
    for (const handle of ["", "a", ".ab", "a b", "admin", "Deleted", 5, null, "x".repeat(40)])
      assert.equal(await outcome(handle), "400 invalid_handle", String(handle));
    const { body } = await sendRequest(api, HANDLE, { token, payload: { handle: "a b" } });
    assert.match(String(body.error), /^A handle has 2-39 /, "a handle, not an owner name");
    for (const handle of ["ada", "ADA", "team"])
      assert.equal(await outcome(handle), "409 handle_taken", handle);
    assert.equal(await outcome("eve"), "200");
    assert.equal(await outcome("EVE"), "200", "different case");
  });

  it("is suggested with a number if the plain suggestion is taken or reserved", async () => {
    const api = accountApi();
    await signUpAccount(api, "ada");
    const suggestion = async (name: string, email: string) => {
      const token = api.identity.signIn(name, {}, { email });
      return (await sendRequest(api, GET, { token })).body.suggested_handle as unknown;
    };
    assert.equal(await suggestion("a", "ada@elsewhere.example"), "ada-2");
    assert.equal(await suggestion("b", "support@elsewhere.example"), "support-2");
    assert.equal(await suggestion("c", "é@elsewhere.example"), null);
  });
});

describe("notifications", () => {
  const PUT = ["PUT", "/api/account/notifications"] as const;

  it("changes only the given fields, even before the account has a handle", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada", null);
    const change = async (payload: object) =>
      (await sendRequest(api, PUT, { token, payload })).body;
    const first = await change({ email_preferences: { weekly_digest: true } });
    assert.equal(first.email_preferences.weekly_digest, true);
    const second = await change({ email_announcements: false });
    assert.deepEqual(
      [second.email_announcements, second.email_preferences.weekly_digest],
      [false, true],
    );
    assert.equal(second.email_preferences.onboarding, true);
  });

  it("rejects unknown fields", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada");
    for (const payload of [
      { email_anouncements: false },
      { email_preferences: { digest: true } },
      { email_preferences: { weekly_digest: "yes" } },
      { email_announcements: 1 },
    ])
      assert.equal(
        (await sendRequest(api, PUT, { token, payload })).told,
        "400",
        JSON.stringify(payload),
      );
    const { body } = await sendRequest(api, PUT, { token, payload: { role: "admin" } });
    assert.equal(body.error, "The field 'role' is unknown.");
  });
});
