// Finds Starter in the house.

import { PRACTICE_OPPONENT } from "#core/words/practice.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";
import { HOUSE_VERSION } from "#live/house/house.ts";
import type { House } from "#live/house/house.ts";

import type { PracticeOpponent } from "./opponent.ts";

/** Null if Starter is none of this house's bots. */
export async function findOpponent(
  { store, house }: { store: Pick<Store, "bots" | "versions">; house: Pick<House, "lend"> },
  houseBots: readonly BotRecord[],
): Promise<PracticeOpponent | null> {
  const known = houseBots.find(({ name }) => name === PRACTICE_OPPONENT);
  if (known === undefined) return null;
  const { id } = known;
  const bot = await store.bots.byId(id);
  const version = await store.versions.byLabel(id, HOUSE_VERSION);
  return bot && version && { bot, version, lend: () => house.lend(id) };
}
