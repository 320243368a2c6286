import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { LadderResults } from "#core/resources/ladder-results.ts";
import { ask } from "#testing/fixtures/account-api.ts";
import { beatKiter, eventApi, REVEAL, SPRING, withRex } from "#testing/fixtures/event-api.ts";
import { hour } from "#testing/fixtures/ladder-api.ts";

describe("operators of an event", () => {
  it("revoke what was earned, and restore it", async () => {
    const world = await eventApi();
    const rex = await withRex(world);
    await world.begin();
    await world.enable();
    const award = (verb: string, body: object = { reason: "a trick" }, who = "ADA") =>
      world.manage("POST", `/spring/accounts/${who}/achievements/beat-kiter/${verb}`, body);
    assert.equal((await award("revoke")).told, "409 not_earned");
    await beatKiter(world, rex);
    assert.equal((await award("revoke", {})).told, "400");
    assert.equal((await award("revoke", undefined, "nobody")).told, "404");
    for (let twice = 0; twice < 2; twice += 1)
      assert.deepEqual((await award("revoke")).body, { revoked: true });
    const { token } = world.ada;
    assert.equal((await world.of(token, "POST", REVEAL)).told, "403 achievement_revoked");
    const earned = async () => {
      const { body } = await ask(world.api, ["GET", "/api/ladders/public/results"]);
      return body.events[0].achievements[2].earned as number;
    };
    assert.equal(await earned(), 0);
    await beatKiter(world, rex);
    const { body } = await world.manage("POST", "/spring/reconcile", { apply: true });
    assert.deepEqual([body.facts.length, body.missing_awards], [1, []]);
    const { body: evidence } = await world.manage("GET", "/spring/accounts/ada");
    const card = evidence.achievements[2];
    assert.deepEqual([card.reason, card.revoked_at !== null], ["a trick", true]);
    assert.deepEqual((await award("restore")).body, { restored: true });
    assert.equal((await world.of(token, "POST", REVEAL)).told, "200");
    assert.equal(await earned(), 1);
    const [shown] = (await world.manage("GET", "")).body as never as { counts: object }[];
    assert.deepEqual(shown?.counts, {
      members: 3,
      participants: 1,
      earned: 1,
      revoked: 0,
      requests: 0,
    });
    assert.equal((await world.manage("DELETE", "/spring")).told, "409 event_has_awards");
  });

  it("find somebody by a former handle as long as they only look", async () => {
    const world = await eventApi();
    await withRex(world);
    await world.begin();
    const { token } = world.ada;
    const body = { handle: "countess" };
    const changed = await ask(world.api, ["PUT", "/api/account/handle"], { token, payload: body });
    assert.equal(changed.told, "200");
    const look = await world.manage("GET", "/spring/accounts/ADA");
    assert.equal(look.body.account.handle, "countess");
    const path = "/spring/accounts/ada/achievements/beat-kiter/revoke";
    assert.equal((await world.manage("POST", path, { reason: "x" })).told, "404");
    assert.equal((await world.manage("GET", "/spring/accounts/nobody")).told, "404");
  });

  it("find awards that are missing, and write them", async () => {
    const world = await eventApi();
    const rex = await withRex(world);
    await world.begin();
    const match = await beatKiter(world, rex);
    const look = await world.manage("POST", "/spring/reconcile");
    assert.deepEqual(look.body.missing_awards, [
      {
        account_id: world.ada.account.id,
        handle: "ada",
        achievement_id: "beat-kiter",
        earned_at: match.ended,
        evidence: [match.id],
      },
    ]);
    assert.equal(look.body.applied, false);
    assert.equal((await world.api.store.awards.ofEvent("spring")).length, 0);
    const early = await world.manage("POST", "/spring/reconcile", { apply: true });
    assert.equal(early.told, "409 event_closed");
    assert.equal((await world.api.store.awards.ofEvent("spring")).length, 0);
    world.api.events.put({ ...world.api.events.byId("spring")!, enabled: true, revision: 1 });
    const done = await world.manage("POST", "/spring/reconcile", { apply: true });
    assert.deepEqual([done.body.missing_awards.length, done.body.applied], [1, true]);
    assert.equal((await world.api.store.awards.ofEvent("spring")).length, 1);
    const again = await world.manage("POST", "/spring/reconcile", { apply: true });
    assert.deepEqual(again.body.missing_awards, []);
  });

  it("mend the name of an achievement, in the results too", async () => {
    const world = await eventApi();
    await world.begin({ opens_at: hour(24) });
    await world.enable();
    const shown = async () => {
      const { body } = await ask(world.api, ["GET", "/api/ladders/public/results"]);
      const [event] = body.events as LadderResults["events"];
      return [event?.name, event?.achievements[2]?.name];
    };
    assert.deepEqual(await shown(), ["Spring", "By defeat"]);
    const conditions = SPRING.conditions.map((one) => ({ ...one, name: `Now ${one.name}` }));
    assert.equal((await world.manage("PUT", "/spring", { conditions })).told, "200");
    assert.deepEqual(await shown(), ["Spring", "Now By defeat"]);
  });

  it("delete an event in which nothing was earned", async () => {
    const world = await eventApi();
    await world.make();
    await world.begin({ ladder_id: "cup" });
    assert.equal((await world.operate("DELETE", "/cup")).told, "409 ladder_used");
    assert.deepEqual((await world.manage("DELETE", "/spring")).body, { deleted: "spring" });
    assert.equal((await world.manage("DELETE", "/spring")).told, "404");
    assert.equal((await world.operate("DELETE", "/cup")).told, "200");
  });

  it("leave a ladder's window around its events", async () => {
    const world = await eventApi();
    await world.make({ closes_at: hour(50) });
    await world.begin({ ladder_id: "cup" });
    const detail = await world.operate("GET", "/cup");
    assert.equal(detail.body.events[0].id, "spring");
    const early = { opens_at: null, closes_at: hour(40) };
    assert.equal((await world.operate("PUT", "/cup/schedule", early)).told, "400 invalid_window");
    const late = { opens_at: hour(0), closes_at: hour(60) };
    assert.equal((await world.manage("PUT", "/spring/schedule", late)).told, "400 invalid_window");
  });
});
