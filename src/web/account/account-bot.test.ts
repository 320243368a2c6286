import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { hashToken } from "#data/credentials/token.ts";
import {
  accountApi,
  addAgentKey,
  addAccountBot,
  addOwnerKey,
  signUpAccount,
  sendRequest,
  accountWithBots,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { addTestBot, botTokenOf } from "#testing/fixtures/test-api.ts";
import { statusChange } from "#testing/store-contract/store-samples.ts";

function play(api: AccountApi, botId: string): void {
  const session = { name: "x", house: false, online: true, version: "v1", versionId: null };
  api.arena.bots.push({ ...session, botId, ladderId: null, state: "playing", matchId: null });
}

describe("audit entries for owners' changes to their bots", () => {
  it("record the owner as the affected account, for both sessions and agent keys", async () => {
    const { api, token, account } = await accountWithBots();
    const key = await addAgentKey(api, token);
    await addTestBot(api, "Loose");
    const bots = "/api/account/bots";
    const steps = [
      ["POST", "/api/bots", key, { name: "Neo" }],
      ["POST", `${bots}/Neo/token`, token],
      ["PUT", `${bots}/Neo/name`, token, { name: "Neon" }],
      ["DELETE", `${bots}/Neon`, token],
      ["POST", "/api/account/claim", token, { token: botTokenOf("Loose") }],
      ["DELETE", `${bots}/Old`, token],
    ] as const;
    for (const [method, url, credential, payload] of steps) {
      const { told: outcome } = await sendRequest(api, [method, url], {
        token: credential,
        ...(payload && { payload }),
      });
      assert.match(outcome, /^20/, url);
    }
    const entries = await api.store.audit.list({ accountId: account.id, limit: 99 });
    const botEntries = entries.filter(({ kind }) => kind.startsWith("bot."));
    assert.deepEqual(
      botEntries.map(({ kind, person }) => `${kind} ${person?.id === account.id} ${person?.name}`),
      ["retired", "claimed", "deleted", "renamed", "rotated", "registered"].map(
        (step) => `bot.${step} true ada`,
      ),
    );
  });
});

const kinds = async ({ store }: AccountApi) =>
  (await store.audit.list({ limit: 99 })).map(({ kind }) => kind);

describe("registering a bot", () => {
  it("assigns the bot to the account of the session or agent key", async () => {
    const api = accountApi();
    const { token, account } = await signUpAccount(api, "ada");
    const key = await addAgentKey(api, token);
    const credentialCases = [
      ["/api/account/bots", { token }],
      ["/api/bots", { token }],
      ["/api/bots", { token: key }],
      ["/api/bots", { headers: { "x-owner-key": key } }],
    ] as const;
    for (const [index, [url, credential]] of credentialCases.entries()) {
      const payload = { name: `Neo-${index}`, owner: "somebody" };
      const {
        told: outcome,
        body,
        headers,
      } = await sendRequest(api, ["POST", url], { ...credential, payload });
      assert.equal(outcome, "201");
      assert.equal(headers.location, `/api/bots/Neo-${index}`);
      const tokenOwner = await api.store.bots.byToken(hashToken(String(body.token)));
      assert.deepEqual([tokenOwner?.bot.owner, tokenOwner?.bot.ownerId], ["ada", account.id]);
    }
    const entries = await api.store.audit.list({ kind: "bot.registered", limit: 9 });
    assert.deepEqual(
      entries.map(({ actor }) => `${actor.kind} ${actor.name}`),
      ["agent_key agent", "agent_key agent", "account ada", "account ada"],
    );
  });

  it("requires a handle, then an available name, then a free slot", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "eve", null);
    const add = async (name: string) =>
      (await sendRequest(api, ["POST", "/api/account/bots"], { token, payload: { name } })).told;
    assert.equal(await add("Rex"), "409 handle_required");
    assert.equal(await add("admin"), "409 handle_required");
    await sendRequest(api, ["PUT", "/api/account/handle"], { token, payload: { handle: "eve" } });
    assert.equal(await add("admin"), "400 invalid_bot");
    for (let number = 0; number < 5; number += 1) assert.equal(await add(`Bot-${number}`), "201");
    assert.equal(await add("Bot-5"), "409 bot_limit");
    assert.equal(await add("bot-1"), "400 invalid_bot");
  });

  it("applies the account's own bot limit if an operator has set one", async () => {
    const api = accountApi();
    const { token, account } = await signUpAccount(api, "ada");
    const [auditEntry] = await api.store.audit.list({ limit: 1 });
    await api.store.accounts.setMaxBots(account.id, 1, auditEntry!);
    const add = async (name: string) =>
      (await sendRequest(api, ["POST", "/api/bots"], { token, payload: { name } })).told;
    assert.deepEqual([await add("One"), await add("Two")], ["201", "409 bot_limit"]);
    const { body } = await sendRequest(api, ["GET", "/api/account"], { token });
    assert.deepEqual([body.max_bots, body.bot_count], [1, 1]);
  });

  it("is refused while registration is closed", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada", null);
    api.liveSettings.change({ registration_open: false });
    for (const url of ["/api/bots", "/api/account/bots"] as const) {
      const { told: outcome } = await sendRequest(api, ["POST", url], {
        token,
        payload: { name: "Neo" },
      });
      assert.equal(outcome, "403 registration_closed", url);
    }
  });

  it("rejects credentials that don't belong to an account", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada");
    await addTestBot(api, "Rex");
    const appToken = api.identity.signIn("program", { clientId: "client-1" });
    const payload = { name: "Neo" };
    for (const badCredential of [
      undefined,
      botTokenOf("Rex"),
      appToken,
      "bout_key_x",
      "bout_owner_x",
    ]) {
      const { told: outcome, body } = await sendRequest(api, ["POST", "/api/bots"], {
        token: badCredential,
        payload,
      });
      assert.equal(outcome, "401 authentication_required", String(badCredential));
      assert.equal(body.account_url, "http://localhost:7777/account");
      const words =
        badCredential === undefined ? /^Registering a bot needs/ : /expired or revoked\.$/;
      assert.match(String(body.error), words);
    }
    const owner = await addOwnerKey(api, "Team", 1);
    for (const badCredential of ["", "x", token, botTokenOf("Rex"), "bout_key_x", owner]) {
      const headers = { "x-owner-key": badCredential };
      const { told: outcome } = await sendRequest(api, ["POST", "/api/bots"], {
        token,
        headers,
        payload,
      });
      assert.equal(outcome, "400 invalid_owner_key", badCredential);
    }
  });

  it("lets an owner key register bots on an anonymous ladder, up to its limit", async () => {
    const api = accountApi({ anonymous: true });
    const headers = { "x-owner-key": await addOwnerKey(api, "Team", 1) };
    const add = async (name: string) =>
      (await sendRequest(api, ["POST", "/api/bots"], { headers, payload: { name, owner: "me" } }))
        .told;
    assert.deepEqual([await add("One"), await add("Two")], ["201", "409 bot_limit"]);
    const bot = await api.store.bots.byName("One");
    assert.deepEqual([bot?.owner, bot?.ownerId], ["Team", "anon:team"]);
  });

  it("rejects a handle as the owner name on an anonymous ladder", async () => {
    const api = accountApi({ anonymous: true });
    await signUpAccount(api, "ada");
    const add = async (payload: object) =>
      (await sendRequest(api, ["POST", "/api/bots"], { payload })).told;
    assert.equal(await add({ name: "Neo", owner: "ADA" }), "400 invalid_handle");
    assert.equal(await add({ name: "Ada" }), "400 invalid_handle", "a bot that owns itself");
    assert.equal(await add({ name: "Neo", owner: "somebody" }), "201");
  });
});

describe("renaming a bot", () => {
  const rename = (
    { api, token }: Awaited<ReturnType<typeof accountWithBots>>,
    from: string,
    name: unknown,
  ) => sendRequest(api, ["PUT", `/api/account/bots/${from}/name`], { token, payload: { name } });

  it("changes only the name, and the old name redirects for a limited time", async () => {
    const owner = await accountWithBots();
    const { api, rex } = owner;
    const { told: outcome, body } = await rename(owner, "rex", "Neo");
    assert.deepEqual([outcome, body], ["200", { name: "Neo" }]);
    assert.equal((await api.store.bots.byToken(hashToken(botTokenOf("Rex"))))?.bot.name, "Neo");
    assert.ok(api.arena.calls.includes(`changed ${rex.id} Neo active`));
    for (const name of ["Neo", "Rex", "REX"])
      assert.equal((await sendRequest(api, ["GET", `/api/bots/${name}`])).body.id, rex.id, name);
    assert.equal((await rename(owner, "Rex", "Any")).told, "404 no_such_bot", "for the write only");
    assert.equal((await rename(owner, "Neo", "NEO")).told, "200");
    assert.equal((await rename(owner, "Neo", "Rex")).told, "200", "its own former name");
    const [entry] = await api.store.audit.list({ kind: "bot.renamed", limit: 9 });
    assert.deepEqual(entry?.detail, { from: "NEO", to: "Rex" });
  });

  it("rejects malformed, reserved and taken names, and bots in a match", async () => {
    const owner = await accountWithBots();
    for (const name of ["a", "house-kiter", "Foe", "fOE", "Old", 5, null, ""])
      assert.equal((await rename(owner, "Rex", name)).told, "400 invalid_bot", String(name));
    for (const name of ["Foe", "nobody", "%20"])
      assert.equal((await rename(owner, name, "Neo")).told, "404 no_such_bot", name);
    play(owner.api, owner.rex.id);
    assert.equal((await rename(owner, "Rex", "Neo")).told, "409 bot_in_match");
    await owner.api.store.bots.setStatus(owner.rex.id, statusChange("suspended"));
    assert.equal((await rename(owner, "Rex", "Neo")).told, "409 bot_moderated");
    await owner.api.store.bots.setStatus(owner.rex.id, statusChange("retired"));
    assert.equal((await rename(owner, "Rex", "Neo")).told, "409 bot_retired");
  });
});

describe("rotating a bot's token", () => {
  it("takes effect immediately and notifies the connected bot", async () => {
    const { api, token, rex } = await accountWithBots();
    const { told: outcome, body } = await sendRequest(
      api,
      ["POST", "/api/account/bots/Rex/token"],
      { token },
    );
    assert.deepEqual([outcome, body.name], ["200", "Rex"]);
    assert.equal((await sendRequest(api, ["GET", "/api/me"], { token: body.token })).told, "200");
    assert.equal(
      (await sendRequest(api, ["GET", "/api/me"], { token: botTokenOf("Rex") })).told,
      "401 invalid_token",
    );
    assert.deepEqual(api.arena.calls, [`rotated ${rex.id}`]);
    const [entry] = await api.store.audit.list({ kind: "bot.rotated", limit: 1 });
    assert.equal(entry?.actor.kind, "account");
  });

  it("is refused for suspended and banned bots and for bots that belong to other accounts", async () => {
    const { api, token, rex } = await accountWithBots();
    const rotate = async (name: string) =>
      (await sendRequest(api, ["POST", `/api/account/bots/${name}/token`], { token })).told;
    assert.equal(await rotate("Foe"), "404 no_such_bot");
    await api.store.bots.setStatus(rex.id, statusChange("banned"));
    assert.equal(await rotate("Rex"), "409 bot_moderated");
    await api.store.bots.setStatus(rex.id, statusChange("retired"));
    assert.equal(await rotate("Rex"), "409 bot_retired");
  });
});

describe("changing a bot's avatar", () => {
  it("accepts only known avatars, whatever the bot's status", async () => {
    const { api, token, rex } = await accountWithBots();
    const setAvatar = async (avatar: unknown, name = "Rex") =>
      (
        await sendRequest(api, ["PUT", `/api/account/bots/${name}/avatar`], {
          token,
          payload: { avatar },
        })
      ).told;
    assert.equal(await setAvatar("ronin"), "200");
    assert.equal((await sendRequest(api, ["GET", "/api/bots/Rex"])).body.avatar, "ronin");
    await api.store.bots.setStatus(rex.id, statusChange("banned"));
    assert.equal(await setAvatar(null), "200");
    for (const badCredential of ["RONIN", "", 5, {}])
      assert.equal(await setAvatar(badCredential), "400 unknown_avatar");
    assert.equal(await setAvatar("ronin", "Foe"), "404 no_such_bot");
  });
});

describe("deleting or retiring a bot", () => {
  it("deletes a bot that never played, which frees its name and slot", async () => {
    const { api, token, account, rex } = await accountWithBots();
    const { told: outcome, body } = await sendRequest(api, ["DELETE", "/api/account/bots/rex"], {
      token,
    });
    assert.deepEqual([outcome, body], ["200", { name: "Rex", outcome: "deleted" }]);
    assert.deepEqual(api.arena.calls, [
      `withheld ${rex.id}`,
      `deleted ${rex.id}`,
      `let go ${rex.id}`,
    ]);
    assert.equal((await sendRequest(api, ["GET", "/api/bots/Rex"])).told, "404 no_such_bot");
    assert.equal((await sendRequest(api, ["GET", "/api/account"], { token })).body.bot_count, 1);
    await addAccountBot(api, account, "Rex");
    assert.equal((await sendRequest(api, ["GET", "/api/bots/Rex"])).told, "200");
  });

  it("reports a single deletion for two concurrent requests", async () => {
    const { api, token } = await accountWithBots();
    const end = async () =>
      (await sendRequest(api, ["DELETE", "/api/account/bots/rex"], { token })).told;
    assert.deepEqual((await Promise.all([end(), end()])).toSorted(), ["200", "404 no_such_bot"]);
    assert.equal((await api.store.audit.list({ kind: "bot.deleted", limit: 9 })).length, 1);
  });

  it("permanently retires a bot that has played, and a repeated request changes nothing", async () => {
    const { api, token, old } = await accountWithBots();
    for (const repeat of [false, true]) {
      const { told: outcome, body } = await sendRequest(api, ["DELETE", "/api/account/bots/Old"], {
        token,
      });
      assert.deepEqual([outcome, body], ["200", { name: "Old", outcome: "retired" }], `${repeat}`);
    }
    assert.deepEqual(api.arena.calls, [`changed ${old.id} Old retired`]);
    assert.deepEqual((await kinds(api)).filter((kind) => kind === "bot.retired").length, 1);
    assert.equal((await sendRequest(api, ["GET", "/api/bots/Old"])).body.status, "retired");
  });

  it("is refused while the bot is playing its first match", async () => {
    const { api, token, rex, old } = await accountWithBots();
    for (const { id } of [rex, old]) play(api, id);
    const end = async (name: string) =>
      (await sendRequest(api, ["DELETE", `/api/account/bots/${name}`], { token })).told;
    assert.deepEqual([await end("Rex"), await end("Old")], ["409 bot_in_match", "200"]);
  });

  it("is refused for moderated bots and for bots that belong to other accounts", async () => {
    const { api, token, rex } = await accountWithBots();
    const end = async (name: string) =>
      (await sendRequest(api, ["DELETE", `/api/account/bots/${name}`], { token })).told;
    for (const status of ["suspended", "banned"] as const) {
      await api.store.bots.setStatus(rex.id, statusChange(status));
      assert.equal(await end("Rex"), "409 bot_moderated");
    }
    assert.equal(await end("Foe"), "404 no_such_bot");
  });

  it("with an agent key, deletes but never retires a bot", async () => {
    const { api, token, rex, old } = await accountWithBots();
    const key = await addAgentKey(api, token);
    const end = (name: string, headers: Record<string, string>) =>
      sendRequest(api, ["DELETE", `/api/bots/${name}`], { headers });
    const bearer = { authorization: `Bearer ${key}` };
    assert.equal((await end("Old", bearer)).told, "409 bot_has_played");
    assert.equal((await end("Foe", bearer)).told, "404 no_such_bot");
    play(api, rex.id);
    assert.equal((await end("Rex", bearer)).told, "409 bot_in_match");
    api.arena.bots.length = 0;
    const { body } = await end("Rex", { "x-owner-key": key });
    assert.deepEqual(body, { name: "Rex", outcome: "deleted" });
    await api.store.bots.setStatus(old.id, statusChange("suspended"));
    assert.equal((await end("Old", bearer)).told, "409 bot_moderated");
    await api.store.bots.setStatus(old.id, statusChange("retired"));
    assert.deepEqual((await end("Old", bearer)).body, { name: "Old", outcome: "retired" });
    for (const badCredential of [token, botTokenOf("Old"), `${key}x`])
      for (const headers of [
        { authorization: `Bearer ${badCredential}` },
        { "x-owner-key": badCredential },
      ])
        assert.equal((await end("Old", headers)).told, "400 invalid_owner_key");
    assert.equal((await end("Old", {})).told, "400 invalid_owner_key");
  });
});

describe("a claim", () => {
  const claim = (api: AccountApi, token: string, bot: unknown) =>
    sendRequest(api, ["POST", "/api/account/claim"], { token, payload: { token: bot } });

  it("transfers the bot with its token, versions and matches", async () => {
    const { api, token, account } = await accountWithBots();
    const { told: outcome, body } = await claim(api, token, botTokenOf("Foe"));
    assert.deepEqual([outcome, body], ["200", { name: "Foe", owner: "ada" }]);
    const secondResponse = await claim(api, token, botTokenOf("Foe"));
    assert.equal(secondResponse.told, "200", "one's own");
    const { body: me } = await sendRequest(api, ["GET", "/api/me"], { token: botTokenOf("Foe") });
    assert.deepEqual([me.owner, me.owner_url, me.versions_total], ["ada", "/user/ada", 1]);
    const opponent = await api.store.bots.byName("Foe");
    assert.equal(opponent?.ownerId, account.id);
    const [entry] = await api.store.audit.list({ kind: "bot.claimed", limit: 9 });
    assert.deepEqual(entry?.detail, { from: "Foe", to: "ada" });
  });

  it("checks handle, token, ownership, status and limit in this order", async () => {
    const { api } = await accountWithBots();
    const { token } = await signUpAccount(api, "eve", null);
    assert.equal((await claim(api, token, "nothing")).told, "409 handle_required");
    await sendRequest(api, ["PUT", "/api/account/handle"], { token, payload: { handle: "eve" } });
    assert.equal((await claim(api, token, "nothing")).told, "401 invalid_token");
    assert.equal((await claim(api, token, botTokenOf("Rex"))).told, "409 already_claimed");
    await addTestBot(api, "house-kiter", { house: true, owner: "house", ownerId: "house" });
    assert.equal((await claim(api, token, botTokenOf("house-kiter"))).told, "409 already_claimed");
    api.liveSettings.change({ bots_per_owner: 1 });
    await sendRequest(api, ["POST", "/api/account/bots"], { token, payload: { name: "Eve-1" } });
    await addTestBot(api, "Held", { status: "suspended" });
    await addTestBot(api, "Gone", { status: "retired" });
    assert.equal((await claim(api, token, botTokenOf("Held"))).told, "409 bot_moderated");
    assert.equal((await claim(api, token, botTokenOf("Gone"))).told, "409 bot_retired");
    assert.equal((await claim(api, token, botTokenOf("Foe"))).told, "409 bot_limit");
    assert.equal((await claim(api, token, 5)).told, "400");
  });
});
