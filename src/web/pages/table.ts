// Every page of the site: its address, its view, its data, and how long it is kept.

import { sure } from "#base/units/sure.ts";
import type { Head, MatchData, MissingData, Page, View, Views } from "#site/public/data.ts";
import { changelogText, guideList, guideText } from "#web/docs/guide-data.ts";

import { BOT_QUERY, botData, botHead } from "./bot-data.ts";
import { createData } from "./create-data.ts";
import { ladderData, matchData } from "./page-data.ts";
import type { PageSources } from "./page-data.ts";
import type { Moved, PageRequest } from "./page-request.ts";
import { playData } from "./play-data.ts";

/**
 * How long a page is kept: for one reader, for all requests in a moment, or until the server ends.
 */
type Keep = "once" | "a moment" | "for good";

export type PageRow<V extends View = View> = {
  [K in V]: {
    paths: readonly string[];
    /** The file in `site` that renders it. */
    view: K;
    /** Query parameters that it reads; it is kept for each of their values. */
    query: readonly string[];
    /** Null if there is no such page. */
    load: (sources: PageSources, asked: PageRequest) => MaybeLater<Views[K] | Moved | null>;
    head: (data: Views[K]) => Head;
    keep: Keep;
    /** Whether other sites may read it too. */
    isOpen: boolean;
    /** What is missing if nothing was loaded. */
    missing: MissingData["what"];
  };
}[V];

type MaybeLater<T> = T | Promise<T>;

const titled = (title: string, description: string): Head => ({
  title: `${title} · Bout`,
  description,
});

const LADDER_HEAD: Head = {
  title: "Bout: a ladder for fighter bots",
  description: "Standings, live bouts and replays of programs that fight on a grid.",
};

export const PAGES = {
  ladder: {
    paths: ["/", "/ladder"],
    view: "public/ladder",
    query: [],
    load: (sources) => ladderData(sources),
    head: () => LADDER_HEAD,
    keep: "a moment",
    isOpen: false,
    missing: "page",
  },
  match: {
    paths: ["/match/:id", "/view/:id"],
    view: "public/match",
    query: [],
    load: (sources, { parts: { id } }) => matchData(sources, sure(id, "id")),
    head: matchHead,
    keep: "once",
    isOpen: false,
    missing: "bout",
  },
  bot: {
    paths: ["/bot/:name"],
    view: "bot/page",
    query: BOT_QUERY,
    load: botData,
    head: botHead,
    keep: "a moment",
    isOpen: false,
    missing: "bot",
  },
  createBot: {
    paths: ["/create-bot"],
    view: "create/page",
    query: [],
    load: createData,
    head: () =>
      titled("Create a bot", "Register a name, start a program, and watch it enter the ladder."),
    keep: "a moment",
    isOpen: false,
    missing: "page",
  },
  play: {
    paths: ["/play"],
    view: "play/page",
    query: ["opponent"],
    load: (sources, { query: { opponent = null } }) => playData(sources, opponent),
    head: () => titled("Fight a house bot", "A fight against a house bot, played by hand."),
    keep: "a moment",
    isOpen: false,
    missing: "page",
  },
  guides: {
    paths: ["/guide"],
    view: "guide/list",
    query: [],
    load: ({ documents }) => guideList(documents),
    head: () => titled("Guides", "Everything there is to read about Bout."),
    keep: "for good",
    isOpen: true,
    missing: "page",
  },
  guide: {
    paths: ["/guide/:name"],
    view: "guide/text",
    query: [],
    load: ({ documents, settings }, { parts: { name } }) =>
      guideText(documents, sure(name, "name"), settings.baseUrl),
    head: ({ title, summary }) => titled(title, summary),
    keep: "for good",
    isOpen: true,
    missing: "page",
  },
  changelog: {
    paths: ["/changelog"],
    view: "guide/text",
    query: [],
    load: ({ documents, settings }) => changelogText(documents, settings.baseUrl),
    head: ({ title, summary }) => titled(title, summary),
    keep: "for good",
    isOpen: true,
    missing: "page",
  },
} as const satisfies Record<string, PageRow>;

export type PageName = keyof typeof PAGES;

/** The page of a 404. */
export const missingPage = (what: MissingData["what"]): Page<"public/missing"> => ({
  view: "public/missing",
  head: titled("Not found", "There is no such page."),
  data: { what },
});

function matchHead(data: MatchData): Head {
  const names = namesOf(data).join(" vs ");
  return titled(names, `The bout ${names}, tick by tick.`);
}

/** Display names of both sides, in seat order. */
function namesOf(data: MatchData): string[] {
  return data.phase === "ended"
    ? data.match.bots.map((bot) => bot.display_name)
    : data.match.display_names;
}
