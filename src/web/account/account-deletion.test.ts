import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { StoreError } from "#data/store/errors.ts";
import {
  signUpAccount,
  sendRequest,
  accountWithBots,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import { loseFirstResponse } from "#testing/fixtures/lose-first-response.ts";

const DELETE_ACCOUNT = ["DELETE", "/api/account"] as const;
const EXPORT = ["GET", "/api/account/export"] as const;

describe("leaving", () => {
  it("deletes bots that never played, retires all other bots and ends the session", async () => {
    const { api, token, account, rex, old: oldBot } = await accountWithBots();
    const payload = { handle: "ada" };
    const freshToken = api.identity.signIn("ada");
    const { told: outcome, body } = await sendRequest(api, DELETE_ACCOUNT, {
      token: freshToken,
      payload,
    });
    assert.deepEqual(
      [outcome, body],
      [
        "200",
        { deleted: account.id, deleted_bots: ["Rex"], retired_bots: ["Old"], identity: "kept" },
      ],
    );
    assert.ok(api.arena.calls.includes(`deleted ${rex.id}`));
    assert.ok(api.arena.calls.includes(`changed ${oldBot.id} Old retired`));
    assert.deepEqual(api.deletedAccountIds, [account.id]);
    const page = (await sendRequest(api, ["GET", "/api/bots/Old"])).body;
    assert.deepEqual([page.owner, page.owner_url, page.status], ["deleted", null, "retired"]);
    assert.equal((await sendRequest(api, ["GET", "/api/users/ada"])).told, "404");
    api.nextMinute();
    const laterToken = api.identity.signIn("ada");
    const { body: newAccount } = await sendRequest(api, ["GET", "/api/account"], {
      token: laterToken,
    });
    assert.notEqual(newAccount.id, account.id);
    assert.equal(newAccount.handle, null);
    const handleResponse = await sendRequest(api, ["PUT", "/api/account/handle"], {
      token: laterToken,
      payload,
    });
    assert.equal(handleResponse.told, "409 handle_taken");
    assert.equal(token, laterToken);
  });

  it("checks the handle, then the admin role, then how recent the sign-in is", async () => {
    const { api, token, account } = await accountWithBots();
    const claims = api.identity.peopleByToken.get(token)!.claims;
    const outcome = async (handle: unknown) =>
      (await sendRequest(api, DELETE_ACCOUNT, { token, payload: { handle } })).told;
    claims.signedInAt -= 901;
    await makeAdmin(api, account);
    for (const invalidHandle of ["ADA", "eve", null, "", 5])
      assert.equal(await outcome(invalidHandle), "400");
    assert.equal((await sendRequest(api, DELETE_ACCOUNT, { token })).told, "400", "no body");
    assert.equal(await outcome("ada"), "409 admin_account");
    const eve = await signUpAccount(api, "eve", null);
    const oldBot = api.identity.peopleByToken.get(eve.token)!.claims;
    oldBot.signedInAt -= 901;
    const deleteEve = async () =>
      (await sendRequest(api, DELETE_ACCOUNT, { token: eve.token, payload: { handle: null } }))
        .told;
    assert.equal(await deleteEve(), "403 recent_sign_in_required");
    oldBot.signedInAt += 1;
    assert.equal(await deleteEve(), "200");
  });

  it("retires a bot that is playing its first match, and the bot loses the match", async () => {
    const { api, token, rex } = await accountWithBots();
    const session = { name: "Rex", house: false, online: true, version: "v1", versionId: null };
    api.arena.bots.push({
      ...session,
      botId: rex.id,
      ladderId: null,
      state: "playing",
      matchId: null,
    });
    const { body } = await sendRequest(api, DELETE_ACCOUNT, { token, payload: { handle: "ada" } });
    assert.deepEqual([body.deleted_bots, body.retired_bots], [[], ["Rex", "Old"]]);
    assert.ok(api.arena.calls.includes(`changed ${rex.id} Rex retired`));
  });

  it("closes the account's connections once the store has confirmed the deletion", async () => {
    const { api, token, account, rex, old: oldBot } = await accountWithBots();
    const { accounts } = api.store;
    Object.assign(accounts, { delete: loseFirstResponse(accounts.delete) });
    api.ladders.upsert({ ...PUBLIC_LADDER, id: "cup" });
    api.ladders.addMember(account.id, "cup");
    assert.match(
      (await sendRequest(api, DELETE_ACCOUNT, { token, payload: { handle: "ada" } })).told,
      /^503/,
    );
    const bot = { id: rex.id, name: "Rex", house: false, ownerId: account.id };
    const isReleased = () => api.arena.calls.includes(`let go ${rex.id}`);
    assert.deepEqual([api.ladders.queueRefusal(bot, "cup"), isReleased()], [null, false]);
    await api.arena.runReconciliation();
    assert.deepEqual(
      [api.ladders.queueRefusal(bot, "cup"), isReleased()],
      ["enrollment_required", true],
    );
    assert.ok(api.arena.calls.includes(`deleted ${rex.id}`));
    assert.ok(api.arena.calls.includes(`changed ${oldBot.id} Old retired`));
    assert.deepEqual(api.deletedAccountIds, [account.id]);
  });

  it("changes nothing if the store did not delete the account", async () => {
    const { api, token, rex } = await accountWithBots();
    const { accounts } = api.store;
    const { delete: deleteEve } = accounts;
    const fail = () => Promise.reject(new StoreError("unavailable", "store unreachable"));
    Object.assign(accounts, { delete: fail });
    assert.match(
      (await sendRequest(api, DELETE_ACCOUNT, { token, payload: { handle: "ada" } })).told,
      /^503/,
    );
    await api.arena.runReconciliation();
    const outcome = api.arena.calls.filter((item) => item.endsWith(rex.id));
    assert.deepEqual(outcome, [`withheld ${rex.id}`, `let go ${rex.id}`]);
    assert.deepEqual(api.deletedAccountIds, []);
    Object.assign(accounts, { delete: deleteEve });
    assert.equal(
      (await sendRequest(api, DELETE_ACCOUNT, { token, payload: { handle: "ada" } })).told,
      "200",
    );
  });

  it("succeeds even if recording the deletion fails", async () => {
    const { api, token } = await accountWithBots();
    api.disk.isFull = true;
    assert.equal(
      (await sendRequest(api, DELETE_ACCOUNT, { token, payload: { handle: "ada" } })).told,
      "200",
    );
    assert.match(api.log.join(""), /could not record account deletion/);
  });
});

describe("the data export", () => {
  it("is a file with the account, its actions and the identity provider's data", async () => {
    const { api, token, account } = await accountWithBots();
    await sendRequest(api, ["PUT", "/api/account/handle"], {
      token,
      payload: { handle: "countess" },
    });
    const { told: outcome, body, headers } = await sendRequest(api, EXPORT, { token });
    assert.equal(outcome, "200");
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
    const delivery = { category: "onboarding", state: "pending", finished: null };
    const mails = body.mails as { created: string }[];
    assert.deepEqual(
      mails.map(({ created, ...mail }) => (assert.ok(created > ""), mail)),
      [delivery, delivery],
      "of the first handle",
    );
    const kinds = (body.audit as { kind: string }[]).map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), ["account.created", "account.handle", "account.handle"]);
  });

  it("is limited to one per account per minute", async () => {
    const { api, token } = await accountWithBots();
    const eve = await signUpAccount(api, "eve");
    await sendRequest(api, EXPORT, { token });
    const { told: outcome, body, headers } = await sendRequest(api, EXPORT, { token });
    assert.deepEqual([outcome, body.limit], ["429 rate_limited", "account_export"]);
    assert.equal(headers["retry-after"], "60");
    assert.equal((await sendRequest(api, EXPORT, { token: eve.token })).told, "200");
    api.nextMinute();
    assert.equal((await sendRequest(api, EXPORT, { token })).told, "200");
  });
});
