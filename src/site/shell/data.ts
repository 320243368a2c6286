import type { ServerStatus } from "#core/api/ladder.ts";
import type { Match } from "#core/api/match.ts";
// Data of the pages: responses of the public API, with additions.
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

/** A stored match, or one that is running. */
export type ViewData =
  | { phase: "ended"; match: Match }
  | { phase: "running"; match: RunningMatchStatus };

/** The previous or next match of one of the bots. */
export type AdjacentMatch = { id: string; opponent: string };

/** Previous and next matches, by bot name. */
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
  /** By seat; empty for matches that aren't listed. */
  adjacentMatches: AdjacentMatches[];
  /** The event in which it was requested; null if none, or if the event was deleted. */
  event: { id: string; name: string } | null;
};

export type MatchData = (EndedMatch | Extract<ViewData, { phase: "running" }>) & {
  /** Public base URL without a trailing slash. */
  base_url: string;
  /** Path of the author commands package; null if it wasn't built. */
  commands: string | null;
  /** Of its ladder; null on the public ladder. */
  ladder_name: string | null;
  /** Where to get the source, if the operator configured a URL. */
  source: string | null;
  /** Number of latest replays kept: per bot, and for human and practice matches together. */
  retainedReplays: { per_bot: number; casual: number };
};

/**
 * A missing page in an embed has a `view`. The last three can't be rendered: the URL is malformed,
 * the rate limit was exceeded, or the server failed.
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

/** Data by view. A view is named after its file in `site`: folder, then file name. */
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

/** Views that are hydrated. Their data is embedded in the page. */
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

/** Title and description of a page, for search engines and tabs. */
export type PageHead = { title: string; description: string };

/** Everything needed to render a page. */
export type PageModel<V extends ViewName = ViewName> = {
  [K in V]: { view: K; head: PageHead; data: ViewDataByName[K] };
}[V];

/** URLs of a page. */
export type PageAddress = {
  /** Canonical path with query; null for a 404. */
  path: string | null;
  /** Base URL without a trailing slash. */
  base: string;
  /** Null on a ladder without accounts. */
  provider: ProviderAddress | null;
};

/** Hashed URLs of the built files. */
export type PageAssets = {
  script: string;
  /** Script that runs before the first paint, to hide results and apply the theme. */
  earlyScript: string;
  style: string;
  /** Preview image for links on other sites. */
  shareCard: string;
  /** Modules to preload for hydrating a view. */
  views: Record<HydratedView, readonly string[]>;
};

/** Entry point of the server bundle: data in, HTML document out. */
export type RenderPage = <V extends ViewName>(
  page: PageModel<V>,
  place: PageAddress,
  assets: PageAssets,
) => string;
