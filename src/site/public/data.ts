// What the pages are made of: the public API's answers and a little more.
import type { MatchStats } from "#core/engine/types.ts";
import type { LeaderboardRow, LobbyEntry, Status } from "#core/resources/ladder.ts";
import type { Match } from "#core/resources/match.ts";

export type RunningBout = Status["matches"][number];

/** What a newcomer's first commands depend on. */
export type EnterInfo = {
  /** Public address without a slash at its end. */
  base_url: string;
  /** Registration needs an agent key. */
  account_needed: boolean;
  /** Registration needs the ladder's own key. */
  registration_key_needed: boolean;
  /** Paths of documents to read first, such as `/docs/protocol`. */
  docs: string[];
  /** Path of a bot to start from. */
  starter: string;
};

export type LadderData = {
  leaderboard: LeaderboardRow[];
  status: Status;
  lobby: LobbyEntry[];
  matches: Match[];
  enter: EnterInfo;
  /** Rated games that it takes to be ranked. */
  qualifying_games: number;
  /** The server's clock when the rest was read, in ms since 1970. */
  now: number;
};

/** A match page shows a stored match, or one that is still being fought. */
export type MatchData =
  | { phase: "ended"; match: Match; stats: MatchStats | null }
  | { phase: "running"; match: RunningBout };

/** The inside of a page that was made elsewhere, of Markdown. */
type DocumentData = { title: string; description: string; html: string };

export type PageData =
  | { page: "ladder"; data: LadderData }
  | { page: "match"; data: MatchData }
  | { page: "document"; data: DocumentData }
  | { page: "missing"; data: { what: string } };

/** Addresses of the built files, with their hashes. */
export type Assets = { script: string; style: string };

/** The face of the built server-side pages: data in, a whole HTML document out. */
export type RenderPage = (page: PageData, assets: Assets) => string;

/** Matches shown on the ladder page. */
export const RECENT_MATCHES = 12;
