import { PRACTICE_OPPONENT } from "#core/ids/practice-states.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";
import { HOUSE_VERSION } from "#live/house-bots/house.ts";
import type { House } from "#live/house-bots/house.ts";

import type { PracticeOpponent } from "./practice-opponent.ts";

/** Returns Starter as a practice opponent, or null if it isn't one of this server's house bots. */
export async function findPracticeOpponent(
  {
    store,
    house,
  }: { store: Pick<Store, "bots" | "versions">; house: Pick<House, "acquireSession"> },
  houseBots: readonly BotRecord[],
): Promise<PracticeOpponent | null> {
  const registeredBot = houseBots.find(({ name }) => name === PRACTICE_OPPONENT);
  if (registeredBot === undefined) return null;
  const { id } = registeredBot;
  const bot = await store.bots.byId(id);
  const version = await store.versions.byLabel(id, HOUSE_VERSION);
  return bot && version && { bot, version, acquireSession: () => house.acquireSession(id) };
}
