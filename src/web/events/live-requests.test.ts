import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { AdminEvent } from "#core/resources/event.ts";
import { addOwnBot } from "#testing/fixtures/account-api.ts";
import { eventApi, show, withRex } from "#testing/fixtures/event-api.ts";
import { addVersion } from "#testing/fixtures/test-api.ts";
import { toStatus } from "#testing/store-cases/store-samples.ts";

async function requested() {
  const world = await eventApi();
  const rex = await withRex(world);
  await world.begin();
  await world.enable();
  show(world.api, rex.bot, rex.version, "public", "waiting");
  const wish = { bot_id: rex.bot.id, opponent: "kiter" };
  const made = await world.of(world.ada.token, "POST", "/spring/opponent", wish);
  assert.equal(made.told, "201", JSON.stringify(made.body));
  return { ...world, rex, wish };
}
type World = Awaited<ReturnType<typeof requested>>;

/** An account's opponent request, as the account and operators see it. */
async function shown({ of, manage, ada }: World) {
  const { body } = await of(ada.token, "GET", "/spring/achievements");
  const event = (await manage("GET", "")).body[0] as unknown as AdminEvent;
  return [body.request as { state: string } | null, event.counts.requests] as const;
}

suite("a request that can't be served", () => {
  test("is null once its bot is retired, and doesn't block another bot", async () => {
    const world = await requested();
    const { api, ada, of, rex, wish } = world;
    await api.store.bots.setStatus(rex.bot.id, toStatus("retired"));
    assert.deepEqual(await shown(world), [null, 0]);
    const retired = await of(ada.token, "POST", "/spring/opponent", wish);
    assert.equal(retired.told, "409 bot_offline");
    const other = await addOwnBot(api, (await api.store.accounts.byId(ada.account.id))!, "Max");
    show(api, other, await addVersion(api, other, "v1"), "public", "waiting");
    const next = await of(ada.token, "POST", "/spring/opponent", { ...wish, bot_id: other.id });
    assert.deepEqual([next.told, next.body.request?.bot_id], ["201", other.id]);
    assert.equal((await api.store.requests.pending()).length, 1);
  });

  test("is null once its event is disabled", async () => {
    const world = await requested();
    await world.manage("PUT", "/spring/settings", { enabled: false });
    assert.deepEqual(await shown(world), [null, 0]);
    const again = await world.of(world.ada.token, "POST", "/spring/opponent", world.wish);
    assert.equal(again.told, "409 event_closed");
  });

  test("stays while its game is running", async () => {
    const world = await requested();
    const [known] = world.api.arena.requests.values();
    known!.matchId = "m";
    const { bot } = world.rex;
    await world.api.store.bots.setStatus(bot.id, toStatus("retired"));
    const [request, count] = await shown(world);
    assert.deepEqual([request?.state, count], ["playing", 1]);
  });
});
