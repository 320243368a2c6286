import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { AdminEvent } from "#core/api/event.ts";
import { addAccountBot } from "#testing/fixtures/account-api.ts";
import { eventApi, setArenaState, addRex } from "#testing/fixtures/event-api.ts";
import { addTestVersion } from "#testing/fixtures/test-api.ts";
import { statusChange } from "#testing/store-contract/store-samples.ts";

async function requestedWorld() {
  const world = await eventApi();
  const rex = await addRex(world);
  await world.createEvent();
  await world.enableEvent();
  setArenaState(world.api, rex.bot, rex.version, "public", "waiting");
  const opponentRequest = { bot_id: rex.bot.id, opponent: "kiter" };
  const createResponse = await world.requestAs(
    world.ada.token,
    "POST",
    "/spring/opponent",
    opponentRequest,
  );
  assert.equal(createResponse.told, "201", JSON.stringify(createResponse.body));
  return { ...world, rex, wish: opponentRequest };
}
type World = Awaited<ReturnType<typeof requestedWorld>>;

/** Returns the account's opponent request, and the number of requests that operators see. */
async function shownRequest({ requestAs: callEvent, manageEvents, ada }: World) {
  const { body } = await callEvent(ada.token, "GET", "/spring/achievements");
  const event = (await manageEvents("GET", "")).body[0] as unknown as AdminEvent;
  return [body.request as { state: string } | null, event.counts.requests] as const;
}

suite("an opponent request", () => {
  test("disappears once its bot is retired, and doesn't block a request for another bot", async () => {
    const world = await requestedWorld();
    const { api, ada, requestAs: callEvent, rex, wish: opponentRequest } = world;
    await api.store.bots.setStatus(rex.bot.id, statusChange("retired"));
    assert.deepEqual(await shownRequest(world), [null, 0]);
    const retired = await callEvent(ada.token, "POST", "/spring/opponent", opponentRequest);
    assert.equal(retired.told, "409 bot_offline");
    const otherBot = await addAccountBot(
      api,
      (await api.store.accounts.byId(ada.account.id))!,
      "Max",
    );
    setArenaState(api, otherBot, await addTestVersion(api, otherBot, "v1"), "public", "waiting");
    const nextResponse = await callEvent(ada.token, "POST", "/spring/opponent", {
      ...opponentRequest,
      bot_id: otherBot.id,
    });
    assert.deepEqual([nextResponse.told, nextResponse.body.request?.bot_id], ["201", otherBot.id]);
    assert.equal((await api.store.requests.pending()).length, 1);
  });

  test("disappears once its event is disabled", async () => {
    const world = await requestedWorld();
    await world.manageEvents("PUT", "/spring/settings", { enabled: false });
    assert.deepEqual(await shownRequest(world), [null, 0]);
    const secondResponse = await world.requestAs(
      world.ada.token,
      "POST",
      "/spring/opponent",
      world.wish,
    );
    assert.equal(secondResponse.told, "409 event_closed");
  });

  test("remains while its match is running", async () => {
    const world = await requestedWorld();
    const [arenaRequest] = world.api.arena.requests.values();
    arenaRequest!.matchId = "m";
    const { bot } = world.rex;
    await world.api.store.bots.setStatus(bot.id, statusChange("retired"));
    const [request, count] = await shownRequest(world);
    assert.deepEqual([request?.state, count], ["playing", 1]);
  });
});
