// Who may begin a fight against a house bot, and when. Matches of bots come first.

import type { IncomingMessage } from "node:http";

import type { Clock } from "#base/clock/clock.ts";
import { openThrottle } from "#base/token-bucket/token-bucket.ts";
import type { ScaleOf } from "#base/token-bucket/token-bucket.ts";
import { MINUTE, SECOND } from "#base/units/time.ts";
import type { ClosingCode } from "#core/protocol/errors.ts";
import { standingRefusal } from "#core/words/bot-status.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";
import type { Settings } from "#core/words/settings.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import type { SeatHolder } from "#live/arena/save-match.ts";
import { refuse } from "#live/arena/session.ts";
import type { Health } from "#live/health/health.ts";
import { HOUSE_VERSION } from "#live/house/house.ts";
import type { House } from "#live/house/house.ts";

export type PlayDoor = {
  /**
   * Begins a fight against the house bot with this short name; tells the person and returns null
   * when there is none.
   */
  arrive(
    person: Connection,
    opponent: string | null,
    request: IncomingMessage,
  ): Promise<Listener | null>;
};

/**
 * Held by a fight that has begun or is about to. The address is null if none are limited, and once
 * the person has left.
 */
type Place = { address: string | null };

type PlayDeps = {
  arena: Pick<Arena, "fight">;
  clock: Pick<Clock, "now">;
  house: Pick<House, "lend">;
  health: Pick<Health, "isLate">;
  settings: Pick<Settings, "current">;
  store: Pick<Store, "bots" | "versions">;
  /** The address that a request is counted for; null if addresses are not limited. */
  callerOf(request: IncomingMessage): string | null;
  scaleOf?: ScaleOf;
};

/** `bots` are those of the house that can be fought. */
export function openPlay(deps: PlayDeps, bots: readonly BotRecord[]): PlayDoor {
  const { arena, clock, health, settings, scaleOf = () => 1 } = deps;
  const { play_starts_per_minute: starts } = settings.current();
  const throttle = openThrottle({ perSecond: (starts * SECOND) / MINUTE, burst: starts });
  const places = new Set<Place>();

  /** Seconds to wait; 0 if one more may begin, which is counted. */
  const waitOf = ({ address }: Place): number =>
    address === null ? 0 : Math.ceil(throttle(address, clock.now(), scaleOf(address)) / SECOND);

  function refusal({ address }: Place): ClosingCode | null {
    const fights = places.values().filter((place) => place.address === address);
    if (address !== null && fights.toArray().length >= scaleOf(address)) return "already_fighting";
    if (places.size >= settings.current().play_concurrent) return "play_full";
    return health.isLate() ? "server_busy" : null;
  }

  async function begin(person: Connection, opponent: string | null, place: Place) {
    const known = await contestantOf(deps, bots, opponent);
    const session = known && deps.house.lend(known.bot.id);
    if (known !== null && session !== null)
      return arena.fight(
        person,
        { ...known, session },
        { left: () => void (place.address = null), over: () => void places.delete(place) },
      );
    refuse(person, known === null ? "unknown_opponent" : "server_busy");
    return null;
  }

  return {
    arrive: async (person, opponent, request) => {
      const place = { address: deps.callerOf(request) };
      const refused = refusal(place);
      if (refused !== null) {
        refuse(person, refused);
        return null;
      }
      const waitS = waitOf(place);
      if (waitS > 0) {
        refuse(person, "rate_limited", haste(starts, waitS));
        return null;
      }
      places.add(place);
      let listener: Listener | null = null;
      try {
        listener = await begin(person, opponent, place);
      } finally {
        if (listener === null) places.delete(place);
      }
      return listener;
    },
  };
}

const haste = (most: number, waitS: number): string =>
  `Too many fights were begun from your address: ${most} a minute may be. Try again in ${waitS} s.`;

/** Null for a bot that is not of this house, or must not play. */
async function contestantOf(
  { store }: PlayDeps,
  bots: readonly BotRecord[],
  opponent: string | null,
): Promise<NonNullable<SeatHolder> | null> {
  const name = HOUSE_BOTS.find(({ short }) => short === opponent)?.name;
  const known = bots.find((bot) => bot.name === name);
  if (known === undefined) return null;
  const bot = await store.bots.byId(known.id);
  const version = await store.versions.byLabel(known.id, HOUSE_VERSION);
  return bot !== null && standingRefusal(bot) === null && version !== null
    ? { bot, version }
    : null;
}
