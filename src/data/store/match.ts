// Matches as they are stored and listed.

import type { AvatarName } from "#core/words/avatars.ts";
import type { AccountId, BotId, LadderId, MatchId, RequestId, VersionId } from "#core/words/ids.ts";
import type { Mode, UnratedReason } from "#core/words/rated.ts";

import { reads, writes } from "./method.ts";

export type SeatRecord = {
  /** Null for a person, as is the version. */
  botId: BotId | null;
  versionId: VersionId | null;
  /** Account of the bot's owner when the match started; null for an owner without one. */
  accountId: AccountId | null;
  /** As it was when the match started. */
  name: string;
  version: string;
  fighter: string;
  /** Whole points, null when the match is unrated. */
  ratingBefore: number | null;
  ratingAfter: number | null;
  /** Unrounded, exact after the refit of this match; null for older and unrated matches. */
  deviationAfter: number | null;
  scoreAfter: number | null;
  /** Rated games of the version in the competition, this one included; null when unrated. */
  ratedGames: number | null;
};

export type MatchRecord = {
  id: MatchId;
  ladderId: LadderId;
  /** On public, the season in which the match started; null on other ladders. */
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
  /** Why the two bots were paired, kept to explain it later. */
  pairing: object | null;
  seats: SeatRecord[];
};

/** A seat as lists show it, with the bot's present name. */
export type SeatRow = SeatRecord & {
  house: boolean;
  avatar: AvatarName | null;
};

export type MatchRow = Omit<MatchRecord, "seats" | "pairing"> & {
  seats: SeatRow[];
  /** The statistics document as JSON text, only on request; null when there is none. */
  stats?: string | null;
};

export type FinishedMatch = MatchRecord & {
  /** The statistics document as JSON text; null for a voided match. Stored compressed. */
  stats: string | null;
  /** Whether both ratings had settled: only then does a swing or an upset mean something. */
  settled: boolean;
  /** The opponent request that it serves, if it is not void; null for none. */
  requestId: RequestId | null;
};

/** The start of a ranked match, of one of its bots. */
export type MatchStart = { botId: BotId; ladderId: LadderId; started: string };

export type MatchQuery = {
  ladderId: LadderId;
  /** All seasons when absent. */
  season?: string | undefined;
  botId?: BotId;
  /** These narrow down a bot's matches: by its version, opponent, map and result. */
  versionId?: VersionId | undefined;
  opponentId?: BotId | undefined;
  map?: string | undefined;
  result?: ResultLetter | undefined;
  limit: number;
  before?: MatchId | undefined;
  /** In place of `before`: the matches nearest to this one of those that are newer. */
  after?: MatchId | undefined;
  withStats: boolean;
};

/** A bot's result: won, lost or drawn. A void match has none. */
export type ResultLetter = "W" | "L" | "D";

export const MATCHES = {
  /**
   * Stores a match, its seats and statistics, counts it if it is ranked, and marks the request that
   * it serves, in one transaction.
   * Calls that arrive during a commit share the next one. Resolves once the commit is durable;
   * false when a match with this id is stored already, which then stays as it is.
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
  /** Ranked matches, newest first (`ended`, then id). Null when `before` or `after` names no match. */
  list: reads<(query: MatchQuery) => Promise<MatchRow[] | null>>((rows, { botId, ladderId }) => [
    "facts",
    rows === null ? "matches" : botId === undefined ? `matches:${ladderId}` : `played:${botId}`,
  ]),
  byId: reads<(id: MatchId) => Promise<MatchRow | null>>((row) => [
    row === null ? "matches" : "facts",
  ]),
  /** The statistics document as JSON text; null when there is none. */
  stats: reads<(id: MatchId) => Promise<string | null>>((stats) => [
    stats === null ? "matches" : "casual",
  ]),
  counts: reads<(ladderId: LadderId) => Promise<{ games: number; voided: number }>>(
    (_, ladderId) => [`matches:${ladderId}`],
  ),
  ids: reads<() => Promise<MatchId[]>>(() => ["matches"]),
  /** Sorted ids of the ladders on which the bot has any recorded match. */
  laddersOf: reads<(botId: BotId) => Promise<LadderId[]>>((_, botId) => [
    `played:${botId}`,
    "casual",
  ]),
  /** Starts of ranked matches since an instant, oldest first: for quotas and intervals. */
  startsSince: reads<(since: string) => Promise<MatchStart[]>>(() => ["matches"]),
};
