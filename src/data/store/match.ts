// Matches as stored and as listed.

import type { AvatarName } from "#core/ids/avatars.ts";
import type { AccountId, BotId, LadderId, MatchId, RequestId, VersionId } from "#core/ids/ids.ts";
import type { MatchMode, UnratedReason } from "#core/ids/match-modes.ts";

import { reads, writes } from "./method.ts";

export type SeatRecord = {
  /** Null for a person, like the version. */
  botId: BotId | null;
  versionId: VersionId | null;
  /** Account of the bot's owner when the match started; null for an owner without one. */
  accountId: AccountId | null;
  /** As of the start of the match. */
  name: string;
  version: string;
  fighter: string;
  /** Whole points; null if the match is unrated. */
  ratingBefore: number | null;
  ratingAfter: number | null;
  /** Unrounded, exact after the refit of this match; null for older and unrated matches. */
  deviationAfter: number | null;
  scoreAfter: number | null;
  /** Rated games of the version in the competition, including this one; null if unrated. */
  ratedGames: number | null;
};

export type MatchRecord = {
  id: MatchId;
  ladderId: LadderId;
  /** On public, the season in which the match started; null on other ladders. */
  season: string | null;
  mode: MatchMode;
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
  /** Why the two bots were paired. */
  pairing: object | null;
  seats: SeatRecord[];
};

/** A seat as shown in lists, with the bot's current name. */
export type SeatRow = SeatRecord & {
  house: boolean;
  avatar: AvatarName | null;
};

export type MatchRow = Omit<MatchRecord, "seats" | "pairing"> & {
  seats: SeatRow[];
  /** Statistics document as JSON text, only on request; null if there is none. */
  stats?: string | null;
};

export type FinishedMatch = MatchRecord & {
  /** Statistics document as JSON text; null for a voided match. Stored compressed. */
  stats: string | null;
  /** Whether both ratings had settled: only then does a swing or an upset mean anything. */
  settled: boolean;
  /** The opponent request that the match serves unless it is void; null for none. */
  requestId: RequestId | null;
};

/** Start of a ranked match of a bot. */
export type MatchStart = { botId: BotId; ladderId: LadderId; started: string };

export type MatchQuery = {
  ladderId: LadderId;
  /** All seasons if absent. */
  season?: string | undefined;
  botId?: BotId;
  /** Filters on a bot's matches: version, opponent, map and result. */
  versionId?: VersionId | undefined;
  opponentId?: BotId | undefined;
  map?: string | undefined;
  result?: ResultLetter | undefined;
  limit: number;
  before?: MatchId | undefined;
  /** Instead of `before`: the matches newer than this one, those nearest to it. */
  after?: MatchId | undefined;
  withStats: boolean;
};

/** A bot's result: won, lost or drawn. A void match has none. */
export type ResultLetter = "W" | "L" | "D";

export const MATCHES = {
  /**
   * Stores a match, its seats and statistics, counts it if it is ranked, and marks the opponent
   * request that it serves, in one transaction.
   * Calls that arrive during a commit share the next one. Resolves once the commit is durable;
   * false, changing nothing, if the ID is already stored.
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
   * Ranked matches, newest first (`ended`, then ID). Null if `before` or `after` isn't a known
   * match.
   */
  list: reads<(query: MatchQuery) => Promise<MatchRow[] | null>>((rows, { botId, ladderId }) => [
    "facts",
    rows === null ? "matches" : botId === undefined ? `matches:${ladderId}` : `played:${botId}`,
  ]),
  byId: reads<(id: MatchId) => Promise<MatchRow | null>>((row) => [
    row === null ? "matches" : "facts",
  ]),
  /** Statistics document as JSON text; null if there is none. */
  stats: reads<(id: MatchId) => Promise<string | null>>((stats) => [
    stats === null ? "matches" : "casual",
  ]),
  counts: reads<(ladderId: LadderId) => Promise<{ games: number; voided: number }>>(
    (_, ladderId) => [`matches:${ladderId}`],
  ),
  ids: reads<() => Promise<MatchId[]>>(() => ["matches"]),
  /** Sorted IDs of the ladders on which the bot has a stored match. */
  laddersOf: reads<(botId: BotId) => Promise<LadderId[]>>((_, botId) => [
    `played:${botId}`,
    "casual",
  ]),
  /** Starts of ranked matches since an instant, oldest first: for quotas and intervals. */
  startsSince: reads<(since: string) => Promise<MatchStart[]>>(() => ["matches"]),
};
