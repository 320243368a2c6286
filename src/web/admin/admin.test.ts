// What operators do to bots, accounts and owners.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";

import { hashToken } from "#data/access/token.ts";
import {
  accountApi,
  addAgentKey,
  addOwnBot,
  addPerson,
  ask,
  promote,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { addBot, addMatch, addVersion, testApi, tokenOf } from "#testing/fixtures/test-api.ts";
import { toStatus } from "#testing/store-cases/store-samples.ts";

/** Grace is an admin by her role, root by configuration, and Ada has bots Rex and Old. */
async function world() {
  const api = accountApi();
  const grace = await addPerson(api, "grace");
  await promote(api, grace.account);
  const ada = await addPerson(api, "ada");
  const rex = await addOwnBot(api, ada.account, "Rex");
  const old = await addOwnBot(api, ada.account, "Old");
  const foe = await addBot(api, "Foe");
  await addMatch(api, [await addVersion(api, old, "v1"), await addVersion(api, foe, "v1")]);
  const post = (url: string, payload?: object) =>
    ask(api, ["POST", `/api/admin/${url}`], {
      token: grace.token,
      ...(payload !== undefined && { payload }),
    });
  const get = (url: string) => ask(api, ["GET", `/api/admin/${url}`], { token: grace.token });
  return { api, grace, ada, rex, old, post, get };
}

const entriesOf = async (
  { store }: AccountApi,
  kind: Parameters<typeof store.audit.list>[0]["kind"],
) => store.audit.list({ ...(kind && { kind }), limit: 9 });

describe("who is an operator", () => {
  const ADMINS = ["GET", "/api/admin/admins"] as const;

  it("is an admin by role or by configuration, in a browser or with a key", async () => {
    const { api, grace } = await world();
    const root = await addPerson(api, "root", null);
    const key = await addAgentKey(api, grace.token);
    for (const token of [grace.token, root.token, key]) {
      const { told, body, headers } = await ask(api, ADMINS, { token });
      assert.equal(told, "200");
      assert.equal(headers["cache-control"], "private, no-store");
      assert.equal(headers.vary, "Authorization");
      assert.deepEqual(body, [
        { handle: "grace", configured: false },
        { handle: null, configured: true },
      ]);
    }
  });

  it("is nobody else", async () => {
    const { api, grace, ada } = await world();
    const unproved = api.identity.signIn("root", {}, { emailConfirmedAt: null });
    const social = api.identity.signIn(
      "root2",
      {},
      { email: "root@example.org", providers: ["x"] },
    );
    const key = await addAgentKey(api, ada.token);
    const told = async (token?: string, headers = {}) =>
      (await ask(api, ADMINS, { token, headers })).told;
    assert.equal(await told(), "401 admin_required");
    for (const token of [tokenOf("Rex"), "bout_key_x", "x.y.z"])
      assert.equal(await told(token), "401 invalid_session", token);
    for (const token of [ada.token, key, unproved, social])
      assert.equal(await told(token), "403 not_admin", token);
    assert.equal(await told(grace.token, { origin: "https://evil.example" }), "403");
  });

  it("loses it at once with the role, the key or by a ban", async () => {
    const { api, grace } = await world();
    const root = await addPerson(api, "root");
    const key = await addAgentKey(api, grace.token);
    const told = async (token: string) => (await ask(api, ADMINS, { token })).told;
    const demote = { token: root.token, payload: { role: "player" } };
    await ask(api, ["POST", "/api/admin/accounts/grace/role"], demote);
    for (const token of [grace.token, key]) assert.equal(await told(token), "403 not_admin");
    const ban = { token: root.token, payload: { reason: "x" } };
    assert.equal((await ask(api, ["POST", "/api/admin/accounts/grace/ban"], ban)).told, "200");
    for (const token of [grace.token, key]) assert.equal(await told(token), "403 account_banned");
  });

  it("works with a key while the provider is away", async () => {
    const { api, grace } = await world();
    const key = await addAgentKey(api, grace.token);
    api.identity.isAway = true;
    assert.equal((await ask(api, ADMINS, { token: grace.token })).told, "503 auth_unavailable");
    assert.equal((await ask(api, ADMINS, { token: key })).told, "200");
  });

  it("is nobody on a server without accounts", async () => {
    const api = testApi();
    assert.equal((await ask(api, ADMINS)).told, "401 admin_required");
    const { told } = await ask(api, ["POST", "/api/admin/any"], { token: "bout_key_x" });
    assert.equal(told, "401 invalid_session");
  });

  it("sends no field that a route does not know", async () => {
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

describe("moderation of bots", () => {
  it("suspends, lets play again, and bans for good", async () => {
    const { api, rex, ada, post } = await world();
    const told = async (verb: string) => {
      const { told, body } = await post(`bots/rex/${verb}`, { reason: verb });
      return `${told} ${body.status ?? ""}`.trim();
    };
    assert.equal(await told("activate"), "200 active");
    assert.deepEqual(
      [await told("suspend"), await told("suspend")],
      ["200 suspended", "200 suspended"],
    );
    assert.equal(
      (await ask(api, ["GET", "/api/me"], { token: tokenOf("Rex") })).told,
      "403 suspended",
    );
    assert.equal(await told("activate"), "200 active");
    assert.deepEqual([await told("ban"), await told("ban")], ["200 banned", "200 banned"]);
    assert.deepEqual(
      [await told("activate"), await told("suspend")],
      ["409 bot_moderated", "409 bot_moderated"],
    );
    const found = await api.store.bots.byToken(hashToken(tokenOf("Rex")));
    assert.equal(found?.stale, true, "the token was rotated");
    assert.equal(
      (await ask(api, ["GET", "/api/me"], { token: tokenOf("Rex") })).told,
      "403 banned",
    );
    assert.deepEqual(
      api.arena.told.filter((line) => line.includes(rex.id)),
      ["suspended", "active", "banned"].map((status) => `changed ${rex.id} Rex ${status}`),
    );
    const { body } = await ask(api, ["GET", "/api/account"], { token: ada.token });
    const [shown] = body.bots as { status: string; status_reason: string }[];
    assert.deepEqual([shown?.status, shown?.status_reason], ["banned", "ban"]);
    const [entry] = await entriesOf(api, "bot.banned");
    assert.deepEqual(
      [entry?.reason, entry?.actor.name, entry?.subject?.name],
      ["ban", "grace", "Rex"],
    );
    assert.equal((await entriesOf(api, "bot.suspended")).length, 1, "a repetition is no entry");
  });

  it("knows retired bots, house bots and those that are not there", async () => {
    const { api, old, post } = await world();
    await api.store.bots.setStatus(old.id, toStatus("retired"));
    await addBot(api, "house-kiter", { house: true, owner: "house", ownerId: "house" });
    for (const verb of ["suspend", "activate", "ban"])
      assert.equal((await post(`bots/Old/${verb}`)).told, "409 bot_retired", verb);
    assert.equal((await post("bots/house-kiter/ban")).told, "409 house_bot");
    assert.equal((await post("bots/house-kiter/suspend")).body.status, "suspended");
    assert.equal((await post("bots/nobody/ban", {})).told, "404 no_such_bot");
  });
});

describe("operators on accounts", () => {
  it("list them newest first, and never with an address", async () => {
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
    const found = async (query: string) => {
      const { accounts } = (await get(`accounts?${query}`)).body;
      return (accounts as { handle: string }[]).map(({ handle }) => handle);
    };
    assert.deepEqual(await found("q=AD"), ["ada"]);
    assert.deepEqual(await found("q=re"), ["ada"], "by a bot");
    assert.deepEqual(await found("q=Grace@example.org"), ["grace"]);
    assert.deepEqual(await found("q=@example.org"), []);
    assert.deepEqual(await found(`q=${ada.account.id}`), ["ada"]);
    assert.deepEqual(await found("limit=1"), ["ada"]);
    for (const query of ["limit=0", "limit=501", "limit=x", "q=a%00b"])
      assert.equal((await get(`accounts?${query}`)).told, "400", query);
  });

  it("give and take the role", async () => {
    const { api, ada, post } = await world();
    const given = await post("accounts/ADA/role", { role: "admin", reason: "helps" });
    assert.deepEqual(given.body, { handle: "ada", role: "admin", admin: true });
    const [entry] = await entriesOf(api, "account.role");
    assert.deepEqual([entry?.reason, entry?.detail], ["helps", { from: "player", to: "admin" }]);
    const role = { role: "player" };
    assert.equal((await post("accounts/grace/role", role)).told, "409 own_role");
    assert.equal((await post(`accounts/${ada.account.id}/role`, role)).body.admin, false);
    const root = await addPerson(api, "root", "boss");
    assert.equal((await post("accounts/boss/role", role)).told, "409 configured_admin");
    for (const name of ["nobody", "a%00b", "%20"])
      assert.equal((await post(`accounts/${name}/role`, role)).told, "404", name);
    assert.equal((await post("accounts/ada/role", { role: "king" })).told, "400");
    await post("accounts/ada/ban");
    assert.equal((await post("accounts/ada/role", role)).told, "409 account_banned");
    assert.equal(root.account.role, "player", "the configuration alone makes an admin");
  });

  it("ban somebody with their bots, and lift it again", async () => {
    const { api, ada, rex, post } = await world();
    const banned = await post("accounts/ada/ban", { reason: "spam" });
    assert.deepEqual([banned.told, banned.body.handle], ["200", "ada"]);
    assert.ok(banned.body.banned !== null);
    assert.ok(api.arena.told.includes(`changed ${rex.id} Rex active`));
    const me = () => ask(api, ["GET", "/api/me"], { token: tokenOf("Rex") });
    const account = () => ask(api, ["GET", "/api/account"], { token: ada.token });
    assert.deepEqual(
      [(await me()).told, (await account()).told],
      ["403 account_banned", "403 account_banned"],
    );
    assert.equal((await post("accounts/ada/ban")).told, "200", "again");
    assert.equal((await entriesOf(api, "account.ban")).length, 1);
    const lifted = await post("accounts/ada/unban");
    assert.equal(lifted.body.banned, null);
    assert.deepEqual([(await me()).told, (await account()).told], ["200", "200"]);
    assert.equal((await post("accounts/grace/ban")).told, "409 admin_account");
  });

  it("set how many bots somebody may have", async () => {
    const { api, grace, ada } = await world();
    const set = (max_bots: unknown) =>
      ask(api, ["PUT", "/api/admin/accounts/ada/max-bots"], {
        token: grace.token,
        payload: { max_bots },
      });
    assert.equal((await set(2)).body.max_bots, 2);
    const add = async () =>
      (await ask(api, ["POST", "/api/bots"], { token: ada.token, payload: { name: "Neo" } })).told;
    assert.equal(await add(), "409 bot_limit");
    assert.equal((await set(null)).body.max_bots, 5);
    assert.equal(await add(), "201");
    for (const wrong of [-1, 1.5, "2", 1_000_001]) assert.equal((await set(wrong)).told, "400");
  });

  it("sign somebody out: sessions and keys end, bots go on", async () => {
    const { api, ada, post } = await world();
    const key = await addAgentKey(api, ada.token);
    api.identity.people.get(ada.token)!.claims.signedInAt -= 1;
    const { told, body } = await post("accounts/ada/sign-out");
    assert.deepEqual([told, body.keys], ["200", 0]);
    const account = await ask(api, ["GET", "/api/account"], { token: ada.token });
    assert.equal(account.told, "401 invalid_session");
    const made = await ask(api, ["POST", "/api/bots"], { token: key, payload: { name: "Neo" } });
    assert.equal(made.told, "401 authentication_required");
    assert.equal((await ask(api, ["GET", "/api/me"], { token: tokenOf("Rex") })).told, "200");
    assert.equal((await entriesOf(api, "account.sign_out")).length, 1);
  });

  it("remove somebody: what played is banned, the rest deleted", async () => {
    const { api, grace, ada, rex, old } = await world();
    const remove = (name: string) =>
      ask(api, ["DELETE", `/api/admin/accounts/${name}?reason=cheats`], { token: grace.token });
    const { body } = await remove("ada");
    assert.deepEqual(body, { deleted: ada.account.id, handle: "ada", banned_bots: ["Old"] });
    assert.ok(api.arena.told.includes(`deleted ${rex.id}`));
    assert.ok(api.arena.told.includes(`changed ${old.id} Old banned`));
    assert.equal(
      (await ask(api, ["GET", "/api/me"], { token: tokenOf("Old") })).told,
      "403 banned",
    );
    assert.deepEqual(api.left, [ada.account.id]);
    const [entry] = await entriesOf(api, "account.deleted");
    assert.deepEqual([entry?.reason, entry?.actor.name], ["cheats", "grace"]);
    assert.equal((await remove("ada")).told, "404");
    assert.equal((await remove("grace")).told, "409 admin_account");
  });
});

describe("owners with a key", () => {
  it("are made with a key that is shown once, and listed with their bots", async () => {
    const { api, post, get } = await world();
    const made = await post("owners", { name: "Team A", max_bots: 2 });
    assert.equal(made.told, "201");
    const key = String(made.body.owner_key);
    assert.match(key, /^bout_owner_/);
    await addBot(api, "Neo", { owner: "Team A", ownerId: "anon:team a" });
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
    const deletion = await ask(api, ["DELETE", "/api/bots/Neo"], {
      headers: { "x-owner-key": key },
    });
    assert.equal(deletion.told, "400 invalid_owner_key");
  });
});

/** Both look before either writes, unless they come one after another. */
async function slowWorld() {
  const made = await world();
  const { byHandle } = made.api.store.accounts;
  Object.assign(made.api.store.accounts, {
    byHandle: async (...values: Parameters<typeof byHandle>) => {
      const found = await byHandle(...values);
      await setTimeout(50);
      return found;
    },
  });
  return made;
}

describe("two operators at once", () => {
  const STEPS = [
    ["role", { role: "admin" }, "409 account_banned"],
    ["ban", { reason: "noise" }, "409 admin_account"],
  ] as const;

  for (const order of [STEPS, [...STEPS].reverse()])
    it(`make nobody an admin who is banned: ${order[0]?.[0]} first`, async () => {
      const { post, api, ada } = await slowWorld();
      const told = await Promise.all(
        order.map(([verb, body]) => post(`accounts/ada/${verb}`, body)),
      );
      assert.deepEqual(
        told.map((one) => one.told),
        ["200", order[1]?.[2]],
      );
      const account = await api.store.accounts.byId(ada.account.id);
      assert.notEqual(account?.role === "admin", account?.bannedAt !== null);
    });

  it("remove nobody whom one of them makes an admin", async () => {
    const { post, api, grace, ada } = await slowWorld();
    const [made, removed] = await Promise.all([
      post("accounts/ada/role", { role: "admin" }),
      ask(api, ["DELETE", "/api/admin/accounts/ada"], { token: grace.token }),
    ]);
    const isThere = (await api.store.accounts.byId(ada.account.id)) !== null;
    const right = isThere ? ["200", "409 admin_account"] : ["404", "200"];
    assert.deepEqual([made.told, removed.told], right);
  });
});

describe("the overview", () => {
  it("has the caller, the admins, what goes on, and what was done last", async () => {
    const { grace, post, get } = await world();
    await post("bots/Rex/suspend", { reason: "noise" });
    const { told, body } = await get("overview");
    assert.equal(told, "200");
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
