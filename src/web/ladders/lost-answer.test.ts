import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import { ladderApi, membershipIn } from "#testing/fixtures/ladder-api.ts";
import { loseAnswer } from "#testing/fixtures/lose-answer.ts";

describe("what is stored without an answer", () => {
  it("is a ladder that is there once somebody tries to make it again", async () => {
    const { api, operate } = await ladderApi();
    const { ladders } = api.store;
    Object.assign(ladders, { add: loseAnswer(ladders.add) });
    const payload = { id: "cup", name: "Cup" };
    assert.match((await operate("POST", "", payload)).told, /^503/);
    assert.equal(api.ladders.byId("cup"), null);
    assert.equal((await operate("POST", "", payload)).told, "409 ladder_exists");
    assert.equal(api.ladders.byId("cup")?.name, "Cup");
  });

  it("is a ladder as the store has it, as soon as that is looked at again", async () => {
    const { api, operate, make } = await ladderApi();
    await make();
    const { ladders } = api.store;
    const stored = { ...ladders };
    const name = () => api.ladders.byId("cup")?.name ?? null;
    Object.assign(ladders, {
      add: loseAnswer(ladders.add),
      change: loseAnswer(ladders.change),
      delete: loseAnswer(ladders.delete),
    });
    const settings = { enabled: false };
    assert.match((await operate("PUT", "/cup/settings", settings)).told, /^503/);
    assert.equal(api.ladders.byId("cup")?.enabled, true);
    await api.arena.settleDoubts();
    assert.equal(api.ladders.byId("cup")?.enabled, false);
    assert.match((await operate("DELETE", "/cup")).told, /^503/);
    assert.notEqual(name(), null);
    await api.arena.settleDoubts();
    assert.equal(name(), null);
    assert.match((await operate("POST", "", { id: "cup", name: "Again" })).told, /^503/);
    await api.arena.settleDoubts();
    assert.equal(name(), "Again");
    Object.assign(ladders, stored);
  });

  it("is open again when the store could not delete it", async () => {
    const { api, operate, make } = await ladderApi();
    await make();
    const seen: (boolean | undefined)[] = [];
    Object.assign(api.store.ladders, {
      delete: async () => {
        seen.push(api.ladders.byId("cup")?.enabled);
        throw new StoreError("unavailable", "the store is out of reach");
      },
    });
    assert.match((await operate("DELETE", "/cup")).told, /^503/);
    assert.deepEqual([...seen, api.ladders.byId("cup")?.enabled], [false, true]);
  });

  it("is a member who plays once it asks to enter again", async () => {
    const { api, ada, make, enroll } = await ladderApi();
    await make({ access: "open" });
    const { members } = api.store;
    Object.assign(members, { enroll: loseAnswer(members.enroll) });
    assert.match((await enroll(ada.token)).told, /^503/);
    const bot = { id: "bot", name: "bot", house: false, ownerId: ada.account.id };
    assert.equal(api.ladders.admits(bot, "cup"), "enrollment_required");
    assert.equal(membershipIn(await enroll(ada.token)), "active");
    assert.equal(api.ladders.admits(bot, "cup"), null);
  });

  it("is a member, or none any more, as soon as the store is looked at again", async () => {
    const { api, ada, operate, make, enroll } = await ladderApi();
    await make({ access: "open" });
    const { members } = api.store;
    const bot = { id: "bot", name: "bot", house: false, ownerId: ada.account.id };
    Object.assign(members, {
      enroll: loseAnswer(members.enroll),
      revoke: loseAnswer(members.revoke),
      approve: loseAnswer(members.approve),
    });
    const step = (name: string) => operate("POST", `/cup/members/ada/${name}`, { reason: "x" });
    const steps = [
      [() => enroll(ada.token), null],
      [() => step("revoke"), "enrollment_required"],
      [() => step("approve"), null],
    ] as const;
    for (const [act, refusal] of steps) {
      assert.match((await act()).told, /^503/);
      assert.notEqual(api.ladders.admits(bot, "cup"), refusal);
      await api.arena.settleDoubts();
      assert.equal(api.ladders.admits(bot, "cup"), refusal);
    }
  });
});

describe("somebody who is shown out, or leaves", () => {
  it("is out in memory before the store is, and in again if the store fails", async () => {
    const { api, ada, operate, make, enroll, withdraw } = await ladderApi();
    await make();
    await enroll(ada.token);
    const { members } = api.store;
    const bot = { id: "bot", name: "bot", house: false, ownerId: ada.account.id };
    const seen: (string | null)[] = [];
    const fail = async () => {
      seen.push(api.ladders.admits(bot, "cup"));
      throw new StoreError("unavailable", "the store is out of reach");
    };
    const whole = { ...members };
    Object.assign(members, { revoke: fail, withdraw: fail });
    const revoke = () => operate("POST", "/cup/members/ada/revoke", { reason: "loud" });
    for (const refused of [await revoke(), await withdraw(ada.token)])
      assert.match(refused.told, /^503/);
    assert.deepEqual(seen, ["enrollment_required", "enrollment_required"]);
    assert.equal(api.ladders.admits(bot, "cup"), null);
    Object.assign(members, whole);
    assert.equal((await revoke()).told, "200");
    assert.equal(api.ladders.admits(bot, "cup"), "enrollment_required");
  });
});
