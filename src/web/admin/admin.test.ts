import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";

import { hashToken } from "#data/credentials/token.ts";
import {
  accountApi,
  addAgentKey,
  addAccountBot,
  signUpAccount,
  sendRequest,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import {
  addTestBot,
  addMatch,
  addTestVersion,
  testApi,
  botTokenOf,
} from "#testing/fixtures/test-api.ts";
import { statusChange } from "#testing/store-contract/store-samples.ts";

/**
 * Opens an API where Grace is an admin by role, root is an admin by configuration, and Ada owns the
 * bots Rex and Old.
 */
async function world() {
  const api = accountApi();
  const grace = await signUpAccount(api, "grace");
  await makeAdmin(api, grace.account);
  const ada = await signUpAccount(api, "ada");
  const rex = await addAccountBot(api, ada.account, "Rex");
  const oldBot = await addAccountBot(api, ada.account, "Old");
  const opponent = await addTestBot(api, "Foe");
  await addMatch(api, [
    await addTestVersion(api, oldBot, "v1"),
    await addTestVersion(api, opponent, "v1"),
  ]);
  const post = (url: string, payload?: object) =>
    sendRequest(api, ["POST", `/api/admin/${url}`], {
      token: grace.token,
      ...(payload !== undefined && { payload }),
    });
  const get = (url: string) =>
    sendRequest(api, ["GET", `/api/admin/${url}`], { token: grace.token });
  return { api, grace, ada, rex, old: oldBot, post, get };
}

const entriesOf = async (
  { store }: AccountApi,
  kind: Parameters<typeof store.audit.list>[0]["kind"],
) => store.audit.list({ ...(kind && { kind }), limit: 9 });

describe("admin rights", () => {
  const ADMINS = ["GET", "/api/admin/admins"] as const;

  it("come from the role or the configuration, in a browser or with an agent key", async () => {
    const { api, grace } = await world();
    const root = await signUpAccount(api, "root", null);
    const key = await addAgentKey(api, grace.token);
    for (const token of [grace.token, root.token, key]) {
      const { told: outcome, body, headers } = await sendRequest(api, ADMINS, { token });
      assert.equal(outcome, "200");
      assert.equal(headers["cache-control"], "private, no-store");
      assert.equal(headers.vary, "Authorization");
      assert.deepEqual(body, [
        { handle: "grace", configured: false },
        { handle: null, configured: true },
      ]);
    }
  });

  it("are denied to all other callers", async () => {
    const { api, grace, ada } = await world();
    const unconfirmed = api.identity.signIn("root", {}, { emailConfirmedAt: null });
    const social = api.identity.signIn(
      "root2",
      {},
      { email: "root@example.org", providers: ["x"] },
    );
    const key = await addAgentKey(api, ada.token);
    const outcome = async (token?: string, headers = {}) =>
      (await sendRequest(api, ADMINS, { token, headers })).told;
    assert.equal(await outcome(), "401 admin_required");
    for (const token of [botTokenOf("Rex"), "bout_key_x", "x.y.z"])
      assert.equal(await outcome(token), "401 invalid_session", token);
    for (const token of [ada.token, key, unconfirmed, social])
      assert.equal(await outcome(token), "403 not_admin", token);
    assert.equal(await outcome(grace.token, { origin: "https://evil.example" }), "403");
  });

  it("end immediately when the role is removed, the key revoked or the account banned", async () => {
    const { api, grace } = await world();
    const root = await signUpAccount(api, "root");
    const key = await addAgentKey(api, grace.token);
    const outcome = async (token: string) => (await sendRequest(api, ADMINS, { token })).told;
    const demote = { token: root.token, payload: { role: "player" } };
    await sendRequest(api, ["POST", "/api/admin/accounts/grace/role"], demote);
    for (const token of [grace.token, key]) assert.equal(await outcome(token), "403 not_admin");
    const ban = { token: root.token, payload: { reason: "x" } };
    assert.equal(
      (await sendRequest(api, ["POST", "/api/admin/accounts/grace/ban"], ban)).told,
      "200",
    );
    for (const token of [grace.token, key])
      assert.equal(await outcome(token), "403 account_banned");
  });

  it("work with an agent key while the identity provider is down", async () => {
    const { api, grace } = await world();
    const key = await addAgentKey(api, grace.token);
    api.identity.isUnavailable = true;
    assert.equal(
      (await sendRequest(api, ADMINS, { token: grace.token })).told,
      "503 auth_unavailable",
    );
    assert.equal((await sendRequest(api, ADMINS, { token: key })).told, "200");
  });

  it("can't be held on a server without accounts", async () => {
    const api = testApi();
    assert.equal((await sendRequest(api, ADMINS)).told, "401 admin_required");
    const { told: outcome } = await sendRequest(api, ["POST", "/api/admin/any"], {
      token: "bout_key_x",
    });
    assert.equal(outcome, "401 invalid_session");
  });

  it("reject unknown fields", async () => {
    const { post } = await world();
    for (const [url, payload] of [
      ["bots/Rex/suspend", { why: "x" }],
      ["accounts/ada/ban", { reason: "x", until: "x" }],
      ["accounts/ada/role", { role: "admin", admin: true }],
      ["owners", { name: "Team", max_bots: 1, key: "x" }],
    ] as const)
      assert.equal((await post(url, payload)).told, "400", url);
    for (const reason of ["", "x".repeat(1001), 5])
      assert.equal((await post("bots/Rex/suspend", { reason })).told, "400");
  });
});

describe("bot moderation", () => {
  it("suspends, reactivates and bans a bot", async () => {
    const { api, rex, ada, post } = await world();
    const told = async (verb: string) => {
      const { told: outcome, body } = await post(`bots/rex/${verb}`, { reason: verb });
      return `${outcome} ${body.status ?? ""}`.trim();
    };
    assert.equal(await told("activate"), "200 active");
    assert.deepEqual(
      [await told("suspend"), await told("suspend")],
      ["200 suspended", "200 suspended"],
    );
    assert.equal(
      (await sendRequest(api, ["GET", "/api/me"], { token: botTokenOf("Rex") })).told,
      "403 suspended",
    );
    assert.equal(await told("activate"), "200 active");
    assert.deepEqual([await told("ban"), await told("ban")], ["200 banned", "200 banned"]);
    assert.deepEqual(
      [await told("activate"), await told("suspend")],
      ["409 bot_moderated", "409 bot_moderated"],
    );
    const tokenOwner = await api.store.bots.byToken(hashToken(botTokenOf("Rex")));
    assert.equal(tokenOwner?.stale, true, "the token was rotated");
    assert.equal(
      (await sendRequest(api, ["GET", "/api/me"], { token: botTokenOf("Rex") })).told,
      "403 banned",
    );
    assert.deepEqual(
      api.arena.calls.filter((line) => line.includes(rex.id)),
      ["suspended", "active", "banned"].map((status) => `changed ${rex.id} Rex ${status}`),
    );
    const { body } = await sendRequest(api, ["GET", "/api/account"], { token: ada.token });
    const [listedBot] = body.bots as { status: string; status_reason: string }[];
    assert.deepEqual([listedBot?.status, listedBot?.status_reason], ["banned", "ban"]);
    const [entry] = await entriesOf(api, "bot.banned");
    assert.deepEqual(
      [entry?.reason, entry?.actor.name, entry?.subject?.name],
      ["ban", "grace", "Rex"],
    );
    assert.equal(
      (await entriesOf(api, "bot.suspended")).length,
      1,
      "a repeated action adds no audit entry",
    );
  });

  it("refuses retired bots, house bots and unknown bots", async () => {
    const { api, old: oldBot, post } = await world();
    await api.store.bots.setStatus(oldBot.id, statusChange("retired"));
    await addTestBot(api, "house-kiter", { house: true, owner: "house", ownerId: "house" });
    for (const verb of ["suspend", "activate", "ban"])
      assert.equal((await post(`bots/Old/${verb}`)).told, "409 bot_retired", verb);
    assert.equal((await post("bots/house-kiter/ban")).told, "409 house_bot");
    assert.equal((await post("bots/house-kiter/suspend")).body.status, "suspended");
    assert.equal((await post("bots/nobody/ban", {})).told, "404 no_such_bot");
  });
});

describe("account administration", () => {
  it("lists accounts newest first, without email addresses", async () => {
    const { api, ada, rex, get } = await world();
    await addAgentKey(api, ada.token);
    const session = { name: "Rex", house: false, version: null, versionId: null, ladderId: null };
    api.arena.bots.push({ ...session, botId: rex.id, online: true, state: "idle", matchId: null });
    const { body } = await get("accounts");
    assert.deepEqual([body.total, body.found], [2, 2]);
    assert.deepEqual(body.accounts[0], {
      id: ada.account.id,
      handle: "ada",
      created: ada.account.created,
      admin: false,
      configured: false,
      banned: null,
      max_bots: 5,
      bots: [
        { name: "Rex", status: "active", online: true },
        { name: "Old", status: "active", online: false },
      ],
      keys: 1,
      key_last_used: null,
    });
    assert.ok(!JSON.stringify(body).includes("@"));
    const tokenOwner = async (query: string) => {
      const { accounts } = (await get(`accounts?${query}`)).body;
      return (accounts as { handle: string }[]).map(({ handle }) => handle);
    };
    assert.deepEqual(await tokenOwner("q=AD"), ["ada"]);
    assert.deepEqual(await tokenOwner("q=re"), ["ada"], "by a bot");
    assert.deepEqual(await tokenOwner("q=Grace@example.org"), ["grace"]);
    assert.deepEqual(await tokenOwner("q=@example.org"), []);
    assert.deepEqual(await tokenOwner(`q=${ada.account.id}`), ["ada"]);
    assert.deepEqual(await tokenOwner("limit=1"), ["ada"]);
    for (const query of ["limit=0", "limit=501", "limit=x", "q=a%00b"])
      assert.equal((await get(`accounts?${query}`)).told, "400", query);
  });

  it("grants and removes the admin role", async () => {
    const { api, ada, post } = await world();
    const roleResponse = await post("accounts/ADA/role", { role: "admin", reason: "helps" });
    assert.deepEqual(roleResponse.body, { handle: "ada", role: "admin", admin: true });
    const [entry] = await entriesOf(api, "account.role");
    assert.deepEqual([entry?.reason, entry?.detail], ["helps", { from: "player", to: "admin" }]);
    const role = { role: "player" };
    assert.equal((await post("accounts/grace/role", role)).told, "409 own_role");
    assert.equal((await post(`accounts/${ada.account.id}/role`, role)).body.admin, false);
    const root = await signUpAccount(api, "root", "boss");
    assert.equal((await post("accounts/boss/role", role)).told, "409 configured_admin");
    for (const name of ["nobody", "a%00b", "%20"])
      assert.equal((await post(`accounts/${name}/role`, role)).told, "404", name);
    assert.equal((await post("accounts/ada/role", { role: "king" })).told, "400");
    await post("accounts/ada/ban");
    assert.equal((await post("accounts/ada/role", role)).told, "409 account_banned");
    assert.equal(root.account.role, "player", "admin by configuration only");
  });

  it("bans an account with its bots, and lifts the ban", async () => {
    const { api, ada, rex, post } = await world();
    const banResponse = await post("accounts/ada/ban", { reason: "spam" });
    assert.deepEqual([banResponse.told, banResponse.body.handle], ["200", "ada"]);
    assert.ok(banResponse.body.banned !== null);
    assert.ok(api.arena.calls.includes(`changed ${rex.id} Rex active`));
    const me = () => sendRequest(api, ["GET", "/api/me"], { token: botTokenOf("Rex") });
    const account = () => sendRequest(api, ["GET", "/api/account"], { token: ada.token });
    assert.deepEqual(
      [(await me()).told, (await account()).told],
      ["403 account_banned", "403 account_banned"],
    );
    assert.equal((await post("accounts/ada/ban")).told, "200", "again");
    assert.equal((await entriesOf(api, "account.ban")).length, 1);
    const unbanResponse = await post("accounts/ada/unban");
    assert.equal(unbanResponse.body.banned, null);
    assert.deepEqual([(await me()).told, (await account()).told], ["200", "200"]);
    assert.equal((await post("accounts/grace/ban")).told, "409 admin_account");
  });

  it("sets how many bots an account may own", async () => {
    const { api, grace, ada } = await world();
    const setMaxBots = (max_bots: unknown) =>
      sendRequest(api, ["PUT", "/api/admin/accounts/ada/max-bots"], {
        token: grace.token,
        payload: { max_bots },
      });
    assert.equal((await setMaxBots(2)).body.max_bots, 2);
    const add = async () =>
      (
        await sendRequest(api, ["POST", "/api/bots"], {
          token: ada.token,
          payload: { name: "Neo" },
        })
      ).told;
    assert.equal(await add(), "409 bot_limit");
    assert.equal((await setMaxBots(null)).body.max_bots, 5);
    assert.equal(await add(), "201");
    for (const invalidLimit of [-1, 1.5, "2", 1_000_001])
      assert.equal((await setMaxBots(invalidLimit)).told, "400");
  });

  it("signs an account out: sessions and keys end, bots stay connected", async () => {
    const { api, ada, post } = await world();
    const key = await addAgentKey(api, ada.token);
    api.identity.peopleByToken.get(ada.token)!.claims.signedInAt -= 1;
    const { told: outcome, body } = await post("accounts/ada/sign-out");
    assert.deepEqual([outcome, body.keys], ["200", 0]);
    const account = await sendRequest(api, ["GET", "/api/account"], { token: ada.token });
    assert.equal(account.told, "401 invalid_session");
    const createResponse = await sendRequest(api, ["POST", "/api/bots"], {
      token: key,
      payload: { name: "Neo" },
    });
    assert.equal(createResponse.told, "401 authentication_required");
    assert.equal(
      (await sendRequest(api, ["GET", "/api/me"], { token: botTokenOf("Rex") })).told,
      "200",
    );
    assert.equal((await entriesOf(api, "account.sign_out")).length, 1);
  });

  it("deletes an account: bots that have played are banned, and all other bots are deleted", async () => {
    const { api, grace, ada, rex, old: oldBot } = await world();
    const remove = (name: string) =>
      sendRequest(api, ["DELETE", `/api/admin/accounts/${name}?reason=cheats`], {
        token: grace.token,
      });
    const { body } = await remove("ada");
    assert.deepEqual(body, { deleted: ada.account.id, handle: "ada", banned_bots: ["Old"] });
    assert.ok(api.arena.calls.includes(`deleted ${rex.id}`));
    assert.ok(api.arena.calls.includes(`changed ${oldBot.id} Old banned`));
    assert.equal(
      (await sendRequest(api, ["GET", "/api/me"], { token: botTokenOf("Old") })).told,
      "403 banned",
    );
    assert.deepEqual(api.deletedAccountIds, [ada.account.id]);
    const [entry] = await entriesOf(api, "account.deleted");
    assert.deepEqual([entry?.reason, entry?.actor.name], ["cheats", "grace"]);
    assert.equal((await remove("ada")).told, "404");
    assert.equal((await remove("grace")).told, "409 admin_account");
  });
});

describe("owners with a key", () => {
  it("receive a key that is shown once, and are listed with their bots", async () => {
    const { api, post, get } = await world();
    const createResponse = await post("owners", { name: "Team A", max_bots: 2 });
    assert.equal(createResponse.told, "201");
    const key = String(createResponse.body.owner_key);
    assert.match(key, /^bout_owner_/);
    await addTestBot(api, "Neo", { owner: "Team A", ownerId: "anon:team a" });
    const { body } = await get("owners");
    assert.deepEqual(body, [
      {
        name: "Team A",
        max_bots: 2,
        created: "2026-01-05T12:08:00.000Z",
        bots: [{ name: "Neo", status: "active", online: false }],
      },
    ]);
    const [entry] = await entriesOf(api, "owner.created");
    assert.ok(!JSON.stringify([body, entry]).includes(key));
    for (const name of ["team a", "ADA"])
      assert.equal((await post("owners", { name, max_bots: 2 })).told, "409 handle_taken", name);
    for (const name of ["", "house", "a/b"])
      assert.equal((await post("owners", { name, max_bots: 2 })).told, "400 invalid_handle", name);
    const deletion = await sendRequest(api, ["DELETE", "/api/bots/Neo"], {
      headers: { "x-owner-key": key },
    });
    assert.equal(deletion.told, "400 invalid_owner_key");
  });
});

/** Delays writes, so that concurrent requests would both read before either writes. */
async function slowWorld() {
  const createResponse = await world();
  const { byHandle } = createResponse.api.store.accounts;
  Object.assign(createResponse.api.store.accounts, {
    byHandle: async (...values: Parameters<typeof byHandle>) => {
      const tokenOwner = await byHandle(...values);
      await setTimeout(50);
      return tokenOwner;
    },
  });
  return createResponse;
}

describe("concurrent requests by two operators", () => {
  const STEPS = [
    ["role", { role: "admin" }, "409 account_banned"],
    ["ban", { reason: "noise" }, "409 admin_account"],
  ] as const;

  for (const sequence of [STEPS, [...STEPS].reverse()])
    it(`never make a banned account an admin: ${sequence[0]?.[0]} first`, async () => {
      const { post, api, ada } = await slowWorld();
      const outcome = await Promise.all(
        sequence.map(([verb, body]) => post(`accounts/ada/${verb}`, body)),
      );
      assert.deepEqual(
        outcome.map((item) => item.told),
        ["200", sequence[1]?.[2]],
      );
      const account = await api.store.accounts.byId(ada.account.id);
      assert.notEqual(account?.role === "admin", account?.bannedAt !== null);
    });

  it("never delete an account that the other operator makes an admin", async () => {
    const { post, api, grace, ada } = await slowWorld();
    const [createResponse, deleteResponse] = await Promise.all([
      post("accounts/ada/role", { role: "admin" }),
      sendRequest(api, ["DELETE", "/api/admin/accounts/ada"], { token: grace.token }),
    ]);
    const isThere = (await api.store.accounts.byId(ada.account.id)) !== null;
    const expected = isThere ? ["200", "409 admin_account"] : ["404", "200"];
    assert.deepEqual([createResponse.told, deleteResponse.told], expected);
  });
});

describe("the overview", () => {
  it("shows the caller, the admins, current activity and recent audit entries", async () => {
    const { grace, post, get } = await world();
    await post("bots/Rex/suspend", { reason: "noise" });
    const { told: outcome, body } = await get("overview");
    assert.equal(outcome, "200");
    assert.deepEqual(body.caller, { id: grace.account.id, handle: "grace", configured: false });
    assert.deepEqual(body.admins, [{ handle: "grace", configured: false }]);
    assert.deepEqual(body.status.capacity, { running: 0, max: 320 });
    const [bot] = body.bots;
    assert.deepEqual(
      [bot.name, bot.owner, bot.status, bot.reason],
      ["Rex", "ada", "suspended", "noise"],
    );
    assert.equal(body.audit[0].kind, "bot.suspended");
    assert.equal(body.attention.disk_free_bytes, 8 * 1024 ** 3);
  });
});
