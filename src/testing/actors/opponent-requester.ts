import type { EventDefinition } from "#core/events/event.ts";
import type { OpponentRequest } from "#core/events/opponent-request.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";
import type { SimulatedServer } from "#testing/simulation/simulated-server.ts";
import type { World } from "#testing/simulation/world.ts";

import { createAuditEntry, createId, applyMutation } from "./mutation.ts";
import type { AccountHolder } from "./population.ts";

/**
 * Mean number of hours between an account's requests. Short runs include as many requests as a full
 * day.
 */
const MEAN_INTERVAL_HOURS = 0.4;
const MIN_INTERVAL_MS = FIXED_LIMITS.opponent_request_every_s * 1000;
const SHARE_CANCELLED = 0.25;
const CANCEL_DELAY_MS = [500, 120_000] as const;

/** Schedules opponent requests, some of which are later cancelled, until the end of the run. */
export function scheduleOpponentRequests(world: World): void {
  for (const account of world.accounts.values())
    requestRepeatedly(world, account, world.dice.branch(`wishes of ${account.handle}`));
}

function requestRepeatedly(world: World, account: AccountHolder, dice: SeededDice): void {
  const hours = MEAN_INTERVAL_HOURS * Math.min(1, world.options.days);
  world.timeline.after(dice.exponential(hours * 3_600_000), () => {
    if (world.isClosing || account.hasLeft) return;
    const opponentRequest = drawOpponentRequest(world, account, dice);
    if (opponentRequest !== null) submitRequest(world, opponentRequest, dice);
    requestRepeatedly(world, account, dice);
  });
}

/**
 * Creates a request for one of the account's bots, as the HTTP route does. Returns null if the
 * account has no bot.
 */
function drawOpponentRequest(
  world: World,
  account: AccountHolder,
  dice: SeededDice,
): OpponentRequest | null {
  const { server, timeline } = world;
  const candidates = (server?.events.list() ?? []).flatMap((event) =>
    findWaitingBots(world, account, event).map((bot) => ({ event, bot })),
  );
  if (server === null || candidates.length === 0) return null;
  const { event, bot } = dice.pick(candidates);
  const house = server.deps.ladders.byId(event.ladderId)?.house ?? [];
  if (house.length === 0) return null;
  if (!server.deps.isEventOpen(event.id) || !server.deps.ladders.isListed(bot, event.ladderId))
    return null;
  return {
    id: createId(world),
    eventId: event.id,
    ladderId: event.ladderId,
    accountId: account.id,
    botId: bot.id,
    opponent: dice.pick(house),
    created: timeline.wall().toISOString(),
  };
}

function findWaitingBots(
  { server, records }: World,
  { id }: AccountHolder,
  { ladderId }: EventDefinition,
): BotRecord[] {
  const onlineBots = server?.arena.onlineBots() ?? [];
  const waitingBots = onlineBots.filter(
    (onlineBot) => onlineBot.ladderId === ladderId && onlineBot.state !== "idle",
  );
  const ownedBots = waitingBots.flatMap(({ name }) => records.get(name) ?? []);
  return ownedBots.filter(({ ownerId }) => ownerId === id);
}

function submitRequest(world: World, opponentRequest: OpponentRequest, dice: SeededDice): void {
  const auditEntry = createAuditEntry(world, "event.requested");
  const mutation = {
    about: [],
    apply: (server: SimulatedServer) => storeRequest(world, server, opponentRequest, auditEntry),
  };
  applyMutation(world, mutation, () => {
    if (!dice.chance(SHARE_CANCELLED)) return;
    world.timeline.after(dice.between(...CANCEL_DELAY_MS), () =>
      cancelRequest(world, opponentRequest),
    );
  });
}

async function storeRequest(
  { timeline }: World,
  { store, arena }: SimulatedServer,
  opponentRequest: OpponentRequest,
  auditEntry: Parameters<SimulatedServer["store"]["requests"]["add"]>[1],
): Promise<void> {
  const { pending, served } = await store.requests.latest(
    opponentRequest.eventId,
    opponentRequest.accountId,
  );
  // An earlier attempt may have been stored even though its response was lost.
  if (pending?.id === opponentRequest.id) arena.onOpponentRequested(pending);
  const isTooSoon =
    served !== null && timeline.wall().getTime() - Date.parse(served.started) < MIN_INTERVAL_MS;
  if (pending !== null || isTooSoon) return;
  if ((await store.requests.add(opponentRequest, auditEntry)) === "added")
    arena.onOpponentRequested(opponentRequest);
}

function cancelRequest(world: World, { id, eventId, accountId }: OpponentRequest): void {
  applyMutation(world, {
    about: [id],
    apply: async ({ store, arena }) => {
      const { pending } = await store.requests.latest(eventId, accountId);
      if (pending !== null && pending.id !== id) return;
      await store.requests.cancel(eventId, accountId);
      arena.onRequestCancelled(id);
    },
  });
}
