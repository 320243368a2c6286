import type { Clock } from "#base/clock/clock.ts";
import type { StoredRatedMatch } from "#core/events/stored-match.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import type { EventId } from "#core/ids/ids.ts";
import type { LiveLadders } from "#core/ladder/live-ladders.ts";
import type { LiveSettings } from "#core/limits/settings.ts";
import type { CloseCode } from "#core/protocol/errors.ts";
import type { TokenLookup } from "#data/credentials/authenticate-bearer.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";
import type { Health } from "#live/health/health.ts";
import type { CreateMatchEngine } from "#live/match/match-engine.ts";
import type { Matchmaker } from "#live/matchmaker/matchmaker.ts";
import type { Recorder } from "#live/recorder/recorder.ts";

export type Log = {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
};

export type DebugLog = { debug(fields: object, text: string): void };

type Versions = { engine: string; protocol: string; rules: string; rules_hash: string };

export type ArenaDeps = {
  store: Store;
  credentials: TokenLookup;
  matchmaker: Matchmaker;
  createEngine: CreateMatchEngine;
  recorder: Recorder;
  clock: Clock;
  log: Log & DebugLog;
  health: Health;
  settings: LiveSettings;
  ladders: LiveLadders;
  versions: Versions;
  /** Returns a UUIDv7. */
  newId: () => string;
  /** Returns an integer from 0 to 2^32 - 1. */
  newSeed: () => number;
  /** Returns the close code for a bot that may not play despite a valid token, or null. */
  playRefusalOf(bot: BotRecord): CloseCode | null;
  /**
   * Returns whether an event is enabled and its window is open. Opponent requests are only served
   * in open events.
   */
  isEventOpen: (eventId: EventId) => boolean;
  /**
   * Returns whether an event approves this version of a house bot. Only approved versions serve
   * opponent requests.
   */
  isApproved: (eventId: EventId, kind: HouseKind, label: string) => boolean;
  /** Called after a ranked match is stored. The arena doesn't wait for it. */
  onMatchStored: (match: StoredRatedMatch) => void;
  /** Called when the store or a thread can no longer be trusted. Must exit the process. */
  panic(error: unknown): void;
};
