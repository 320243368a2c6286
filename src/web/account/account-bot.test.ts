// The bots of an account: a new one, another name, token or picture, a claim, and their end.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { hashToken } from "#data/access/token.ts";
import {
  accountApi,
  addAgentKey,
  addOwnBot,
  addOwnerKey,
  addPerson,
  ask,
  personWithBots,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { addBot, tokenOf } from "#testing/fixtures/test-api.ts";
import { toStatus } from "#testing/store-cases/store-samples.ts";

function play(api: AccountApi, botId: string): void {
  const session = { name: "x", house: false, online: true, version: "v1", versionId: null };
  api.arena.bots.push({ ...session, botId, ladderId: null, state: "playing", matchId: null });
}

describe("audit entries of what owners do to their bots", () => {
  it("name the owner as the account affected, with a session and with an agent key", async () => {
    const { api, token, account } = await personWithBots();
    const key = await addAgentKey(api, token);
    await addBot(api, "Loose");
    const bots = "/api/account/bots";
    const steps = [
      ["POST", "/api/bots", key, { name: "Neo" }],
      ["POST", `${bots}/Neo/token`, token],
      ["PUT", `${bots}/Neo/name`, token, { name: "Neon" }],
      ["DELETE", `${bots}/Neon`, token],
      ["POST", "/api/account/claim", token, { token: tokenOf("Loose") }],
      ["DELETE", `${bots}/Old`, token],
    ] as const;
    for (const [method, url, credential, payload] of steps) {
      const { told } = await ask(api, [method, url], {
        token: credential,
        ...(payload && { payload }),
      });
      assert.match(told, /^20/, url);
    }
    const entries = await api.store.audit.list({ accountId: account.id, limit: 99 });
    const shown = entries.filter(({ kind }) => kind.startsWith("bot."));
    assert.deepEqual(
      shown.map(({ kind, person }) => `${kind} ${person?.id === account.id} ${person?.name}`),
      ["retired", "claimed", "deleted", "renamed", "rotated", "registered"].map(
        (step) => `bot.${step} true ada`,
      ),
    );
  });
});

const kinds = async ({ store }: AccountApi) =>
  (await store.audit.list({ limit: 99 })).map(({ kind }) => kind);

describe("a new bot", () => {
  it("belongs to the account of the browser, or of the key in either header", async () => {
    const api = accountApi();
    const { token, account } = await addPerson(api, "ada");
    const key = await addAgentKey(api, token);
    const ways = [
      ["/api/account/bots", { token }],
      ["/api/bots", { token }],
      ["/api/bots", { token: key }],
      ["/api/bots", { headers: { "x-owner-key": key } }],
    ] as const;
    for (const [at, [url, credential]] of ways.entries()) {
      const payload = { name: `Neo-${at}`, owner: "somebody" };
      const { told, body, headers } = await ask(api, ["POST", url], { ...credential, payload });
      assert.equal(told, "201");
      assert.equal(headers.location, `/api/bots/Neo-${at}`);
      const found = await api.store.bots.byToken(hashToken(String(body.token)));
      assert.deepEqual([found?.bot.owner, found?.bot.ownerId], ["ada", account.id]);
    }
    const entries = await api.store.audit.list({ kind: "bot.registered", limit: 9 });
    assert.deepEqual(
      entries.map(({ actor }) => `${actor.kind} ${actor.name}`),
      ["agent_key agent", "agent_key agent", "account ada", "account ada"],
    );
  });

  it("needs a handle, a free name and a free place, in this order", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "eve", null);
    const add = async (name: string) =>
      (await ask(api, ["POST", "/api/account/bots"], { token, payload: { name } })).told;
    assert.equal(await add("Rex"), "409 handle_required");
    assert.equal(await add("admin"), "409 handle_required");
    await ask(api, ["PUT", "/api/account/handle"], { token, payload: { handle: "eve" } });
    assert.equal(await add("admin"), "400 invalid_bot");
    for (let number = 0; number < 5; number += 1) assert.equal(await add(`Bot-${number}`), "201");
    assert.equal(await add("Bot-5"), "409 bot_limit");
    assert.equal(await add("bot-1"), "400 invalid_bot");
  });

  it("counts against the account's own limit where an operator set one", async () => {
    const api = accountApi();
    const { token, account } = await addPerson(api, "ada");
    const [note] = await api.store.audit.list({ limit: 1 });
    await api.store.accounts.setMaxBots(account.id, 1, note!);
    const add = async (name: string) =>
      (await ask(api, ["POST", "/api/bots"], { token, payload: { name } })).told;
    assert.deepEqual([await add("One"), await add("Two")], ["201", "409 bot_limit"]);
    const { body } = await ask(api, ["GET", "/api/account"], { token });
    assert.deepEqual([body.max_bots, body.bot_count], [1, 1]);
  });

  it("is not made while registration is closed", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada", null);
    api.live.change({ registration_open: false });
    for (const url of ["/api/bots", "/api/account/bots"] as const) {
      const { told } = await ask(api, ["POST", url], { token, payload: { name: "Neo" } });
      assert.equal(told, "403 registration_closed", url);
    }
  });

  it("is refused to every credential that is no account's", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada");
    await addBot(api, "Rex");
    const program = api.identity.signIn("program", { clientId: "client-1" });
    const payload = { name: "Neo" };
    for (const wrong of [undefined, tokenOf("Rex"), program, "bout_key_x", "bout_owner_x"]) {
      const { told, body } = await ask(api, ["POST", "/api/bots"], { token: wrong, payload });
      assert.equal(told, "401 authentication_required", String(wrong));
      assert.equal(body.account_url, "http://localhost:7777/account");
      const words = wrong === undefined ? /^Registering a bot needs/ : /not good any more\.$/;
      assert.match(String(body.error), words);
    }
    const owner = await addOwnerKey(api, "Team", 1);
    for (const wrong of ["", "x", token, tokenOf("Rex"), "bout_key_x", owner]) {
      const headers = { "x-owner-key": wrong };
      const { told } = await ask(api, ["POST", "/api/bots"], { token, headers, payload });
      assert.equal(told, "400 invalid_owner_key", wrong);
    }
  });

  it("belongs to an owner with a key on an anonymous ladder, as many as allowed", async () => {
    const api = accountApi({ anonymous: true });
    const headers = { "x-owner-key": await addOwnerKey(api, "Team", 1) };
    const add = async (name: string) =>
      (await ask(api, ["POST", "/api/bots"], { headers, payload: { name, owner: "me" } })).told;
    assert.deepEqual([await add("One"), await add("Two")], ["201", "409 bot_limit"]);
    const bot = await api.store.bots.byName("One");
    assert.deepEqual([bot?.owner, bot?.ownerId], ["Team", "anon:team"]);
  });

  it("has no handle as its owner on an anonymous ladder", async () => {
    const api = accountApi({ anonymous: true });
    await addPerson(api, "ada");
    const add = async (payload: object) =>
      (await ask(api, ["POST", "/api/bots"], { payload })).told;
    assert.equal(await add({ name: "Neo", owner: "ADA" }), "400 invalid_handle");
    assert.equal(await add({ name: "Ada" }), "400 invalid_handle", "a bot that owns itself");
    assert.equal(await add({ name: "Neo", owner: "somebody" }), "201");
  });
});

describe("another name", () => {
  const rename = (
    { api, token }: Awaited<ReturnType<typeof personWithBots>>,
    from: string,
    name: unknown,
  ) => ask(api, ["PUT", `/api/account/bots/${from}/name`], { token, payload: { name } });

  it("keeps everything else, and the former name finds the bot for a while", async () => {
    const one = await personWithBots();
    const { api, rex } = one;
    const { told, body } = await rename(one, "rex", "Neo");
    assert.deepEqual([told, body], ["200", { name: "Neo" }]);
    assert.equal((await api.store.bots.byToken(hashToken(tokenOf("Rex"))))?.bot.name, "Neo");
    assert.ok(api.arena.told.includes(`changed ${rex.id} Neo active`));
    for (const name of ["Neo", "Rex", "REX"])
      assert.equal((await ask(api, ["GET", `/api/bots/${name}`])).body.id, rex.id, name);
    assert.equal((await rename(one, "Rex", "Any")).told, "404 no_such_bot", "for writing only");
    assert.equal((await rename(one, "Neo", "NEO")).told, "200");
    assert.equal((await rename(one, "Neo", "Rex")).told, "200", "its own former name");
    const [entry] = await api.store.audit.list({ kind: "bot.renamed", limit: 9 });
    assert.deepEqual(entry?.detail, { from: "NEO", to: "Rex" });
  });

  it("is refused: malformed, reserved, taken or in a match", async () => {
    const one = await personWithBots();
    for (const name of ["a", "house-kiter", "Foe", "fOE", "Old", 5, null, ""])
      assert.equal((await rename(one, "Rex", name)).told, "400 invalid_bot", String(name));
    for (const name of ["Foe", "nobody", "%20"])
      assert.equal((await rename(one, name, "Neo")).told, "404 no_such_bot", name);
    play(one.api, one.rex.id);
    assert.equal((await rename(one, "Rex", "Neo")).told, "409 bot_in_match");
    await one.api.store.bots.setStatus(one.rex.id, toStatus("suspended"));
    assert.equal((await rename(one, "Rex", "Neo")).told, "409 bot_moderated");
    await one.api.store.bots.setStatus(one.rex.id, toStatus("retired"));
    assert.equal((await rename(one, "Rex", "Neo")).told, "409 bot_retired");
  });
});

describe("another token", () => {
  it("works at once instead of the old one, which the socket is told", async () => {
    const { api, token, rex } = await personWithBots();
    const { told, body } = await ask(api, ["POST", "/api/account/bots/Rex/token"], { token });
    assert.deepEqual([told, body.name], ["200", "Rex"]);
    assert.equal((await ask(api, ["GET", "/api/me"], { token: body.token })).told, "200");
    assert.equal(
      (await ask(api, ["GET", "/api/me"], { token: tokenOf("Rex") })).told,
      "401 invalid_token",
    );
    assert.deepEqual(api.arena.told, [`rotated ${rex.id}`]);
    const [entry] = await api.store.audit.list({ kind: "bot.rotated", limit: 1 });
    assert.equal(entry?.actor.kind, "account");
  });

  it("is not given for a bot that is stopped or somebody else's", async () => {
    const { api, token, rex } = await personWithBots();
    const rotate = async (name: string) =>
      (await ask(api, ["POST", `/api/account/bots/${name}/token`], { token })).told;
    assert.equal(await rotate("Foe"), "404 no_such_bot");
    await api.store.bots.setStatus(rex.id, toStatus("banned"));
    assert.equal(await rotate("Rex"), "409 bot_moderated");
    await api.store.bots.setStatus(rex.id, toStatus("retired"));
    assert.equal(await rotate("Rex"), "409 bot_retired");
  });
});

describe("another picture", () => {
  it("is one of those there are, in any state of the bot", async () => {
    const { api, token, rex } = await personWithBots();
    const set = async (avatar: unknown, name = "Rex") =>
      (await ask(api, ["PUT", `/api/account/bots/${name}/avatar`], { token, payload: { avatar } }))
        .told;
    assert.equal(await set("ronin"), "200");
    assert.equal((await ask(api, ["GET", "/api/bots/Rex"])).body.avatar, "ronin");
    await api.store.bots.setStatus(rex.id, toStatus("banned"));
    assert.equal(await set(null), "200");
    for (const wrong of ["RONIN", "", 5, {}]) assert.equal(await set(wrong), "400 unknown_avatar");
    assert.equal(await set("ronin", "Foe"), "404 no_such_bot");
  });
});

describe("the end of a bot", () => {
  it("is deletion for one that never played, which frees name and place", async () => {
    const { api, token, account, rex } = await personWithBots();
    const { told, body } = await ask(api, ["DELETE", "/api/account/bots/rex"], { token });
    assert.deepEqual([told, body], ["200", { name: "Rex", outcome: "deleted" }]);
    assert.deepEqual(api.arena.told, [
      `withheld ${rex.id}`,
      `deleted ${rex.id}`,
      `let go ${rex.id}`,
    ]);
    assert.equal((await ask(api, ["GET", "/api/bots/Rex"])).told, "404 no_such_bot");
    assert.equal((await ask(api, ["GET", "/api/account"], { token })).body.bot_count, 1);
    await addOwnBot(api, account, "Rex");
    assert.equal((await ask(api, ["GET", "/api/bots/Rex"])).told, "200");
  });

  it("is told once to two who ask at once", async () => {
    const { api, token } = await personWithBots();
    const end = async () => (await ask(api, ["DELETE", "/api/account/bots/rex"], { token })).told;
    assert.deepEqual((await Promise.all([end(), end()])).toSorted(), ["200", "404 no_such_bot"]);
    assert.equal((await api.store.audit.list({ kind: "bot.deleted", limit: 9 })).length, 1);
  });

  it("is retirement for one that did, for good, and again the same", async () => {
    const { api, token, old } = await personWithBots();
    for (const repeat of [false, true]) {
      const { told, body } = await ask(api, ["DELETE", "/api/account/bots/Old"], { token });
      assert.deepEqual([told, body], ["200", { name: "Old", outcome: "retired" }], `${repeat}`);
    }
    assert.deepEqual(api.arena.told, [`changed ${old.id} Old retired`]);
    assert.deepEqual((await kinds(api)).filter((kind) => kind === "bot.retired").length, 1);
    assert.equal((await ask(api, ["GET", "/api/bots/Old"])).body.status, "retired");
  });

  it("waits for the end of its very first match", async () => {
    const { api, token, rex, old } = await personWithBots();
    for (const { id } of [rex, old]) play(api, id);
    const end = async (name: string) =>
      (await ask(api, ["DELETE", `/api/account/bots/${name}`], { token })).told;
    assert.deepEqual([await end("Rex"), await end("Old")], ["409 bot_in_match", "200"]);
  });

  it("is not for bots that an operator has dealt with, nor for those of others", async () => {
    const { api, token, rex } = await personWithBots();
    const end = async (name: string) =>
      (await ask(api, ["DELETE", `/api/account/bots/${name}`], { token })).told;
    for (const status of ["suspended", "banned"] as const) {
      await api.store.bots.setStatus(rex.id, toStatus(status));
      assert.equal(await end("Rex"), "409 bot_moderated");
    }
    assert.equal(await end("Foe"), "404 no_such_bot");
  });

  it("by an agent key is deletion only", async () => {
    const { api, token, rex, old } = await personWithBots();
    const key = await addAgentKey(api, token);
    const end = (name: string, headers: Record<string, string>) =>
      ask(api, ["DELETE", `/api/bots/${name}`], { headers });
    const bearer = { authorization: `Bearer ${key}` };
    assert.equal((await end("Old", bearer)).told, "409 bot_has_played");
    assert.equal((await end("Foe", bearer)).told, "404 no_such_bot");
    play(api, rex.id);
    assert.equal((await end("Rex", bearer)).told, "409 bot_in_match");
    api.arena.bots.length = 0;
    const { body } = await end("Rex", { "x-owner-key": key });
    assert.deepEqual(body, { name: "Rex", outcome: "deleted" });
    await api.store.bots.setStatus(old.id, toStatus("suspended"));
    assert.equal((await end("Old", bearer)).told, "409 bot_moderated");
    await api.store.bots.setStatus(old.id, toStatus("retired"));
    assert.deepEqual((await end("Old", bearer)).body, { name: "Old", outcome: "retired" });
    for (const wrong of [token, tokenOf("Old"), `${key}x`])
      for (const headers of [{ authorization: `Bearer ${wrong}` }, { "x-owner-key": wrong }])
        assert.equal((await end("Old", headers)).told, "400 invalid_owner_key");
    assert.equal((await end("Old", {})).told, "400 invalid_owner_key");
  });
});

describe("a claim", () => {
  const claim = (api: AccountApi, token: string, bot: unknown) =>
    ask(api, ["POST", "/api/account/claim"], { token, payload: { token: bot } });

  it("takes a bot over with its token, versions and matches", async () => {
    const { api, token, account } = await personWithBots();
    const { told, body } = await claim(api, token, tokenOf("Foe"));
    assert.deepEqual([told, body], ["200", { name: "Foe", owner: "ada" }]);
    const again = await claim(api, token, tokenOf("Foe"));
    assert.equal(again.told, "200", "one's own");
    const { body: me } = await ask(api, ["GET", "/api/me"], { token: tokenOf("Foe") });
    assert.deepEqual([me.owner, me.owner_url, me.versions_total], ["ada", "/user/ada", 1]);
    const foe = await api.store.bots.byName("Foe");
    assert.equal(foe?.ownerId, account.id);
    const [entry] = await api.store.audit.list({ kind: "bot.claimed", limit: 9 });
    assert.deepEqual(entry?.detail, { from: "Foe", to: "ada" });
  });

  it("is refused: handle, token, another's bot, state, limit, in this order", async () => {
    const { api } = await personWithBots();
    const { token } = await addPerson(api, "eve", null);
    assert.equal((await claim(api, token, "nothing")).told, "409 handle_required");
    await ask(api, ["PUT", "/api/account/handle"], { token, payload: { handle: "eve" } });
    assert.equal((await claim(api, token, "nothing")).told, "401 invalid_token");
    assert.equal((await claim(api, token, tokenOf("Rex"))).told, "409 already_claimed");
    await addBot(api, "house-kiter", { house: true, owner: "house", ownerId: "house" });
    assert.equal((await claim(api, token, tokenOf("house-kiter"))).told, "409 already_claimed");
    api.live.change({ bots_per_owner: 1 });
    await ask(api, ["POST", "/api/account/bots"], { token, payload: { name: "Eve-1" } });
    await addBot(api, "Held", { status: "suspended" });
    await addBot(api, "Gone", { status: "retired" });
    assert.equal((await claim(api, token, tokenOf("Held"))).told, "409 bot_moderated");
    assert.equal((await claim(api, token, tokenOf("Gone"))).told, "409 bot_retired");
    assert.equal((await claim(api, token, tokenOf("Foe"))).told, "409 bot_limit");
    assert.equal((await claim(api, token, 5)).told, "400");
  });
});
