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

/** Each part of the bot page has its own URL and queries. */
export const BOT_PARTS = ["overview", "opponents", "versions", "losses", "matches"] as const;
export type BotPart = (typeof BOT_PARTS)[number];

export const MATCH_RESULTS = ["W", "L", "D"] as const;

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

/** Standing on a ladder or in a season. A bot without a rank has progress towards one. */
export type BotStanding = {
  version: string;
  rank: number | null;
  score: number;
  wins: number;
  losses: number;
  draws: number;
  /** Null for an archived season, which stores only the score. */
  estimate: { rating: number; deviation: number } | null;
  /** A newer version with too few games to be ranked. */
  qualifying: { version: string; games: number } | null;
};

/** The selected ladder and season, with the alternatives to switch to. */
export type BotScope = {
  ladder: string;
  /** Null on a ladder without seasons. */
  season: string | null;
  /** Null on a ladder without seasons. */
  liveSeason: string | null;
  ladders: readonly { id: string; name: string }[];
  /** Newest first. */
  seasons: readonly string[];
};

/** A rating after a rated game. Stored as a tuple because a page has up to 1,000 points. */
export type ChartPoint = readonly [
  ended: number,
  rating: number,
  /** Null for games played on older server versions. */
  deviation: number | null,
  /** Index into `versions`. */
  version: number,
];

export type ChartData = {
  /** Number of rated games, including games without a point. */
  games: number;
  versions: readonly string[];
  /** Oldest first. */
  points: readonly ChartPoint[];
};

/**
 * Record against one opponent. For a single version, the API doesn't return the time of the last
 * match.
 */
export type BotOpponent = Omit<OpponentRecord, "last_played"> & { last_played: string | null };

type MatchFilter = Record<"version" | "opponent" | "map" | "result", string | undefined>;

export type BotPartData =
  | {
      part: "overview";
      chart: ChartData;
      maps: readonly BotMapRecord[];
      style: BotStyle;
      version: BotVersion | null;
      /** Time limit for a bot's response, in ms. */
      tick_ms: number;
      matches: readonly Match[];
    }
  | {
      part: "opponents";
      /** Null for all versions combined. */
      version: string | null;
      /** Null if the version doesn't exist. */
      opponents: readonly BotOpponent[] | null;
      /** Total number of opponents, including opponents not listed. */
      total: number;
      labels: readonly string[];
    }
  | {
      part: "versions";
      versions: readonly BotVersion[];
      /** Cursor of the next page, or null on the last page. */
      olderCursor: string | null;
      isFirstPage: boolean;
      tick_ms: number;
      /**
       * The requested labels. `result` is null if a label is unknown or both labels are the same.
       */
      comparison: { a: string; b: string; result: VersionComparison | null } | null;
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
  /** Server time when the data was loaded, in Unix ms. */
  now: number;
} & BotPartData;

export type VersionsData = Extract<BotData, { part: "versions" }>;
