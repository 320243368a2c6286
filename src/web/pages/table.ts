// Every page of the site: its address, its view, its data, and how long it is kept.

import { bothOf, sure } from "#base/units/sure.ts";
import { endWords } from "#core/replay/end-words.ts";
import type { Match } from "#core/resources/match.ts";
import type { AchievementsData } from "#site/events/data.ts";
import type { Head, MissingData, Page, View, ViewData, Views } from "#site/public/data.ts";
import type { LadderData, ResultsData } from "#site/standings/data.ts";
import { changelogText, guideList, guideNamed } from "#web/docs/guide-data.ts";

import {
  accountData,
  authorizeData,
  confirmData,
  consoleData,
  unsubscribeData,
  userData,
} from "./account-data.ts";
import { BOT_QUERY, botData, botHead } from "./bot-data.ts";
import { createData } from "./create-data.ts";
import { achievementsData, laddersData } from "./event-data.ts";
import { matchData, viewData } from "./match-data.ts";
import type { PageSources } from "./page-data.ts";
import type { Moved, PageRequest } from "./page-request.ts";
import { playData } from "./play-data.ts";
import { homeData, ladderData, resultsData } from "./standings-data.ts";

/**
 * How long a page is kept: for all requests in a moment, or until the server ends. What is kept
 * `here` is kept for a moment too, but by this server alone.
 */
type Keep = "a moment" | "for good" | "here";

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

const HOME_HEAD: Head = {
  title: "Bout: a ladder for fighter bots",
  description:
    "Write a program that fights on a grid and climb the ladder: standings, live bouts and replays.",
};

export const PAGES = {
  home: {
    paths: ["/"],
    view: "standings/home",
    query: [],
    load: homeData,
    head: () => HOME_HEAD,
    keep: "a moment",
    isOpen: false,
    missing: "page",
  },
  ladder: {
    paths: ["/ladder"],
    view: "standings/ladder",
    query: ["ladder", "season", "q", "owner", "show", "online", "page", "bot"],
    load: ladderData,
    head: ladderHead,
    keep: "a moment",
    isOpen: false,
    missing: "ladder",
  },
  ladders: {
    paths: ["/ladders"],
    view: "events/ladders",
    query: ["ladder"],
    load: laddersData,
    head: () => titled("Ladders", "The ladders of Bout: what is open, what comes, how to get in."),
    keep: "a moment",
    isOpen: false,
    missing: "ladder",
  },
  achievements: {
    paths: ["/achievements"],
    view: "events/achievements",
    query: ["event"],
    load: achievementsData,
    head: achievementsHead,
    keep: "a moment",
    isOpen: false,
    missing: "event",
  },
  results: {
    paths: ["/results"],
    view: "standings/results",
    query: ["ladder", "season"],
    load: resultsData,
    head: resultsHead,
    keep: "a moment",
    isOpen: false,
    missing: "ladder",
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
  user: {
    paths: ["/user/:handle"],
    view: "standings/user",
    query: ["ladder"],
    load: userData,
    head: ({ user: { handle } }) => titled(handle, `The bots of ${handle} on the ladder of Bout.`),
    keep: "a moment",
    isOpen: false,
    missing: "user",
  },
  account: {
    paths: ["/account"],
    view: "account/page",
    query: [],
    load: accountData,
    head: () => titled("Account", "Sign in, and look after your bots, keys and programs."),
    keep: "here",
    isOpen: false,
    missing: "page",
  },
  authorize: {
    paths: ["/account/authorize"],
    view: "account/authorize",
    query: ["refused"],
    load: authorizeData,
    head: () => titled("A program asks", "Let a program act for your account, or do not."),
    keep: "here",
    isOpen: false,
    missing: "page",
  },
  confirm: {
    paths: ["/account/confirm"],
    view: "account/confirm",
    query: [],
    load: confirmData,
    head: () => titled("A link from a mail", "Confirm what a mail of this ladder asks."),
    keep: "here",
    isOpen: false,
    missing: "page",
  },
  unsubscribe: {
    paths: ["/unsubscribe"],
    view: "account/unsubscribe",
    query: ["token", "done"],
    load: unsubscribeData,
    head: () => titled("Mail", "Refuse a kind of mail by the link in a letter."),
    keep: "here",
    isOpen: false,
    missing: "page",
  },
  console: {
    paths: ["/admin"],
    view: "admin/page",
    query: [],
    load: consoleData,
    head: () => titled("Console", "Where the operators of this ladder look after it."),
    keep: "here",
    isOpen: false,
    missing: "page",
  },
  createBot: {
    paths: ["/create-bot"],
    view: "create/page",
    query: ["ladder"],
    load: createData,
    head: () =>
      titled("Create a bot", "Register a name, start a program, and watch it enter the ladder."),
    keep: "a moment",
    isOpen: false,
    missing: "page",
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
    load: playData,
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
      guideNamed(documents, sure(name, "name"), settings.baseUrl),
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

/** The page in place of one that is not there or cannot be shown. */
export const missingPage = (what: MissingData["what"]): Page<"public/missing"> => ({
  view: "public/missing",
  head: TROUBLE_HEADS[what] ?? titled("Not found", "There is no such page."),
  data: { what },
});

const TROUBLE_HEADS: { readonly [W in MissingData["what"]]?: Head } = {
  address: titled("Unreadable address", "The address is not well encoded."),
  busy: titled("Too many requests", "Wait a few seconds, then reload the page."),
  fault: titled("Something went wrong", "The fault is the server's."),
};

function ladderHead({ ladder, season }: LadderData): Head {
  const name = season === null ? ladder.name : season.name;
  const what = `The standings of ${name}: every ranked bot with its rating and its uncertainty.`;
  return titled(`Standings of ${name}`, what);
}

function resultsHead(data: ResultsData): Head {
  const name = data.of === "season" ? data.results.season.name : data.results.ladder.name;
  const what = `The podium, the best bouts, the rivals and the styles of ${name}.`;
  return titled(`Results of ${name}`, what);
}

function achievementsHead({ events, sought }: AchievementsData): Head {
  const event = events.find(({ id }) => id === sought);
  if (event === undefined)
    return titled("Achievements", "What bots earn in the events of Bout, and how many have.");
  return titled(event.name, `Five achievements to earn on ${event.ladder_name}, and who has.`);
}

function matchHead(data: ViewData): Head {
  const names = namesOf(data).join(" vs ");
  if (data.phase === "running") return titled(names, `Running now: ${names}, tick by tick.`);
  return titled(names, resultWords(data.match));
}

/** The result for share cards and search engines, which show nothing else of the page. */
function resultWords({ bots, winner, voided, reason, map, final_tick: ticks }: Match): string {
  const played = `on ${map} after ${ticks} ${ticks === 1 ? "tick" : "ticks"}: ${endWords(reason)}.`;
  const [one, other] = bothOf(bots.map((bot) => bot.display_name));
  if (voided) return `${one} vs ${other}: a void match, which counts for neither bot.`;
  if (winner === null) return `${one} drew with ${other} ${played}`;
  return bots[0]?.id === winner
    ? `${one} beat ${other} ${played}`
    : `${other} beat ${one} ${played}`;
}

/** Display names of both sides, in seat order. */
function namesOf(data: ViewData): string[] {
  return data.phase === "ended"
    ? data.match.bots.map((bot) => bot.display_name)
    : data.match.display_names;
}
