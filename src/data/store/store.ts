// The store port: what the service keeps, as plain values. Every implementation passes the cases
// of #testing/store-cases/store-contract.ts. All methods are safe to call at once; each is one transaction and rejects
// with StoreError (errors.ts) alone. A write that was rejected as `unavailable` or `io` may have
// been stored all the same: calling again with the same ids settles it.

import type { Competition } from "#core/ladder/season.ts";
import type { FinalPlace } from "#core/ladder/standings.ts";
import type { BotPlay, Weapon } from "#core/ladder/style.ts";
import type { TurnFigures } from "#core/ladder/version-health.ts";
import type { ActorKind, AuditKind, SubjectKind } from "#core/words/audit.ts";
import type { AvatarName } from "#core/words/avatars.ts";
import type { AccountId, BotId, LadderId, MatchId, OwnerId, VersionId } from "#core/words/ids.ts";
import type { Mode, UnratedReason } from "#core/words/rated.ts";
import type { Results } from "#core/words/results.ts";

export type BotStatus = "active" | "suspended" | "banned" | "retired";

export type BotRecord = {
  id: string;
  name: string;
  owner: string;
  ownerId: OwnerId;
  house: boolean;
  status: BotStatus;
  /** UTC ISO-8601 instant, as every time here. */
  created: string;
  avatar: AvatarName | null;
};

export type VersionRecord = {
  id: string;
  botId: BotId;
  label: string;
  notes: string;
  created: string;
  retired: boolean;
};

/** What lists of many versions are made of. */
export type VersionEntry = Omit<VersionRecord, "notes">;

export type SeatRecord = {
  /** Null for a person, as the version is. */
  botId: BotId | null;
  versionId: VersionId | null;
  /** Of the bot's owner when the match started; null for an owner without an account. */
  accountId: AccountId | null;
  /** As they were when the match started. */
  name: string;
  version: string;
  fighter: string;
  /** Whole points, null when the match is unrated. */
  ratingBefore: number | null;
  ratingAfter: number | null;
  /** Unrounded, made exact with the refit of this match; null for an older or an unrated one. */
  deviationAfter: number | null;
  scoreAfter: number | null;
};

export type MatchRecord = {
  id: string;
  ladderId: LadderId;
  /** On public the season in which it started; null on other ladders. */
  season: string | null;
  mode: Mode;
  map: string;
  seed: number;
  started: string;
  ended: string;
  durationMs: number;
  finalTick: number;
  reason: string;
  /** Null for a draw. */
  winnerSeat: number | null;
  voided: boolean;
  rated: boolean;
  /** Null for a rated match. */
  unratedReason: UnratedReason | null;
  /** Why two bots were paired: kept for an explanation later. */
  pairing: object | null;
  seats: SeatRecord[];
};

/** A seat as lists show it: the bot's name is the present one. */
export type SeatRow = SeatRecord & {
  house: boolean;
  avatar: AvatarName | null;
};

export type MatchRow = Omit<MatchRecord, "seats" | "pairing"> & {
  seats: SeatRow[];
  /** The statistics document as JSON text, only when asked for; null when there is none. */
  stats?: string | null;
};

export type FinishedMatch = MatchRecord & {
  /** The statistics document as JSON text; null for a voided match. Added up, and compressed. */
  stats: string | null;
  /** Whether both ratings had found their places: only then a swing or an upset means something. */
  settled: boolean;
};

/** Results of one version pair on one map within a competition; `first` < `second` as text. */
export type PairCount = Results & { first: string; second: string; map: string };

/** Rated games only. */
export type VersionActivity = {
  versionId: VersionId;
  botId: BotId;
  /** The end of its last rated game and that game's id, for a total order. */
  lastPlayed: string;
  lastMatchId: string;
  /** Rated games on seat 0 minus rated games on seat 1. */
  seatBalance: number;
};

export type MatchQuery = {
  ladderId: LadderId;
  /** Of all seasons when absent. */
  season?: string | undefined;
  botId?: BotId;
  /** These narrow a bot's matches: its version, whom it met, where, and what it took. */
  versionId?: VersionId | undefined;
  opponentId?: BotId | undefined;
  map?: string | undefined;
  result?: ResultLetter | undefined;
  limit: number;
  before?: string | undefined;
  withStats: boolean;
};

/** What a bot took from a match: won, lost or drawn. A void match has none. */
export type ResultLetter = "W" | "L" | "D";

/** A season of public. Months and the preseason before them; see #core/ladder/season.ts. */
export type SeasonRecord = {
  id: string;
  opensAt: string;
  closesAt: string;
  /** When its standings were written; null until then. */
  archivedAt: string | null;
};

/** A final place, all as it was when the season was archived; rating and deviation unrounded. */
export type FinalStanding = FinalPlace;

export type HighlightKind = "opener" | "finale" | "longest" | "quickest" | "swing" | "upset";

/** Everything of a competition that is added up as matches come; rated games but for totals. */
export type CompetitionFigures = {
  /** Matches that were not voided; `statsGames` of them are in `play` and `weapons`. */
  totals: { games: number; draws: number; voided: number; statsGames: number };
  highlights: Partial<Record<HighlightKind, string>>;
  /**
   * Pairs of player bots that took points from each other, most first, each at least one in four;
   * results of the first.
   */
  rivalries: (Results & { botIds: readonly [BotId, BotId] })[];
  maps: (Results & { botId: BotId; map: string })[];
  play: BotPlay[];
  weapons: Weapon[];
};

export type RatingQuery = {
  ladderId: LadderId;
  botId: BotId;
  /** Of one season, or of all seasons from an instant on, or all there is. */
  season?: string;
  since?: string;
  /** More games than this are sampled evenly; the first and last of each version always stay. */
  points: number;
};

/** One rated game of a bot as its rating history shows it; seats named as they are now. */
export type RatingPoint = {
  matchId: MatchId;
  ended: string;
  map: string;
  version: string;
  ratingBefore: number;
  ratingAfter: number;
  result: "W" | "L" | "D";
  opponent: string;
  opponentVersion: string;
};

export type AuditEntry = {
  id: string;
  at: string;
  kind: AuditKind;
  actor: { kind: ActorKind; id: string | null; name: string | null };
  subject: { kind: SubjectKind; id: string | null; name: string | null } | null;
  /** What an operator gave as the reason. */
  reason: string | null;
  detail: object | null;
};

export type AddBotOutcome = "added" | "name_taken" | "bot_limit";
export type AddVersionOutcome =
  | { outcome: "added" | "exists"; version: VersionRecord }
  | { outcome: "limit" };
export type RetireOutcome = { outcome: "retired" | "was_retired"; version: VersionRecord };

export type VersionPage = { before?: string | undefined; limit: number };

export type Store = {
  /** Names are unique without regard to case; `limit` counts the owner's bots but the retired. */
  addBot(bot: BotRecord, tokenHash: string, limit: number | null): Promise<AddBotOutcome>;
  botByName(name: string): Promise<BotRecord | null>;
  botById(id: string): Promise<BotRecord | null>;
  /** In no order, without those that are not there. */
  botsById(ids: readonly string[]): Promise<BotRecord[]>;
  /** `stale` is true for the hash a ban rotated away. */
  botByToken(tokenHash: string): Promise<{ bot: BotRecord; stale: boolean } | null>;
  /** Oldest first. */
  houseBots(): Promise<BotRecord[]>;
  /** Ids of the next `most` bots in the order of ids, after one of them or, with null, from the first. */
  botIds(after: string | null, most: number): Promise<string[]>;
  /** Forgets the old hash, but for a bot that is banned by now: there it is kept as stale. */
  rotateToken(botId: BotId, tokenHash: string): Promise<void>;
  /** False when the bot has that status already, or there is none. */
  setBotStatus(botId: BotId, status: BotStatus): Promise<boolean>;
  /**
   * Deletes a bot that never played a ranked match, with its versions and its other matches, whose
   * replays are left to the sweep of orphaned files; "played" changes nothing.
   */
  deleteBot(botId: BotId): Promise<"deleted" | "played">;

  /** Adds the label unless it is there; `dayLimit` counts the bot's versions made since `since`. */
  addVersion(
    version: VersionRecord,
    dayLimit: { count: number; since: string } | null,
  ): Promise<AddVersionOutcome>;
  /** Null when the bot has no such version. */
  retireVersion(botId: BotId, label: string): Promise<RetireOutcome | null>;
  /** Null when the bot has no such version. */
  version(botId: BotId, label: string): Promise<VersionRecord | null>;
  /** In no order, without those that are not there. */
  versionsById(ids: readonly string[]): Promise<VersionEntry[]>;
  /** Made last first. Null when `before` is no label of the bot's. */
  versionsOf(botId: BotId, page: VersionPage): Promise<VersionRecord[] | null>;
  /**
   * The `most` versions of a bot that were made or played last, by its latest few thousand matches;
   * those with the ids of `always` are among them. Oldest first, with the number of all there are.
   */
  latestVersions(
    botId: BotId,
    most: number,
    always: readonly string[],
  ): Promise<{ versions: VersionRecord[]; total: number }>;
  /**
   * The version that stands for a bot on a ladder, retired ones aside: the one that last played a
   * rated game there, whatever the season, else the newest; null when there is none.
   */
  currentVersion(botId: BotId, ladderId: LadderId): Promise<VersionRecord | null>;

  /**
   * Stores match, seats, statistics and all that is counted of a ranked one in one transaction;
   * calls that come while a commit is under way share the next one. Resolves only after the commit
   * is durable.
   * A match whose id is stored already is left as it is: false then.
   */
  saveMatch(match: FinishedMatch): Promise<boolean>;
  /** Ranked ones, newest first (`ended`, then id). Null when `before` names no match. */
  matches(query: MatchQuery): Promise<MatchRow[] | null>;
  match(id: string): Promise<MatchRow | null>;
  matchStats(id: string): Promise<string | null>;
  matchCounts(ladderId: LadderId): Promise<{ games: number; voided: number }>;
  matchIds(): Promise<string[]>;
  /** Sorted ladder ids on which the bot has any recorded match. */
  playedLadders(botId: BotId): Promise<string[]>;
  /** Whole-life results of the version pairs of one competition, rated games only. */
  pairCounts(competition: Competition): Promise<PairCount[]>;
  activity(competition: Competition): Promise<VersionActivity[]>;
  /** Results of a bot's rated games, or of one version of it, in the order of opponents' ids. */
  opponentsOf(
    botId: BotId,
    of: Competition,
    versionId?: VersionId,
  ): Promise<(Results & { opponentId: BotId })[]>;
  figures(competition: Competition, rivalries: number): Promise<CompetitionFigures>;
  /** Oldest first, with the number of games before sampling. */
  ratingHistory(query: RatingQuery): Promise<{ games: number; points: RatingPoint[] }>;
  /** Who started ranked matches since an instant, oldest first: for quotas. */
  startsSince(since: string): Promise<{ botId: BotId; started: string }[]>;

  /**
   * How versions played the turns of their newest `window` matches that have statistics, on all
   * ladders. A version without any is left out.
   */
  turnFigures(
    versionIds: readonly VersionId[],
    window: number,
  ): Promise<(TurnFigures & { versionId: VersionId })[]>;
  /**
   * Reads the statistics of up to `most` matches that were stored before turns were counted, newest
   * first; how many there were, 0 once all is done.
   */
  carryTurns(most: number): Promise<number>;

  /** Whether a stored match still has its replay. */
  hasReplay(matchId: MatchId): Promise<boolean>;
  /** Ids of the matches that have their replays, for the sweep of orphaned files. */
  replayIds(): Promise<string[]>;
  /**
   * Makes bots let go of replays that are not of their newest `keep` ranked matches, up to `most` a bot.
   * The replays that nobody keeps any more are gone from now on: their ids are the answer, and
   * their files are to be removed.
   */
  releaseReplays(
    botIds: readonly BotId[],
    keep: number,
    most: number,
  ): Promise<{ gone: string[]; isDone: boolean }>;
  /** The same of human and practice games, which share one keep of their own. */
  releaseCasualReplays(keep: number, most: number): Promise<{ gone: string[]; isDone: boolean }>;

  /** Newest first, preseason last. A database is made with its first month open. */
  seasons(): Promise<SeasonRecord[]>;
  /** Adds seasons; one that is there already is left as it is. False when all of them are. */
  openSeasons(seasons: readonly SeasonRecord[]): Promise<boolean>;
  /**
   * Writes the final standings and marks the season archived, in one transaction. An archived
   * season is left as it is: false then.
   */
  archiveSeason(id: string, archivedAt: string, places: FinalStanding[]): Promise<boolean>;
  /** By rank; empty for a season that is not archived. */
  finalStandings(season: string): Promise<FinalStanding[]>;
  /** A bot's final places, newest season first. */
  finalPlacesOf(botId: BotId): Promise<(FinalStanding & { season: string })[]>;

  addAudit(entries: AuditEntry[]): Promise<void>;
  audit(query: { kind?: AuditKind; limit: number }): Promise<AuditEntry[]>;

  /** Applied schema number. */
  schema(): Promise<number>;
  /** Reads everything: one line for each thing that is damaged or does not add up. */
  checkIntegrity(): Promise<string[]>;
  close(): Promise<void>;
};
