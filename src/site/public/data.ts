// The data of the pages: the public API's answers and a little more.
import type { MatchStats } from "#core/engine/types.ts";
import type { Status } from "#core/resources/ladder.ts";
import type { Match } from "#core/resources/match.ts";
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

export type RunningBout = Status["matches"][number];

/** A stored bout, or one that is still being fought. */
export type ViewData = { phase: "ended"; match: Match } | { phase: "running"; match: RunningBout };

/** A bout that one of the bots of another bout fought right before or after it. */
export type Neighbour = { id: string; opponent: string };

/** What surrounds a bout in the list of one of its bots, by name. */
export type Around = { bot: string; previous: Neighbour | null; next: Neighbour | null };

export type EndedBout = {
  phase: "ended";
  match: Match;
  /** They stay after the replay was removed. */
  stats: MatchStats | null;
  /** False once the replay was removed. */
  has_replay: boolean;
  /** By seat; empty for bouts that stand in no list. */
  around: Around[];
  /** The event in which it was asked for; null where it was not, or the event is gone. */
  event: { id: string; name: string } | null;
};

export type MatchData = (EndedBout | Extract<ViewData, { phase: "running" }>) & {
  /** Public address without a trailing slash. */
  base_url: string;
  /** Path of the package of author commands; null if it was not built. */
  commands: string | null;
  /** Of its ladder; null on the public one. */
  ladder_name: string | null;
  /** Where a copy of the project is had, if the operator names a place. */
  source: string | null;
  /** Newest replays kept: of each bot, and of human and practice games together. */
  kept: { per_bot: number; casual: number };
};

/**
 * Missing in a frame of another site is a `view`. The last three are pages that cannot be shown:
 * their address is not well encoded, too much is going on, or the server is at fault.
 */
export type MissingData = {
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

/** The data of each view. A view is named after its file in `site`: room, then file name. */
export type Views = {
  "standings/home": HomeData;
  "standings/ladder": LadderData;
  "standings/results": ResultsData;
  "standings/user": UserData;
  "events/ladders": LaddersData;
  "events/achievements": AchievementsData;
  "public/match": MatchData;
  "public/view": ViewData;
  "public/missing": MissingData;
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
export type View = keyof Views;

/** Views that continue in the browser. Their data is sent with the page. */
export const LIVE_VIEWS = [
  "standings/home",
  "standings/ladder",
  "events/ladders",
  "events/achievements",
  "public/match",
  "public/view",
  "bot/page",
  "account/page",
  "account/authorize",
  "account/confirm",
  "admin/page",
  "create/page",
  "play/page",
] as const satisfies View[];
export type LiveView = (typeof LIVE_VIEWS)[number];

/** A page's title and description, for search engines and tabs. */
export type Head = { title: string; description: string };

/** Everything needed to render a page. */
export type Page<V extends View = View> = {
  [K in V]: { view: K; head: Head; data: Views[K] };
}[V];

/** Where a page is. */
export type PageAddress = {
  /** Its path, with the query that it reads; null for a 404, which is nowhere. */
  path: string | null;
  /** The site's address without a trailing slash. */
  base: string;
  /** Null on a ladder without accounts. */
  provider: ProviderAddress | null;
};

/** URLs of the built files, with their hashes. */
export type Assets = {
  script: string;
  /** A script that pages run before anything is painted, to leave out what a reader hides. */
  early: string;
  style: string;
  /** The picture that other sites show with a link. */
  card: string;
  /** What the script loads first to continue a view. */
  views: Record<LiveView, readonly string[]>;
};

/** The entry point of the built server-side pages: data in, a whole HTML document out. */
export type RenderPage = <V extends View>(
  page: Page<V>,
  place: PageAddress,
  assets: Assets,
) => string;
