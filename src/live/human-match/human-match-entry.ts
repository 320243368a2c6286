// Admits or refuses human matches against house bots. Bot matches have priority.

import type { IncomingMessage } from "node:http";

import type { Clock } from "#base/clock/clock.ts";
import { openTokenBucket } from "#base/token-bucket/token-bucket.ts";
import type { CallerScale } from "#base/token-bucket/token-bucket.ts";
import { MINUTE_US, SECOND_US } from "#base/util/time.ts";
import { botRefusalCode } from "#core/ids/bot-status.ts";
import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import type { LiveSettings } from "#core/limits/settings.ts";
import type { CloseCode } from "#core/protocol/errors.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import type { SeatHolder } from "#live/arena/save-match.ts";
import { closeWithError } from "#live/arena/session.ts";
import type { Health } from "#live/health/health.ts";
import { HOUSE_VERSION } from "#live/house-bots/house.ts";
import type { House } from "#live/house-bots/house.ts";

export type HumanMatchEntry = {
  /**
   * Starts a match against the house bot with this short name. If the match is refused, closes the
   * connection with an error and returns null.
   */
  connect(
    human: Connection,
    opponent: string | null,
    request: IncomingMessage,
  ): Promise<Listener | null>;
};

/**
 * A slot for a running or starting match. `address` is null if requests aren't limited by address,
 * and after the player has left.
 */
type HumanMatchSlot = { address: string | null };

type HumanMatchDeps = {
  arena: Pick<Arena, "startHumanMatch">;
  clock: Pick<Clock, "now">;
  house: Pick<House, "acquireSession">;
  health: Pick<Health, "isLate">;
  settings: Pick<LiveSettings, "current">;
  store: Pick<Store, "bots" | "versions">;
  /** Returns the client address used for limits; null if requests aren't limited by address. */
  callerOf(request: IncomingMessage): string | null;
  scaleOf?: CallerScale;
};

/** `bots` are the house bots available as opponents. */
export function openHumanMatches(
  deps: HumanMatchDeps,
  bots: readonly BotRecord[],
): HumanMatchEntry {
  const { arena, clock, health, settings, scaleOf = () => 1 } = deps;
  const { play_starts_per_minute: starts } = settings.current();
  const startThrottle = openTokenBucket({
    perSecond: (starts * SECOND_US) / MINUTE_US,
    burst: starts,
  });
  const slots = new Set<HumanMatchSlot>();

  /** Counts a match start and returns 0, or returns the seconds to wait. */
  const throttleWait = ({ address }: HumanMatchSlot): number =>
    address === null
      ? 0
      : Math.ceil(startThrottle(address, clock.now(), scaleOf(address)) / SECOND_US);

  function refusalFor({ address }: HumanMatchSlot): CloseCode | null {
    const sameAddressSlots = slots.values().filter((slot) => slot.address === address);
    if (address !== null && sameAddressSlots.toArray().length >= scaleOf(address))
      return "already_fighting";
    if (slots.size >= settings.current().play_concurrent) return "play_full";
    return health.isLate() ? "server_busy" : null;
  }

  async function startMatch(human: Connection, opponent: string | null, slot: HumanMatchSlot) {
    const seatHolder = await findHouseOpponent(deps, bots, opponent);
    const session = seatHolder && deps.house.acquireSession(seatHolder.bot.id);
    if (seatHolder !== null && session !== null)
      return arena.startHumanMatch(
        human,
        { ...seatHolder, session },
        { onLeave: () => void (slot.address = null), onSaved: () => void slots.delete(slot) },
      );
    closeWithError(human, seatHolder === null ? "unknown_opponent" : "server_busy");
    return null;
  }

  return {
    connect: async (human, opponent, request) => {
      const slot = { address: deps.callerOf(request) };
      const refusalCode = refusalFor(slot);
      if (refusalCode !== null) {
        closeWithError(human, refusalCode);
        return null;
      }
      const waitSeconds = throttleWait(slot);
      if (waitSeconds > 0) {
        closeWithError(human, "rate_limited", throttleText(starts, waitSeconds));
        return null;
      }
      slots.add(slot);
      let listener: Listener | null = null;
      try {
        listener = await startMatch(human, opponent, slot);
      } finally {
        if (listener === null) slots.delete(slot);
      }
      return listener;
    },
  };
}

const throttleText = (max: number, waitSeconds: number): string =>
  `Too many matches started from your address (limit: ${max} a minute). Try again in ${waitSeconds} s.`;

/** Returns null if there is no such house bot or it may not play. */
async function findHouseOpponent(
  { store }: HumanMatchDeps,
  bots: readonly BotRecord[],
  opponent: string | null,
): Promise<NonNullable<SeatHolder> | null> {
  const name = HOUSE_BOTS.find(({ short }) => short === opponent)?.name;
  const registeredBot = bots.find((bot) => bot.name === name);
  if (registeredBot === undefined) return null;
  const bot = await store.bots.byId(registeredBot.id);
  const version = await store.versions.byLabel(registeredBot.id, HOUSE_VERSION);
  return bot !== null && botRefusalCode(bot) === null && version !== null ? { bot, version } : null;
}
