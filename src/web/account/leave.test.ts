// Leaving for good, and taking along what the ladder knows.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import { StoreError } from "#data/store/errors.ts";
import { addPerson, ask, personWithBots, promote } from "#testing/fixtures/account-api.ts";
import { loseAnswer } from "#testing/fixtures/lose-answer.ts";

const LEAVE = ["DELETE", "/api/account"] as const;
const EXPORT = ["GET", "/api/account/export"] as const;

describe("leaving", () => {
  it("deletes what never played, retires the rest, and ends the session", async () => {
    const { api, token, account, rex, old } = await personWithBots();
    const payload = { handle: "ada" };
    const again = api.identity.signIn("ada");
    const { told, body } = await ask(api, LEAVE, { token: again, payload });
    assert.deepEqual(
      [told, body],
      [
        "200",
        { deleted: account.id, deleted_bots: ["Rex"], retired_bots: ["Old"], identity: "kept" },
      ],
    );
    assert.ok(api.arena.told.includes(`deleted ${rex.id}`));
    assert.ok(api.arena.told.includes(`changed ${old.id} Old retired`));
    assert.deepEqual(api.left, [account.id]);
    const page = (await ask(api, ["GET", "/api/bots/Old"])).body;
    assert.deepEqual([page.owner, page.owner_url, page.status], ["deleted", null, "retired"]);
    assert.equal((await ask(api, ["GET", "/api/users/ada"])).told, "404");
    api.tick();
    const later = api.identity.signIn("ada");
    const { body: anew } = await ask(api, ["GET", "/api/account"], { token: later });
    assert.notEqual(anew.id, account.id);
    assert.equal(anew.handle, null);
    const taken = await ask(api, ["PUT", "/api/account/handle"], { token: later, payload });
    assert.equal(taken.told, "409 handle_taken");
    assert.equal(token, later);
  });

  it("needs the handle, no admin, and a sign-in of the last minutes, in this order", async () => {
    const { api, token, account } = await personWithBots();
    const claims = api.identity.people.get(token)!.claims;
    const told = async (handle: unknown) =>
      (await ask(api, LEAVE, { token, payload: { handle } })).told;
    claims.signedInAt -= 901;
    await promote(api, account);
    for (const wrong of ["ADA", "eve", null, "", 5]) assert.equal(await told(wrong), "400");
    assert.equal((await ask(api, LEAVE, { token })).told, "400", "no body");
    assert.equal(await told("ada"), "409 admin_account");
    const eve = await addPerson(api, "eve", null);
    const old = api.identity.people.get(eve.token)!.claims;
    old.signedInAt -= 901;
    const leave = async () =>
      (await ask(api, LEAVE, { token: eve.token, payload: { handle: null } })).told;
    assert.equal(await leave(), "403 recent_sign_in_required");
    old.signedInAt += 1;
    assert.equal(await leave(), "200");
  });

  it("retires a bot in its first match, which it loses", async () => {
    const { api, token, rex } = await personWithBots();
    const session = { name: "Rex", house: false, online: true, version: "v1", versionId: null };
    api.arena.bots.push({
      ...session,
      botId: rex.id,
      ladderId: null,
      state: "playing",
      matchId: null,
    });
    const { body } = await ask(api, LEAVE, { token, payload: { handle: "ada" } });
    assert.deepEqual([body.deleted_bots, body.retired_bots], [[], ["Rex", "Old"]]);
    assert.ok(api.arena.told.includes(`changed ${rex.id} Rex retired`));
  });

  it("ends all that is live of it, once the store is known to have done it", async () => {
    const { api, token, account, rex, old } = await personWithBots();
    const { accounts } = api.store;
    Object.assign(accounts, { leave: loseAnswer(accounts.leave) });
    api.ladders.put({ ...PUBLIC, id: "cup" });
    api.ladders.admit(account.id, "cup");
    assert.match((await ask(api, LEAVE, { token, payload: { handle: "ada" } })).told, /^503/);
    const bot = { id: rex.id, name: "Rex", house: false, ownerId: account.id };
    const isFreed = () => api.arena.told.includes(`let go ${rex.id}`);
    assert.deepEqual([api.ladders.admits(bot, "cup"), isFreed()], [null, false]);
    await api.arena.settleDoubts();
    assert.deepEqual([api.ladders.admits(bot, "cup"), isFreed()], ["enrollment_required", true]);
    assert.ok(api.arena.told.includes(`deleted ${rex.id}`));
    assert.ok(api.arena.told.includes(`changed ${old.id} Old retired`));
    assert.deepEqual(api.left, [account.id]);
  });

  it("changes nothing where the store has not done it", async () => {
    const { api, token, rex } = await personWithBots();
    const { accounts } = api.store;
    const { leave } = accounts;
    const fail = () => Promise.reject(new StoreError("unavailable", "the store is out of reach"));
    Object.assign(accounts, { leave: fail });
    assert.match((await ask(api, LEAVE, { token, payload: { handle: "ada" } })).told, /^503/);
    await api.arena.settleDoubts();
    const told = api.arena.told.filter((one) => one.endsWith(rex.id));
    assert.deepEqual(told, [`withheld ${rex.id}`, `let go ${rex.id}`]);
    assert.deepEqual(api.left, []);
    Object.assign(accounts, { leave });
    assert.equal((await ask(api, LEAVE, { token, payload: { handle: "ada" } })).told, "200");
  });

  it("goes through even if it cannot be noted", async () => {
    const { api, token } = await personWithBots();
    api.disk.isFull = true;
    assert.equal((await ask(api, LEAVE, { token, payload: { handle: "ada" } })).told, "200");
    assert.match(api.log.join(""), /an account that left could not be noted/);
  });
});

describe("an export", () => {
  it("has the account, what it did and what the provider knows, as a file", async () => {
    const { api, token, account } = await personWithBots();
    await ask(api, ["PUT", "/api/account/handle"], { token, payload: { handle: "countess" } });
    const { told, body, headers } = await ask(api, EXPORT, { token });
    assert.equal(told, "200");
    assert.match(String(headers["content-disposition"]), /^attachment; filename=/);
    assert.deepEqual(
      [body.account.id, body.account.handle, body.former_handles],
      [account.id, "countess", ["ada"]],
    );
    assert.deepEqual(body.identity, {
      id: "person-ada",
      email: "ada@example.org",
      providers: ["email"],
      created: "2026-01-05T11:00:00.000Z",
      last_sign_in: "2026-01-05T11:00:00.000Z",
    });
    assert.deepEqual(body.matches_urls, ["/api/matches?bot=Rex", "/api/matches?bot=Old"]);
    const letter = { category: "onboarding", state: "pending", finished: null };
    const mails = body.mails as { created: string }[];
    assert.deepEqual(
      mails.map(({ created, ...mail }) => (assert.ok(created > ""), mail)),
      [letter, letter],
      "of the first handle",
    );
    const kinds = (body.audit as { kind: string }[]).map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), ["account.created", "account.handle", "account.handle"]);
  });

  it("is given once a minute to each account", async () => {
    const { api, token } = await personWithBots();
    const eve = await addPerson(api, "eve");
    await ask(api, EXPORT, { token });
    const { told, body, headers } = await ask(api, EXPORT, { token });
    assert.deepEqual([told, body.limit], ["429 rate_limited", "account_export"]);
    assert.equal(headers["retry-after"], "60");
    assert.equal((await ask(api, EXPORT, { token: eve.token })).told, "200");
    api.tick();
    assert.equal((await ask(api, EXPORT, { token })).told, "200");
  });
});
