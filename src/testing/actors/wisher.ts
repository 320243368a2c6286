// Accounts ask for opponents in events, and now and then take their wish back.

import type { EventDefinition } from "#core/events/event.ts";
import type { OpponentRequest } from "#core/events/request.ts";
import { FIXED } from "#core/words/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";
import type { Life } from "#testing/simulation/server-life.ts";
import type { World } from "#testing/simulation/world.ts";

import { entryNow, idNow, perform } from "./deed.ts";
import type { AccountHolder } from "./population.ts";

/** Mean hours between two wishes of an account; a short run has as many as a day. */
const EVERY_HOURS = 0.4;
/** Between the starts of two games that somebody asked for. */
const RESTS_MS = FIXED.opponent_request_every_s * 1000;
const SHARE_CANCELLED = 0.25;
const CANCELLED_AFTER_MS = [500, 120_000] as const;

/** From now on accounts ask, until the end. */
export function makeWishes(world: World): void {
  for (const account of world.accounts.values())
    wishOnAndOn(world, account, world.dice.branch(`wishes of ${account.handle}`));
}

function wishOnAndOn(world: World, account: AccountHolder, dice: SeededDice): void {
  const hours = EVERY_HOURS * Math.min(1, world.options.days);
  world.timeline.after(dice.exponential(hours * 3_600_000), () => {
    if (world.isClosing || account.hasLeft) return;
    const wish = drawWish(world, account, dice);
    if (wish !== null) ask(world, wish, dice);
    wishOnAndOn(world, account, dice);
  });
}

/** For one of the account's bots that are there, as the route asks for it; null for none. */
function drawWish(world: World, account: AccountHolder, dice: SeededDice): OpponentRequest | null {
  const { life, timeline } = world;
  const all = (life?.events.all() ?? []).flatMap((event) =>
    presentBots(world, account, event).map((bot) => ({ event, bot })),
  );
  if (life === null || all.length === 0) return null;
  const { event, bot } = dice.pick(all);
  const house = life.deps.ladders.byId(event.ladderId)?.house ?? [];
  if (house.length === 0) return null;
  if (!life.deps.isEventOpen(event.id) || !life.deps.ladders.lists(bot, event.ladderId))
    return null;
  return {
    id: idNow(world),
    eventId: event.id,
    ladderId: event.ladderId,
    accountId: account.id,
    botId: bot.id,
    opponent: dice.pick(house),
    created: timeline.wall().toISOString(),
  };
}

function presentBots(
  { life, records }: World,
  { id }: AccountHolder,
  { ladderId }: EventDefinition,
): BotRecord[] {
  const present = life?.arena.online() ?? [];
  const there = present.filter((one) => one.ladderId === ladderId && one.state !== "idle");
  const own = there.flatMap(({ name }) => records.get(name) ?? []);
  return own.filter(({ ownerId }) => ownerId === id);
}

function ask(world: World, wish: OpponentRequest, dice: SeededDice): void {
  const entry = entryNow(world, "event.requested");
  const deed = { about: [], act: (life: Life) => request(world, life, wish, entry) };
  perform(world, deed, () => {
    if (!dice.chance(SHARE_CANCELLED)) return;
    world.timeline.after(dice.between(...CANCELLED_AFTER_MS), () => cancel(world, wish));
  });
}

async function request(
  { timeline }: World,
  { store, arena }: Life,
  wish: OpponentRequest,
  entry: Parameters<Life["store"]["requests"]["add"]>[1],
): Promise<void> {
  const { pending, served } = await store.requests.latest(wish.eventId, wish.accountId);
  // An earlier try may have been stored, without an answer.
  if (pending?.id === wish.id) arena.opponentRequested(pending);
  const isTooSoon =
    served !== null && timeline.wall().getTime() - Date.parse(served.started) < RESTS_MS;
  if (pending !== null || isTooSoon) return;
  if ((await store.requests.add(wish, entry)) === "added") arena.opponentRequested(wish);
}

/** A game that has begun goes on. */
function cancel(world: World, { id, eventId, accountId }: OpponentRequest): void {
  perform(world, {
    about: [id],
    act: async ({ store, arena }) => {
      const { pending } = await store.requests.latest(eventId, accountId);
      if (pending !== null && pending.id !== id) return;
      await store.requests.cancel(eventId, accountId);
      arena.requestCancelled(id);
    },
  });
}
