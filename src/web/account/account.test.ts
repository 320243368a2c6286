// The account itself: who gets at it, its handle, and which mail it wants.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  accountApi,
  addAgentKey,
  addOwnBot,
  addPerson,
  ask,
} from "#testing/fixtures/account-api.ts";
import { addBot, tokenOf } from "#testing/fixtures/test-api.ts";

const GET = ["GET", "/api/account"] as const;
const HANDLE = ["PUT", "/api/account/handle"] as const;

describe("who gets at an account", () => {
  it("is made when somebody first comes, once, and noted", async () => {
    const api = accountApi();
    const token = api.identity.signIn("ada");
    const answers = await Promise.all([1, 2, 3].map(() => ask(api, GET, { token })));
    assert.equal(new Set(answers.map(({ body }) => String(body.id))).size, 1);
    const [answer] = answers;
    assert.equal(answer?.told, "200");
    assert.equal(answer?.headers["cache-control"], "private, no-store");
    assert.equal(answer?.headers.vary, "Authorization");
    assert.deepEqual(answer?.body, {
      id: answer?.body.id,
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

  it("knows a person again whatever their address is, and follows it", async () => {
    const api = accountApi();
    const { account } = await addPerson(api, "ada");
    const token = api.identity.signIn(
      "ada",
      {},
      { email: "l@example.org", emailConfirmedAt: null },
    );
    const { body } = await ask(api, GET, { token });
    assert.deepEqual([body.id, body.email], [account.id, "l@example.org"]);
    const stored = await api.store.accounts.byId(account.id);
    assert.deepEqual([stored?.email, stored?.emailConfirmedAt], ["l@example.org", null]);
  });

  it("tells issuers apart", async () => {
    const api = accountApi();
    const { account } = await addPerson(api, "ada");
    const token = api.identity.signIn("other", {
      issuer: "https://x.example",
      subject: account.subject,
    });
    const { body } = await ask(api, GET, { token });
    assert.notEqual(body.id, account.id);
  });

  it("is nobody without a live session of a browser", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada");
    await addBot(api, "Rex");
    const key = await addAgentKey(api, token);
    const program = api.identity.signIn("program", { clientId: "client-1" });
    const anonymous = api.identity.signIn("nobody", { isAnonymous: true });
    const ended = api.identity.signIn("ended");
    api.identity.people.get(ended)!.isLive = false;
    for (const wrong of [key, tokenOf("Rex"), "bout_bot_x", program, anonymous, ended, "x.y.z"]) {
      const { told, headers } = await ask(api, GET, { token: wrong });
      assert.equal(told, "401 invalid_session", wrong);
      assert.equal(headers["www-authenticate"], 'Bearer error="invalid_token"');
    }
    const missing = await ask(api, GET);
    assert.equal(missing.told, "401 missing_authorization");
    assert.match(missing.body.error, /access token/);
    assert.equal(missing.headers["www-authenticate"], "Bearer");
    assert.equal((await api.store.accounts.list({ text: null, limit: 9 })).total, 1);
  });

  it("says when the provider is away, and lets agent keys go on meanwhile", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada");
    const key = await addAgentKey(api, token);
    api.identity.isAway = true;
    const away = await ask(api, GET, { token });
    assert.deepEqual([away.told, away.headers["retry-after"]], ["503 auth_unavailable", "1"]);
    const made = await ask(api, ["POST", "/api/bots"], { token: key, payload: { name: "Neo" } });
    assert.equal(made.told, "201");
  });

  it("is refused to another site's pages, before the credential is looked at", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada");
    for (const origin of ["https://evil.example", "null", "http://localhost:7778"]) {
      const { told } = await ask(api, GET, { token, headers: { origin } });
      assert.equal(told, "403", origin);
    }
    assert.equal((await ask(api, GET, { headers: { origin: "null" } })).told, "403");
    const own = await ask(api, GET, { token, headers: { origin: "http://localhost:7777" } });
    assert.equal(own.told, "200");
  });

  it("is over for sessions from before a sign-out, in whole seconds", async () => {
    const api = accountApi();
    const { token, account } = await addPerson(api, "ada");
    const second = api.identity.people.get(token)!.claims.signedInAt;
    const [note] = await api.store.audit.list({ limit: 1 });
    await api.store.accounts.signOut(account.id, second, note!);
    assert.equal((await ask(api, GET, { token })).told, "200", "the same second");
    await api.store.accounts.signOut(account.id, second + 1, note!);
    assert.equal((await ask(api, GET, { token })).told, "401 invalid_session");
    const again = api.identity.signIn("ada", { signedInAt: second + 1 });
    assert.equal((await ask(api, GET, { token: again })).told, "200");
  });

  it("is closed by a ban until it is lifted", async () => {
    const api = accountApi();
    const { token, account } = await addPerson(api, "ada");
    const [note] = await api.store.audit.list({ limit: 1 });
    await api.store.accounts.setBan(account.id, { at: api.tick(), reason: null }, note!);
    assert.equal((await ask(api, GET, { token })).told, "403 account_banned");
    const late = await ask(api, HANDLE, { token, payload: { handle: 5 } });
    assert.equal(late.told, "403 account_banned", "before the body");
    await api.store.accounts.setBan(account.id, null, note!);
    assert.equal((await ask(api, GET, { token })).told, "200");
  });

  it("refuses before it reads a body", async () => {
    const { app } = accountApi();
    const payload = "x".repeat(100_000);
    const answer = await app.inject({ method: "PUT", url: "/api/account/handle", payload });
    assert.equal(answer.statusCode, 401);
  });
});

describe("a handle", () => {
  it("becomes the owner of the account's bots at once, wherever they are shown", async () => {
    const api = accountApi();
    const { token, account } = await addPerson(api, "ada");
    const bot = await addOwnBot(api, account, "Rex", { owner: "ada" });
    const page = async () => (await ask(api, ["GET", "/api/bots/Rex"])).body;
    assert.deepEqual([(await page()).owner, (await page()).owner_url], ["ada", "/user/ada"]);
    const { told, body } = await ask(api, HANDLE, { token, payload: { handle: "Countess" } });
    assert.deepEqual([told, body.handle, body.suggested_handle], ["200", "Countess", null]);
    assert.deepEqual(
      [(await page()).owner, (await page()).owner_url],
      ["Countess", "/user/Countess"],
    );
    assert.ok(api.arena.told.includes(`changed ${bot.id} Rex active`));
    const [entry] = await api.store.audit.list({ kind: "account.handle", limit: 1 });
    assert.deepEqual(entry?.detail, { from: "ada", to: "Countess" });
    assert.deepEqual(entry?.actor, { kind: "account", id: account.id, name: "ada" });
  });

  it("is refused where it is malformed, reserved or somebody else's", async () => {
    const api = accountApi();
    await addPerson(api, "ada");
    const { token } = await addPerson(api, "eve", null);
    await addBot(api, "Rex", { owner: "Team", ownerId: "anon:team" });
    const told = async (handle: unknown) =>
      (await ask(api, HANDLE, { token, payload: { handle } })).told;
    for (const handle of ["", "a", ".ab", "a b", "admin", "Deleted", 5, null, "x".repeat(40)])
      assert.equal(await told(handle), "400 invalid_handle", String(handle));
    const { body } = await ask(api, HANDLE, { token, payload: { handle: "a b" } });
    assert.match(String(body.error), /^A handle has 2-39 /, "of a handle, not of any owner");
    for (const handle of ["ada", "ADA", "team"])
      assert.equal(await told(handle), "409 handle_taken", handle);
    assert.equal(await told("eve"), "200");
    assert.equal(await told("EVE"), "200", "another letter case");
  });

  it("is suggested with a number where it is taken or reserved", async () => {
    const api = accountApi();
    await addPerson(api, "ada");
    const suggestion = async (name: string, email: string) => {
      const token = api.identity.signIn(name, {}, { email });
      return (await ask(api, GET, { token })).body.suggested_handle as unknown;
    };
    assert.equal(await suggestion("a", "ada@elsewhere.example"), "ada-2");
    assert.equal(await suggestion("b", "support@elsewhere.example"), "support-2");
    assert.equal(await suggestion("c", "é@elsewhere.example"), null);
  });
});

describe("notifications", () => {
  const PUT = ["PUT", "/api/account/notifications"] as const;

  it("change what is named and leave the rest, before a handle is chosen too", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada", null);
    const change = async (payload: object) => (await ask(api, PUT, { token, payload })).body;
    const first = await change({ email_preferences: { weekly_digest: true } });
    assert.equal(first.email_preferences.weekly_digest, true);
    const second = await change({ email_announcements: false });
    assert.deepEqual(
      [second.email_announcements, second.email_preferences.weekly_digest],
      [false, true],
    );
    assert.equal(second.email_preferences.onboarding, true);
  });

  it("take no field that they do not know", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada");
    for (const payload of [
      { email_anouncements: false },
      { email_preferences: { digest: true } },
      { email_preferences: { weekly_digest: "yes" } },
      { email_announcements: 1 },
    ])
      assert.equal((await ask(api, PUT, { token, payload })).told, "400", JSON.stringify(payload));
    const { body } = await ask(api, PUT, { token, payload: { role: "admin" } });
    assert.equal(body.error, "The field 'role' is not known here.");
  });
});
