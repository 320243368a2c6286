// The data of the pages about one bot.

import type {
  BotStyle,
  Comparison,
  Losses,
  RecordOnMap,
  OpponentRecord,
} from "#core/resources/bot-record.ts";
import type { Bot, BotVersion } from "#core/resources/bot.ts";
import type { Status } from "#core/resources/ladder.ts";
import type { Match } from "#core/resources/match.ts";

/** The parts of a bot's page, each at an address of its own and with reads of its own. */
export const BOT_PARTS = ["overview", "opponents", "versions", "losses", "matches"] as const;
export type BotPart = (typeof BOT_PARTS)[number];

/** How a match may have ended for the bot. */
export const MATCH_RESULTS = ["W", "L", "D"] as const;

/** What every part shows of a bot. */
export type ShownBot = Pick<
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

/** Its place in the standings of a ladder or season, or how far it is from one. */
export type BotPlace = {
  version: string;
  rank: number | null;
  score: number;
  wins: number;
  losses: number;
  draws: number;
  /** Null for an archived season, which keeps the score alone. */
  estimate: { rating: number; deviation: number } | null;
  /** A newer version that has too few games to take the place over. */
  qualifying: { version: string; games: number } | null;
};

/** The standings that the page is about, and those it can be switched to. */
export type BotScope = {
  ladder: string;
  /** Null on a ladder without seasons. */
  season: string | null;
  /** The season that is live; null on a ladder without seasons. */
  live: string | null;
  ladders: readonly { id: string; name: string }[];
  /** Newest first. */
  seasons: readonly string[];
};

/** A rating after a game. Kept short, since a page has up to a thousand. */
export type ChartPoint = readonly [
  /** Milliseconds since 1970. */
  ended: number,
  rating: number,
  /** Null for games of older servers. */
  deviation: number | null,
  /** Index in `versions`. */
  version: number,
];

export type ChartData = {
  /** Rated games, those without a point too. */
  games: number;
  versions: readonly string[];
  /** Oldest first. */
  points: readonly ChartPoint[];
};

/** Opponents of one version are counted without the time of their last match. */
export type MetOpponent = Omit<OpponentRecord, "last_played"> & { last_played: string | null };

/** What the list of matches is narrowed down to. */
type MatchFilter = Record<"version" | "opponent" | "map" | "result", string | undefined>;

export type BotPartData =
  | {
      part: "overview";
      chart: ChartData;
      maps: readonly RecordOnMap[];
      style: BotStyle;
      version: BotVersion | null;
      /** The longest that an answer may take. */
      tick_ms: number;
      matches: readonly Match[];
    }
  | {
      part: "opponents";
      /** Null for all versions together. */
      version: string | null;
      /** Null if there is no such version. */
      opponents: readonly MetOpponent[] | null;
      /** How many were met, those not shown too. */
      total: number;
      labels: readonly string[];
    }
  | {
      part: "versions";
      versions: readonly BotVersion[];
      /** Label from which the next page goes back; null if there is none. */
      older: string | null;
      isFirst: boolean;
      tick_ms: number;
      /** The labels asked for; `result` is null if one is unknown or both are the same. */
      compared: { a: string; b: string; result: Comparison | null } | null;
      /** Labels to choose from. */
      labels: readonly string[];
    }
  | { part: "losses"; version: string | null; losses: Losses | null; labels: readonly string[] }
  | {
      part: "matches";
      filter: MatchFilter;
      /** Null if a filter names what does not exist. */
      matches: readonly Match[] | null;
      older: string | null;
      isFirst: boolean;
      labels: readonly string[];
      maps: readonly string[];
    };

export type BotData = {
  bot: ShownBot;
  place: BotPlace | null;
  scope: BotScope;
  status: Status;
  /** The server's clock when this was read, in ms since 1970. */
  now: number;
} & BotPartData;

export type VersionsData = Extract<BotData, { part: "versions" }>;
