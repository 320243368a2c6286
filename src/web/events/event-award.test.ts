import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { LadderResults } from "#core/api/ladder-results.ts";
import { sendRequest } from "#testing/fixtures/account-api.ts";
import {
  beatKiter,
  eventApi,
  REVEAL_PATH,
  SPRING_EVENT,
  addRex,
} from "#testing/fixtures/event-api.ts";
import { hoursAfterStart } from "#testing/fixtures/ladder-api.ts";

describe("event operators", () => {
  it("revoke and restore awards", async () => {
    const world = await eventApi();
    const rex = await addRex(world);
    await world.createEvent();
    await world.enableEvent();
    const award = (verb: string, body: object = { reason: "a trick" }, account = "ADA") =>
      world.manageEvents(
        "POST",
        `/spring/accounts/${account}/achievements/beat-kiter/${verb}`,
        body,
      );
    assert.equal((await award("revoke")).told, "409 not_earned");
    await beatKiter(world, rex);
    assert.equal((await award("revoke", {})).told, "400");
    assert.equal((await award("revoke", undefined, "nobody")).told, "404");
    for (let repeat = 0; repeat < 2; repeat += 1)
      assert.deepEqual((await award("revoke")).body, { revoked: true });
    const { token } = world.ada;
    assert.equal(
      (await world.requestAs(token, "POST", REVEAL_PATH)).told,
      "403 achievement_revoked",
    );
    const earned = async () => {
      const { body } = await sendRequest(world.api, ["GET", "/api/ladders/public/results"]);
      return body.events[0].achievements[2].earned as number;
    };
    assert.equal(await earned(), 0);
    await beatKiter(world, rex);
    const { body } = await world.manageEvents("POST", "/spring/reconcile", { apply: true });
    assert.deepEqual([body.facts.length, body.missing_awards], [1, []]);
    const { body: evidence } = await world.manageEvents("GET", "/spring/accounts/ada");
    const card = evidence.achievements[2];
    assert.deepEqual([card.reason, card.revoked_at !== null], ["a trick", true]);
    assert.deepEqual((await award("restore")).body, { restored: true });
    assert.equal((await world.requestAs(token, "POST", REVEAL_PATH)).told, "200");
    assert.equal(await earned(), 1);
    const [listedEvent] = (await world.manageEvents("GET", "")).body as never as {
      counts: object;
    }[];
    assert.deepEqual(listedEvent?.counts, {
      members: 3,
      participants: 1,
      earned: 1,
      revoked: 0,
      requests: 0,
    });
    assert.equal((await world.manageEvents("DELETE", "/spring")).told, "409 event_has_awards");
  });

  it("find an account by a former handle in read-only requests only", async () => {
    const world = await eventApi();
    await addRex(world);
    await world.createEvent();
    const { token } = world.ada;
    const body = { handle: "countess" };
    const handleResponse = await sendRequest(world.api, ["PUT", "/api/account/handle"], {
      token,
      payload: body,
    });
    assert.equal(handleResponse.told, "200");
    const progressResponse = await world.manageEvents("GET", "/spring/accounts/ADA");
    assert.equal(progressResponse.body.account.handle, "countess");
    const path = "/spring/accounts/ada/achievements/beat-kiter/revoke";
    assert.equal((await world.manageEvents("POST", path, { reason: "x" })).told, "404");
    assert.equal((await world.manageEvents("GET", "/spring/accounts/nobody")).told, "404");
  });

  it("find and write missing awards", async () => {
    const world = await eventApi();
    const rex = await addRex(world);
    await world.createEvent();
    const match = await beatKiter(world, rex);
    const progressResponse = await world.manageEvents("POST", "/spring/reconcile");
    assert.deepEqual(progressResponse.body.missing_awards, [
      {
        account_id: world.ada.account.id,
        handle: "ada",
        achievement_id: "beat-kiter",
        earned_at: match.ended,
        evidence: [match.id],
      },
    ]);
    assert.equal(progressResponse.body.applied, false);
    assert.equal((await world.api.store.awards.listByEvent("spring")).length, 0);
    const earlyResponse = await world.manageEvents("POST", "/spring/reconcile", { apply: true });
    assert.equal(earlyResponse.told, "409 event_closed");
    assert.equal((await world.api.store.awards.listByEvent("spring")).length, 0);
    world.api.events.upsert({ ...world.api.events.byId("spring")!, enabled: true, revision: 1 });
    const reconcileResponse = await world.manageEvents("POST", "/spring/reconcile", {
      apply: true,
    });
    assert.deepEqual(
      [reconcileResponse.body.missing_awards.length, reconcileResponse.body.applied],
      [1, true],
    );
    assert.equal((await world.api.store.awards.listByEvent("spring")).length, 1);
    const secondResponse = await world.manageEvents("POST", "/spring/reconcile", { apply: true });
    assert.deepEqual(secondResponse.body.missing_awards, []);
  });

  it("rename an achievement, including in the results", async () => {
    const world = await eventApi();
    await world.createEvent({ opens_at: hoursAfterStart(24) });
    await world.enableEvent();
    const listedEvent = async () => {
      const { body } = await sendRequest(world.api, ["GET", "/api/ladders/public/results"]);
      const [event] = body.events as LadderResults["events"];
      return [event?.name, event?.achievements[2]?.name];
    };
    assert.deepEqual(await listedEvent(), ["Spring", "By defeat"]);
    const conditions = SPRING_EVENT.conditions.map((item) => ({
      ...item,
      name: `Now ${item.name}`,
    }));
    assert.equal((await world.manageEvents("PUT", "/spring", { conditions })).told, "200");
    assert.deepEqual(await listedEvent(), ["Spring", "Now By defeat"]);
  });

  it("delete an event without awards, and then its ladder", async () => {
    const world = await eventApi();
    await world.createLadder();
    await world.createEvent({ ladder_id: "cup" });
    assert.equal((await world.manageLadders("DELETE", "/cup")).told, "409 ladder_used");
    assert.deepEqual((await world.manageEvents("DELETE", "/spring")).body, { deleted: "spring" });
    assert.equal((await world.manageEvents("DELETE", "/spring")).told, "404");
    assert.equal((await world.manageLadders("DELETE", "/cup")).told, "200");
  });

  it("can't set windows that put an event outside its ladder's window", async () => {
    const world = await eventApi();
    await world.createLadder({ closes_at: hoursAfterStart(50) });
    await world.createEvent({ ladder_id: "cup" });
    const detail = await world.manageLadders("GET", "/cup");
    assert.equal(detail.body.events[0].id, "spring");
    const earlyResponse = { opens_at: null, closes_at: hoursAfterStart(40) };
    assert.equal(
      (await world.manageLadders("PUT", "/cup/schedule", earlyResponse)).told,
      "400 invalid_window",
    );
    const lateSchedule = { opens_at: hoursAfterStart(0), closes_at: hoursAfterStart(60) };
    assert.equal(
      (await world.manageEvents("PUT", "/spring/schedule", lateSchedule)).told,
      "400 invalid_window",
    );
  });
});
