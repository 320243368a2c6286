// The store port: what the service keeps, as plain values. Every implementation passes the cases
// of #testing/store-contract.ts. All methods are safe to call at once; each is one transaction and rejects
// with StoreError (errors.ts) alone. A write that was rejected as `unavailable` or `io` may have
// been stored all the same: calling again with the same ids settles it.

export type BotStatus = "active" | "suspended" | "banned" | "retired";

export type BotRecord = {
  id: string;
  name: string;
  owner: string;
  house: boolean;
  status: BotStatus;
  /** UTC ISO-8601 instant, as every time here. */
  created: string;
  avatar: string | null;
};

export type VersionRecord = {
  id: string;
  botId: string;
  label: string;
  notes: string;
  created: string;
  retired: boolean;
};

export type SeatRecord = {
  botId: string;
  versionId: string;
  fighter: string;
  /** Whole points, null when the match is unrated. */
  ratingBefore: number | null;
  ratingAfter: number | null;
};

export type MatchRecord = {
  id: string;
  ladderId: string;
  mode: "ranked";
  map: string;
  seed: number;
  started: string;
  ended: string;
  durationMs: number;
  finalTick: number;
  reason: string;
  winnerBotId: string | null;
  voided: boolean;
  rated: boolean;
  /** Why two bots were paired, why a match is unrated: kept for an explanation later. */
  pairing: unknown;
  seats: SeatRecord[];
};

/** A seat as lists show it: names joined, as they are now. */
export type SeatRow = SeatRecord & {
  name: string;
  version: string;
  house: boolean;
  avatar: string | null;
};

export type MatchRow = Omit<MatchRecord, "seats" | "pairing"> & {
  seats: SeatRow[];
  /** The statistics document as JSON text, only when asked for; null when there is none. */
  stats?: string | null;
};

export type FinishedMatch = MatchRecord & {
  /** The statistics document as JSON text; null for a voided match. Stored compressed. */
  stats: string | null;
};

/** Results of one version pair on one map within a ladder; `first` < `second` as text. */
export type PairCount = {
  first: string;
  second: string;
  map: string;
  wins: number;
  draws: number;
  losses: number;
};

/** Rated games only. */
export type VersionActivity = {
  versionId: string;
  botId: string;
  /** The end of its last rated game and that game's id, for a total order. */
  lastPlayed: string;
  lastMatchId: string;
  /** Rated games on seat 0 minus rated games on seat 1. */
  seatBalance: number;
};

export type MatchQuery = {
  ladderId: string;
  botId?: string;
  limit: number;
  before?: string;
  withStats: boolean;
};

export type AuditEntry = {
  id: string;
  at: string;
  kind: string;
  subject: string;
  detail: unknown;
};

export type AddBotOutcome = "added" | "name_taken" | "bot_limit";
export type AddVersionOutcome =
  | { outcome: "added" | "exists"; version: VersionRecord }
  | { outcome: "limit" };

export type Store = {
  /** Names are unique without regard to case; `limit` counts the owner's bots but the retired. */
  addBot(bot: BotRecord, tokenHash: string, limit: number | null): Promise<AddBotOutcome>;
  botByName(name: string): Promise<BotRecord | null>;
  botById(id: string): Promise<BotRecord | null>;
  /** `stale` is true for the hash a ban rotated away. */
  botByToken(tokenHash: string): Promise<{ bot: BotRecord; stale: boolean } | null>;
  bots(): Promise<BotRecord[]>;
  /** Forgets the old hash, but for a bot that is banned by now: there it is kept as stale. */
  rotateToken(botId: string, tokenHash: string): Promise<void>;
  setBotStatus(botId: string, status: BotStatus): Promise<void>;
  /** Deletes a bot that never played, with its versions; "played" changes nothing. */
  deleteBot(botId: string): Promise<"deleted" | "played">;

  /** Adds the label unless it is there; `dayLimit` counts the bot's versions made since `since`. */
  addVersion(
    version: VersionRecord,
    dayLimit: { count: number; since: string } | null,
  ): Promise<AddVersionOutcome>;
  /** Null when the bot has no such version. */
  retireVersion(botId: string, label: string): Promise<VersionRecord | null>;
  versionsOf(botId: string): Promise<VersionRecord[]>;
  versions(): Promise<VersionRecord[]>;

  /**
   * Stores match, seats, statistics, pair counts and activity in one transaction; calls that come
   * while a commit is under way share the next one. Resolves only after the commit is durable.
   * A match whose id is stored already is left as it is.
   */
  saveMatch(match: FinishedMatch): Promise<void>;
  /** Newest first (`ended`, then id). Null when `before` names no match. */
  matches(query: MatchQuery): Promise<MatchRow[] | null>;
  match(id: string): Promise<MatchRow | null>;
  matchStats(id: string): Promise<string | null>;
  matchCounts(ladderId: string): Promise<{ games: number; voided: number }>;
  /** Ids of all stored matches, for the sweep of orphaned replay files. */
  matchIds(): Promise<string[]>;
  /** Sorted ladder ids on which the bot has any recorded match. */
  playedLadders(botId: string): Promise<string[]>;
  /** Whole-life results of the version pairs of one ladder, rated games only. */
  pairCounts(ladderId: string): Promise<PairCount[]>;
  activity(ladderId: string): Promise<VersionActivity[]>;
  /** How many matches of each bot started since an instant, for quotas. */
  startsSince(since: string): Promise<{ botId: string; started: string }[]>;

  addAudit(entries: AuditEntry[]): Promise<void>;
  audit(query: { kind?: string; limit: number }): Promise<AuditEntry[]>;

  /** Applied schema number. */
  schema(): Promise<number>;
  /** Reads everything: one line for each thing that is damaged or does not add up. */
  checkIntegrity(): Promise<string[]>;
  close(): Promise<void>;
};
