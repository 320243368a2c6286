// Every page of the site: its address, its view, its data, and how long it is kept.

import { sure } from "#base/units/sure.ts";
import type { Head, MissingData, Page, View, ViewData, Views } from "#site/public/data.ts";
import { changelogText, guideList, guideText } from "#web/docs/guide-data.ts";

import { matchData, viewData } from "./match-data.ts";
import { ladderData } from "./page-data.ts";
import type { PageSources } from "./page-data.ts";
import { playData } from "./play-data.ts";

/** Path parameters by name. */
export type PathParts = Readonly<Record<string, string>>;

/** What a request says: path parameters, and those of its query that the page reads. */
export type PageRequest = { parts: PathParts; query: Readonly<Record<string, string | undefined>> };

/** The page is at another address: one address for one thing. */
export type Moved = { movedTo: string };

export const isMoved = (found: object): found is Moved => Object.hasOwn(found, "movedTo");

/** How long a page is kept: for all requests in a moment, or until the server ends. */
type Keep = "a moment" | "for good";

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
    paths: ["/match/:id"],
    view: "public/match",
    query: [],
    load: (sources, { parts: { id } }) => matchData(sources, sure(id, "id")),
    head: matchHead,
    keep: "a moment",
    isOpen: false,
    missing: "bout",
  },
  view: {
    paths: ["/view/:id"],
    view: "public/view",
    query: [],
    load: (sources, { parts: { id } }) => viewData(sources, sure(id, "id")),
    head: matchHead,
    keep: "a moment",
    isOpen: true,
    missing: "view",
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

function matchHead(data: ViewData): Head {
  const names = namesOf(data).join(" vs ");
  return titled(names, `The bout ${names}, tick by tick.`);
}

/** Display names of both sides, in seat order. */
function namesOf(data: ViewData): string[] {
  return data.phase === "ended"
    ? data.match.bots.map((bot) => bot.display_name)
    : data.match.display_names;
}
