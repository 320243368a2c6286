import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import { ladderApi, membershipOf } from "#testing/fixtures/ladder-api.ts";
import { loseFirstResponse } from "#testing/fixtures/lose-first-response.ts";

describe("a write whose response is lost", () => {
  it("results in an existing ladder if the ladder is created again", async () => {
    const { api, manageLadders } = await ladderApi();
    const { ladders } = api.store;
    Object.assign(ladders, { add: loseFirstResponse(ladders.add) });
    const payload = { id: "cup", name: "Cup" };
    assert.match((await manageLadders("POST", "", payload)).told, /^503/);
    assert.equal(api.ladders.byId("cup"), null);
    assert.equal((await manageLadders("POST", "", payload)).told, "409 ladder_exists");
    assert.equal(api.ladders.byId("cup")?.name, "Cup");
  });

  it("results in a ladder that matches the store after reconciliation", async () => {
    const { api, manageLadders, createLadder } = await ladderApi();
    await createLadder();
    const { ladders } = api.store;
    const stored = { ...ladders };
    const name = () => api.ladders.byId("cup")?.name ?? null;
    Object.assign(ladders, {
      add: loseFirstResponse(ladders.add),
      change: loseFirstResponse(ladders.change),
      delete: loseFirstResponse(ladders.delete),
    });
    const settings = { enabled: false };
    assert.match((await manageLadders("PUT", "/cup/settings", settings)).told, /^503/);
    assert.equal(api.ladders.byId("cup")?.enabled, true);
    await api.arena.runReconciliation();
    assert.equal(api.ladders.byId("cup")?.enabled, false);
    assert.match((await manageLadders("DELETE", "/cup")).told, /^503/);
    assert.notEqual(name(), null);
    await api.arena.runReconciliation();
    assert.equal(name(), null);
    assert.match((await manageLadders("POST", "", { id: "cup", name: "Again" })).told, /^503/);
    await api.arena.runReconciliation();
    assert.equal(name(), "Again");
    Object.assign(ladders, stored);
  });

  it("reopens a ladder that the store couldn't delete", async () => {
    const { api, manageLadders, createLadder } = await ladderApi();
    await createLadder();
    const memberships: (boolean | undefined)[] = [];
    Object.assign(api.store.ladders, {
      delete: async () => {
        memberships.push(api.ladders.byId("cup")?.enabled);
        throw new StoreError("unavailable", "store unreachable");
      },
    });
    assert.match((await manageLadders("DELETE", "/cup")).told, /^503/);
    assert.deepEqual([...memberships, api.ladders.byId("cup")?.enabled], [false, true]);
  });

  it("results in a member who can play after enrolling again", async () => {
    const { api, ada, createLadder, enterLadder } = await ladderApi();
    await createLadder({ access: "open" });
    const { members } = api.store;
    Object.assign(members, { enroll: loseFirstResponse(members.enroll) });
    assert.match((await enterLadder(ada.token)).told, /^503/);
    const bot = { id: "bot", name: "bot", house: false, ownerId: ada.account.id };
    assert.equal(api.ladders.queueRefusal(bot, "cup"), "enrollment_required");
    assert.equal(membershipOf(await enterLadder(ada.token)), "active");
    assert.equal(api.ladders.queueRefusal(bot, "cup"), null);
  });

  it("results in a membership that matches the store after reconciliation", async () => {
    const { api, ada, manageLadders, createLadder, enterLadder } = await ladderApi();
    await createLadder({ access: "open" });
    const { members } = api.store;
    const bot = { id: "bot", name: "bot", house: false, ownerId: ada.account.id };
    Object.assign(members, {
      enroll: loseFirstResponse(members.enroll),
      revoke: loseFirstResponse(members.revoke),
      approve: loseFirstResponse(members.approve),
    });
    const step = (name: string) =>
      manageLadders("POST", `/cup/members/ada/${name}`, { reason: "x" });
    const steps = [
      [() => enterLadder(ada.token), null],
      [() => step("revoke"), "enrollment_required"],
      [() => step("approve"), null],
    ] as const;
    for (const [runStep, refusal] of steps) {
      assert.match((await runStep()).told, /^503/);
      assert.notEqual(api.ladders.queueRefusal(bot, "cup"), refusal);
      await api.arena.runReconciliation();
      assert.equal(api.ladders.queueRefusal(bot, "cup"), refusal);
    }
  });
});

describe("a revoked or withdrawn member", () => {
  it("is removed from memory before the store, and restored if the store fails", async () => {
    const { api, ada, manageLadders, createLadder, enterLadder, leaveLadder } = await ladderApi();
    await createLadder();
    await enterLadder(ada.token);
    const { members } = api.store;
    const bot = { id: "bot", name: "bot", house: false, ownerId: ada.account.id };
    const memberships: (string | null)[] = [];
    const failWrite = async () => {
      memberships.push(api.ladders.queueRefusal(bot, "cup"));
      throw new StoreError("unavailable", "store unreachable");
    };
    const originalMembers = { ...members };
    Object.assign(members, { revoke: failWrite, withdraw: failWrite });
    const revoke = () => manageLadders("POST", "/cup/members/ada/revoke", { reason: "loud" });
    for (const failedResponse of [await revoke(), await leaveLadder(ada.token)])
      assert.match(failedResponse.told, /^503/);
    assert.deepEqual(memberships, ["enrollment_required", "enrollment_required"]);
    assert.equal(api.ladders.queueRefusal(bot, "cup"), null);
    Object.assign(members, originalMembers);
    assert.equal((await revoke()).told, "200");
    assert.equal(api.ladders.queueRefusal(bot, "cup"), "enrollment_required");
  });
});
