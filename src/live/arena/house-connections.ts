import { botRefusalCode } from "#core/ids/bot-status.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import type { StallMonitor } from "#live/health/stall-monitor.ts";

import type { ArenaState } from "./arena-state.ts";
import { attachConnection } from "./bot-connections.ts";
import type { Connection, Listener } from "./connection.ts";
import { CLOSE_NORMAL, closeWithError } from "./session.ts";

export type HouseSessionId = { botId: BotId; ladderId: LadderId; slot: number };

const houseSessionKey = ({ botId, ladderId, slot }: HouseSessionId): string =>
  `${botId} ${ladderId} ${slot}`;

/**
 * Connects a house bot session. Returns null if the bot may not play. Status changes during the
 * store lookup are taken into account.
 */
export async function connectHouseBot(
  arena: ArenaState,
  stalls: StallMonitor,
  houseSessionId: HouseSessionId,
  connection: Connection,
): Promise<Listener | null> {
  const { store, ladders } = arena.deps;
  for (;;) {
    const { credentialChanges: changesBefore } = arena;
    const bot = await store.bots.byId(houseSessionId.botId);
    if (changesBefore !== arena.credentialChanges) continue;
    const statusRefusal = bot === null ? "invalid_token" : botRefusalCode(bot);
    if (bot === null || statusRefusal !== null) {
      closeWithError(connection, statusRefusal ?? "invalid_token");
      return null;
    }
    const ladderRefusal = ladders.queueRefusal(bot, houseSessionId.ladderId);
    if (ladderRefusal !== null) {
      connection.close(CLOSE_NORMAL, ladderRefusal);
      return null;
    }
    return attachConnection(
      arena,
      stalls,
      { key: houseSessionKey(houseSessionId), bot },
      connection,
    );
  }
}
