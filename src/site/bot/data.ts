// Data of the bot pages.

import type {
  BotStyle,
  VersionComparison,
  Losses,
  BotMapRecord,
  OpponentRecord,
} from "#core/api/bot-record.ts";
import type { Bot, BotVersion } from "#core/api/bot.ts";
import type { ServerStatus } from "#core/api/ladder.ts";
import type { Match } from "#core/api/match.ts";

/** Parts of a bot page. Each has its own URL and queries. */
export const BOT_PARTS = ["overview", "opponents", "versions", "losses", "matches"] as const;
export type BotPart = (typeof BOT_PARTS)[number];

/** Result of a match for the bot. */
export const MATCH_RESULTS = ["W", "L", "D"] as const;

/** Bot data used by every part. */
export type BotSummary = Pick<
  Bot,
  | "id"
  | "name"
  | "display_name"
  | "owner"
  | "owner_url"
  | "house"
  | "online"
  | "status"
  | "created"
  | "avatar"
  | "current_version"
  | "versions_total"
  | "qualifying_games"
>;

/** Its place in the standings of a ladder or season, or its progress towards one. */
export type BotStanding = {
  version: string;
  rank: number | null;
  score: number;
  wins: number;
  losses: number;
  draws: number;
  /** Null for an archived season, which only stores the score. */
  estimate: { rating: number; deviation: number } | null;
  /** A newer version with too few games to be ranked. */
  qualifying: { version: string; games: number } | null;
};

/** The current ladder and season, and those to switch to. */
export type BotScope = {
  ladder: string;
  /** Null on a ladder without seasons. */
  season: string | null;
  /** The live season; null on a ladder without seasons. */
  liveSeason: string | null;
  ladders: readonly { id: string; name: string }[];
  /** Newest first. */
  seasons: readonly string[];
};

/** A rating after a game. Keys are short because a page has up to a thousand. */
export type ChartPoint = readonly [
  /** Unix time in milliseconds. */
  ended: number,
  rating: number,
  /** Null for games from older servers. */
  deviation: number | null,
  /** Index into `versions`. */
  version: number,
];

export type ChartData = {
  /** Number of rated games, including those without a point. */
  games: number;
  versions: readonly string[];
  /** Oldest first. */
  points: readonly ChartPoint[];
};

/** The record against an opponent. A version's record has no time of the last match. */
export type BotOpponent = Omit<OpponentRecord, "last_played"> & { last_played: string | null };

/** Filters of the match list. */
type MatchFilter = Record<"version" | "opponent" | "map" | "result", string | undefined>;

export type BotPartData =
  | {
      part: "overview";
      chart: ChartData;
      maps: readonly BotMapRecord[];
      style: BotStyle;
      version: BotVersion | null;
      /** Time limit of a response, in ms. */
      tick_ms: number;
      matches: readonly Match[];
    }
  | {
      part: "opponents";
      /** Null for all versions together. */
      version: string | null;
      /** Null if the version doesn't exist. */
      opponents: readonly BotOpponent[] | null;
      /** Total number of opponents, including those not shown. */
      total: number;
      labels: readonly string[];
    }
  | {
      part: "versions";
      versions: readonly BotVersion[];
      /** Label from which the next page continues; null if this is the last page. */
      olderCursor: string | null;
      isFirstPage: boolean;
      tick_ms: number;
      /** The requested labels; `result` is null if one is unknown or both are the same. */
      comparison: { a: string; b: string; result: VersionComparison | null } | null;
      /** Labels to suggest. */
      labels: readonly string[];
    }
  | { part: "losses"; version: string | null; losses: Losses | null; labels: readonly string[] }
  | {
      part: "matches";
      filter: MatchFilter;
      /** Null if a filter has an unknown value. */
      matches: readonly Match[] | null;
      olderCursor: string | null;
      isFirstPage: boolean;
      labels: readonly string[];
      maps: readonly string[];
    };

export type BotData = {
  bot: BotSummary;
  standing: BotStanding | null;
  scope: BotScope;
  status: ServerStatus;
  /** Server time of the data, Unix ms. */
  now: number;
} & BotPartData;

export type VersionsData = Extract<BotData, { part: "versions" }>;
