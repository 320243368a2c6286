import type { ServerStatus } from "#core/api/ladder.ts";
import type { Match } from "#core/api/match.ts";
// Page data consists of public API responses with additions.
import type { MatchStats } from "#core/engine/types.ts";
import type {
  AccountData,
  AuthorizeData,
  ConfirmData,
  ProviderAddress,
  UnsubscribeData,
  UserData,
} from "#site/account/data.ts";
import type { ConsoleData } from "#site/admin/data.ts";
import type { BotData } from "#site/bot/data.ts";
import type { CreateData } from "#site/create/data.ts";
import type { AchievementsData, LaddersData } from "#site/events/data.ts";
import type { GuideListData, GuideTextData } from "#site/guide/data.ts";
import type { PlayData } from "#site/play/data.ts";
import type { HomeData, LadderData, ResultsData } from "#site/standings/data.ts";

export type { PlayData } from "#site/play/data.ts";

export type RunningMatchStatus = ServerStatus["matches"][number];

export type ViewData =
  | { phase: "ended"; match: Match }
  | { phase: "running"; match: RunningMatchStatus };

export type AdjacentMatch = { id: string; opponent: string };

export type AdjacentMatches = {
  bot: string;
  previous: AdjacentMatch | null;
  next: AdjacentMatch | null;
};

export type EndedMatch = {
  phase: "ended";
  match: Match;
  /** Kept after the replay is deleted. */
  stats: MatchStats | null;
  /** False after the replay was deleted. */
  has_replay: boolean;
  /** One entry per seat. Empty for matches that aren't listed. */
  adjacentMatches: AdjacentMatches[];
  /** Event for which the match was requested. Null without an event, or if it was deleted. */
  event: { id: string; name: string } | null;
};

export type MatchData = (EndedMatch | Extract<ViewData, { phase: "running" }>) & {
  /** Public base URL without a trailing slash. */
  base_url: string;
  /** Path of the author commands package, or null if it wasn't built. */
  commands: string | null;
  /** Name of the match's ladder, or null for the public ladder. */
  ladder_name: string | null;
  /** URL of the source code, or null if the operator hasn't configured one. */
  source: string | null;
  /** Number of latest replays to keep: per bot, and for all human and practice matches together. */
  retainedReplays: { per_bot: number; casual: number };
};

/**
 * `view` is a missing page in an embed. For the last three values, the page can't be rendered
 * because the
 * URL is malformed, the rate limit was exceeded or the server failed.
 */
export type NotFoundData = {
  what:
    | "page"
    | "bot"
    | "user"
    | "bout"
    | "ladder"
    | "event"
    | "view"
    | "address"
    | "busy"
    | "fault";
};

export type ViewDataByName = {
  "standings/home": HomeData;
  "standings/ladder": LadderData;
  "standings/results": ResultsData;
  "standings/user": UserData;
  "events/ladders": LaddersData;
  "events/achievements": AchievementsData;
  "match/match": MatchData;
  "match/embed": ViewData;
  "shell/not-found": NotFoundData;
  "bot/page": BotData;
  "account/page": AccountData;
  "account/authorize": AuthorizeData;
  "account/confirm": ConfirmData;
  "account/unsubscribe": UnsubscribeData;
  "admin/page": ConsoleData;
  "create/page": CreateData;
  "play/page": PlayData;
  "guide/list": GuideListData;
  "guide/text": GuideTextData;
};
export type ViewName = keyof ViewDataByName;

/** Views that are hydrated. The server embeds their data in the page. */
export const HYDRATED_VIEWS = [
  "standings/home",
  "standings/ladder",
  "events/ladders",
  "events/achievements",
  "match/match",
  "match/embed",
  "bot/page",
  "account/page",
  "account/authorize",
  "account/confirm",
  "admin/page",
  "create/page",
  "play/page",
] as const satisfies ViewName[];
export type HydratedView = (typeof HYDRATED_VIEWS)[number];

export type PageHead = { title: string; description: string };

export type PageModel<V extends ViewName = ViewName> = {
  [K in V]: { view: K; head: PageHead; data: ViewDataByName[K] };
}[V];

export type PageAddress = {
  /** Canonical path with query, or null for a 404. */
  path: string | null;
  base: string;
  /** Null on a ladder without accounts. */
  provider: ProviderAddress | null;
};

/** URLs of the built files. They contain a content hash. */
export type PageAssets = {
  script: string;
  /** Runs before the first paint. Hides results and applies the theme. */
  earlyScript: string;
  style: string;
  /** Preview image for links on other sites. */
  shareCard: string;
  /** Modules to preload for hydrating each view. */
  views: Record<HydratedView, readonly string[]>;
};

/** Type of the server bundle's entry point. Returns an HTML document. */
export type RenderPage = <V extends ViewName>(
  page: PageModel<V>,
  place: PageAddress,
  assets: PageAssets,
) => string;
