import type { AvatarName } from "#core/ids/avatars.ts";
import type { AccountId, BotId, LadderId, MatchId, RequestId, VersionId } from "#core/ids/ids.ts";
import type { MatchMode, UnratedReason } from "#core/ids/match-modes.ts";

import { reads, writes } from "./store-method.ts";

export type SeatRecord = {
  /** Null for a person, like `versionId`. */
  botId: BotId | null;
  versionId: VersionId | null;
  /** Account that owned the bot when the match started, or null. */
  accountId: AccountId | null;
  /** Name at the start of the match, like `version`. */
  name: string;
  version: string;
  fighter: string;
  /** Whole points. Null if the match is unrated. */
  ratingBefore: number | null;
  ratingAfter: number | null;
  /**
   * Unrounded, as computed by the refit after this match. Null for unrated matches and matches
   * stored before this field existed.
   */
  deviationAfter: number | null;
  scoreAfter: number | null;
  /**
   * Rated games of the version in the competition, including this one. Null if the match is
   * unrated.
   */
  ratedGames: number | null;
};

export type MatchRecord = {
  id: MatchId;
  ladderId: LadderId;
  /** Season in which the match started. Null on ladders without seasons. */
  season: string | null;
  mode: MatchMode;
  map: string;
  seed: number;
  started: string;
  ended: string;
  durationMs: number;
  finalTick: number;
  reason: string;
  winnerSeat: number | null;
  voided: boolean;
  rated: boolean;
  /** Null for a rated match. */
  unratedReason: UnratedReason | null;
  pairing: object | null;
  seats: SeatRecord[];
};

/** A seat in a match list, with the bot's current name. */
export type SeatRow = SeatRecord & {
  house: boolean;
  avatar: AvatarName | null;
};

export type MatchRow = Omit<MatchRecord, "seats" | "pairing"> & {
  seats: SeatRow[];
  /** Statistics document as JSON text. Absent unless requested, null if the match has none. */
  stats?: string | null;
};

export type FinishedMatch = MatchRecord & {
  /** Statistics document as JSON text, stored compressed. Null for a void match. */
  stats: string | null;
  /** Whether both ratings had settled. Otherwise a swing or an upset means nothing. */
  settled: boolean;
  /** Opponent request that the match serves, unless the match is void. */
  requestId: RequestId | null;
};

export type MatchStart = { botId: BotId; ladderId: LadderId; started: string };

export type MatchQuery = {
  ladderId: LadderId;
  /** All seasons if absent. */
  season?: string | undefined;
  botId?: BotId;
  versionId?: VersionId | undefined;
  opponentId?: BotId | undefined;
  map?: string | undefined;
  result?: ResultLetter | undefined;
  limit: number;
  before?: MatchId | undefined;
  /** Selects the matches that come right after this one. Can't be combined with `before`. */
  after?: MatchId | undefined;
  withStats: boolean;
};

/** Result for a bot: won, lost or drawn. Void matches have no result. */
export type ResultLetter = "W" | "L" | "D";

export const MATCHES = {
  /**
   * Stores a match with its seats and statistics, counts it if it is ranked, and marks the opponent
   * request it serves, in one transaction. Calls that arrive during a commit share the next one.
   * Resolves once the commit is durable. Returns false, without changes, if the ID already exists.
   */
  save: writes<(match: FinishedMatch) => Promise<boolean>>((isNew, { ladderId, seats }) =>
    isNew === false
      ? []
      : [
          "matches",
          `matches:${ladderId}`,
          ...seats.flatMap((seat) => [`played:${seat.botId}`, `turns:${seat.versionId}`]),
        ],
  ),
  /**
   * Returns ranked matches, newest first (by `ended`, then ID). Returns null if `before` or `after`
   * isn't a known match.
   */
  list: reads<(query: MatchQuery) => Promise<MatchRow[] | null>>((rows, { botId, ladderId }) => [
    "facts",
    rows === null ? "matches" : botId === undefined ? `matches:${ladderId}` : `played:${botId}`,
  ]),
  byId: reads<(id: MatchId) => Promise<MatchRow | null>>((row) => [
    row === null ? "matches" : "facts",
  ]),
  /** Returns the statistics document as JSON text, or null if there is none. */
  stats: reads<(id: MatchId) => Promise<string | null>>((stats) => [
    stats === null ? "matches" : "casual",
  ]),
  counts: reads<(ladderId: LadderId) => Promise<{ games: number; voided: number }>>(
    (_, ladderId) => [`matches:${ladderId}`],
  ),
  ids: reads<() => Promise<MatchId[]>>(() => ["matches"]),
  /** Returns the sorted IDs of the ladders on which the bot has a stored match. */
  laddersOf: reads<(botId: BotId) => Promise<LadderId[]>>((_, botId) => [
    `played:${botId}`,
    "casual",
  ]),
  /**
   * Returns the starts of ranked matches since an instant, oldest first. Used for quotas and match
   * intervals.
   */
  startsSince: reads<(since: string) => Promise<MatchStart[]>>(() => ["matches"]),
};
