// House bots arrive without a token, and with as many sessions at once as the house keeps.

import { standingRefusal } from "#core/words/bot-status.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { StallWatch } from "#live/health/stall.ts";

import type { ArenaState } from "./arena-state.ts";
import { welcome } from "./arrivals.ts";
import type { Connection, Listener } from "./connection.ts";
import { CLOSE_NORMAL, refuse } from "./session.ts";

/** One session of a house bot. It has separate ones for each ladder, and may have several there. */
export type HousePlace = { botId: BotId; ladderId: LadderId; slot: number };

const keyOf = ({ botId, ladderId, slot }: HousePlace): string => `${botId} ${ladderId} ${slot}`;

/** Null when the bot must not play; a status that changes during the look-up counts. */
export async function arriveFromHouse(
  arena: ArenaState,
  stalls: StallWatch,
  place: HousePlace,
  connection: Connection,
): Promise<Listener | null> {
  const { store, ladders } = arena.deps;
  for (;;) {
    const { changes } = arena;
    const bot = await store.bots.byId(place.botId);
    if (changes !== arena.changes) continue;
    const standing = bot === null ? "invalid_token" : standingRefusal(bot);
    if (bot === null || standing !== null) {
      refuse(connection, standing ?? "invalid_token");
      return null;
    }
    const refused = ladders.admits(bot, place.ladderId);
    if (refused !== null) {
      connection.close(CLOSE_NORMAL, refused);
      return null;
    }
    return welcome(arena, stalls, { key: keyOf(place), bot }, connection);
  }
}
