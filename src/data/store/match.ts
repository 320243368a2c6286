// Matches as they are stored and listed.

import type { AvatarName } from "#core/words/avatars.ts";
import type { AccountId, BotId, LadderId, MatchId, VersionId } from "#core/words/ids.ts";
import type { Mode, UnratedReason } from "#core/words/rated.ts";

import { reads, writes } from "./method.ts";

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
  id: MatchId;
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
  before?: MatchId | undefined;
  withStats: boolean;
};

/** What a bot took from a match: won, lost or drawn. A void match has none. */
export type ResultLetter = "W" | "L" | "D";

export const MATCHES = {
  /**
   * Stores match, seats, statistics and all that is counted of a ranked one in one transaction;
   * calls that come while a commit is under way share the next one. Resolves only after the commit
   * is durable.
   * A match whose id is stored already is left as it is: false then.
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
  /** Ranked ones, newest first (`ended`, then id). Null when `before` names no match. */
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
  /** Who started ranked matches since an instant, oldest first: for quotas. */
  startsSince: reads<(since: string) => Promise<{ botId: BotId; started: string }[]>>(() => [
    "matches",
  ]),
};
