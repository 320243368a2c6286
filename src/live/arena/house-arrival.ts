// House bots come in without a token, and with as many sessions at once as the house keeps.

import type { StallWatch } from "#live/health/stall.ts";

import type { Hall } from "./arena-state.ts";
import { welcome } from "./arrivals.ts";
import type { Connection, Listener } from "./connection.ts";
import { openSession, refuse } from "./session.ts";

/** One session of a house bot: each ladder has its own, and may have several. */
export type HousePlace = { botId: string; ladderId: string; slot: number };

const keyOf = ({ botId, ladderId, slot }: HousePlace): string => `${botId} ${ladderId} ${slot}`;

/** Null when the bot is not to play; a status that changes during the look-up counts. */
export async function arriveFromHouse(
  hall: Hall,
  stalls: StallWatch,
  place: HousePlace,
  connection: Connection,
): Promise<Listener | null> {
  const { store } = hall.deps;
  for (;;) {
    const { changes } = hall;
    const bot = await store.botById(place.botId);
    if (changes !== hall.changes) continue;
    if (bot?.status !== "active") {
      refuse(connection, bot?.status ?? "invalid_token");
      return null;
    }
    const key = keyOf(place);
    const session = hall.sessions.get(key) ?? openSession(bot, key);
    return welcome(hall, stalls, session, connection);
  }
}
