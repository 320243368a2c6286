// What the living part shows to the HTTP side, and what it must be told of changes made there.

import type { BotId, LadderId, MatchId, VersionId } from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { BoardEntry } from "#live/matchmaker/matchmaker.ts";

type OnlineState = "waiting" | "playing" | "idle";

/** A session of a bot: one at most, but of a house bot. */
export type OnlineBot = {
  botId: BotId;
  name: string;
  house: boolean;
  /** False while its match goes on without a connection. */
  online: boolean;
  /** Null before the first queue of this connection. */
  version: string | null;
  versionId: VersionId | null;
  ladderId: LadderId | null;
  state: OnlineState;
  matchId: MatchId | null;
};

export type RunningView = {
  id: string;
  ladderId: LadderId;
  map: string;
  tick: number;
  started: string;
  /** Seat order. */
  botIds: BotId[];
  names: string[];
};

export type ArenaView = {
  /**
   * Entries of all versions that have a rated game in the ladder's live competition, in no order;
   * or in a season that is closing.
   */
  board(ladderId: LadderId, season?: string): ReadonlyMap<string, BoardEntry>;
  /** The seasons of public whose standings still move; what was archived is in the store. */
  seasons(): { live: string; closing: readonly string[] };
  /** Of all bots that are connected or play. */
  online(): readonly OnlineBot[];
  running(): readonly RunningView[];
  capacity(): { running: number; max: number };
  draining(): boolean;
  /** A bot's token was replaced: its socket closes with invalid_token. */
  tokenRotated(botId: BotId): void;
  /**
   * What is stored of a bot changed: its sessions follow. If it is not active any more, its socket
   * closes with its status as the code and its match is forfeit, or void for a house bot.
   */
  botChanged(bot: BotRecord): void;
  /** A bot was deleted: its socket closes with invalid_token, its match is forfeit. */
  botDeleted(botId: BotId): void;
  /** A version was retired: a queue entry with it is taken out. */
  versionRetired(botId: BotId, label: string): void;
};
