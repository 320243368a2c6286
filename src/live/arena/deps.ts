// Everything the arena takes from outside, assembled on the composition page.

import type { Clock } from "#base/clock/clock.ts";
import type { StoredGame } from "#core/events/stored-game.ts";
import type { Ladders } from "#core/ladder/ladders.ts";
import type { ClosingCode } from "#core/protocol/errors.ts";
import type { HouseKind } from "#core/words/house.ts";
import type { EventId } from "#core/words/ids.ts";
import type { Settings } from "#core/words/settings.ts";
import type { Credentials } from "#data/access/credentials.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";
import type { Health } from "#live/health/health.ts";
import type { Fights } from "#live/match/fight-port.ts";
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
  credentials: Credentials;
  matchmaker: Matchmaker;
  /** What matches run on. */
  fights: Fights;
  recorder: Recorder;
  clock: Clock;
  log: Log & DebugLog;
  health: Health;
  settings: Settings;
  ladders: Ladders;
  versions: Versions;
  /** UUIDv7 text. */
  newId: () => string;
  /** A whole number from 0 to 2^32 - 1. */
  newSeed: () => number;
  /** Null, or why a bot that has shown a valid token may not play here. */
  mayPlay(bot: BotRecord): ClosingCode | null;
  /** Whether an event is enabled and its window open: only then are its requests served. */
  isEventOpen: (eventId: EventId) => boolean;
  /** Whether an event approves this version of a house bot: only it serves requests. */
  isApproved: (eventId: EventId, kind: HouseKind, label: string) => boolean;
  /** A ranked match is stored; nothing waits for what is made of it. */
  stored: (game: StoredGame) => void;
  /** The store or a thread failed in a way that makes it untrustworthy: the process must end. */
  panic(error: unknown): void;
};
