// What the living part shows to the HTTP side, and what it must be told of changes made there.

import type { BoardEntry } from "#live/matchmaker/matchmaker.ts";

type OnlineState = "waiting" | "playing" | "idle";

/** A session of a bot: one at most, but of a house bot. */
export type OnlineBot = {
  botId: string;
  name: string;
  house: boolean;
  /** False while its match goes on without a connection. */
  online: boolean;
  /** Null before the first queue of this connection. */
  version: string | null;
  versionId: string | null;
  ladderId: string | null;
  state: OnlineState;
  matchId: string | null;
};

export type RunningView = {
  id: string;
  ladderId: string;
  map: string;
  tick: number;
  started: string;
  /** Seat order. */
  botIds: string[];
  names: string[];
};

export type ArenaView = {
  /**
   * Entries of all versions that have a rated game in the ladder's live competition, in no order;
   * or in a season that is closing.
   */
  board(ladderId: string, season?: string): ReadonlyMap<string, BoardEntry>;
  /** The seasons of public whose standings still move; what was archived is in the store. */
  seasons(): { live: string; closing: readonly string[] };
  /** Of all bots that are connected or play. */
  online(): readonly OnlineBot[];
  running(): readonly RunningView[];
  capacity(): { running: number; max: number };
  draining(): boolean;
  /** A bot's token was replaced: its socket closes with invalid_token. */
  tokenRotated(botId: string): void;
  /**
   * A bot was deleted, retired, suspended or banned: its socket closes, its match is forfeit, or
   * void for a house bot.
   */
  botRemoved(botId: string, why: "invalid_token" | "retired" | "suspended" | "banned"): void;
  /** A version was retired: a queue entry with it is taken out. */
  versionRetired(botId: string, label: string): void;
};
