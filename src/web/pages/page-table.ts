import { firstTwo, assertDefined } from "#base/util/assert-defined.ts";
import type { Match } from "#core/api/match.ts";
import { endReasonText } from "#core/replay/end-reason-text.ts";
import type { AchievementsData } from "#site/events/data.ts";
import type {
  PageHead,
  NotFoundData,
  PageModel,
  ViewName,
  ViewData,
  ViewDataByName,
} from "#site/shell/data.ts";
import type { LadderData, ResultsData } from "#site/standings/data.ts";
import { changelogText } from "#web/docs/changelog-page.ts";
import { guideList, findGuide } from "#web/docs/guide-data.ts";

import {
  accountData,
  authorizeData,
  confirmData,
  consoleData,
  unsubscribeData,
  userData,
} from "./account-data.ts";
import { BOT_QUERY, botData, botHead } from "./bot-data.ts";
import { createData } from "./create-bot-data.ts";
import { achievementsData, laddersData } from "./event-data.ts";
import { matchData, viewData } from "./match-data.ts";
import type { PageSources } from "./page-data.ts";
import type { Redirect, PageRequest } from "./page-request.ts";
import { playData } from "./play-data.ts";
import { homeData, ladderData, resultsData } from "./standings-data.ts";

/**
 * How long a page is cached: `a moment` is a short interval, and `for good` lasts until the server
 * stops. `here` is a short interval too, but proxies and browsers may not store the page.
 */
type CachePolicy = "a moment" | "for good" | "here";

export type PageRow<V extends ViewName = ViewName> = {
  [K in V]: {
    paths: readonly string[];
    view: K;
    /** Query parameters that the page reads. The page is cached per combination of values. */
    query: readonly string[];
    load: (
      sources: PageSources,
      request: PageRequest,
    ) => MaybePromise<ViewDataByName[K] | Redirect | null>;
    head: (data: ViewDataByName[K]) => PageHead;
    cachePolicy: CachePolicy;
    isOpen: boolean;
    /** What the 404 page reports as missing. */
    missing: NotFoundData["what"];
  };
}[V];

type MaybePromise<T> = T | Promise<T>;

const pageHead = (title: string, description: string): PageHead => ({
  title: `${title} · Bout`,
  description,
});

const HOME_HEAD: PageHead = {
  title: "Bout: a ladder for fighter bots",
  description:
    "Write a program that fights on a grid and climb the ladder: standings, live matches and replays.",
};

export const PAGES = {
  home: {
    paths: ["/"],
    view: "standings/home",
    query: [],
    load: homeData,
    head: () => HOME_HEAD,
    cachePolicy: "a moment",
    isOpen: false,
    missing: "page",
  },
  ladder: {
    paths: ["/ladder"],
    view: "standings/ladder",
    query: ["ladder", "season", "q", "owner", "show", "online", "page", "bot"],
    load: ladderData,
    head: ladderHead,
    cachePolicy: "a moment",
    isOpen: false,
    missing: "ladder",
  },
  ladders: {
    paths: ["/ladders"],
    view: "events/ladders",
    query: ["ladder"],
    load: laddersData,
    head: () => pageHead("Ladders", "All ladders: open and upcoming ones, and how to join."),
    cachePolicy: "a moment",
    isOpen: false,
    missing: "ladder",
  },
  achievements: {
    paths: ["/achievements"],
    view: "events/achievements",
    query: ["event"],
    load: achievementsData,
    head: achievementsHead,
    cachePolicy: "a moment",
    isOpen: false,
    missing: "event",
  },
  results: {
    paths: ["/results"],
    view: "standings/results",
    query: ["ladder", "season"],
    load: resultsData,
    head: resultsHead,
    cachePolicy: "a moment",
    isOpen: false,
    missing: "ladder",
  },
  match: {
    paths: ["/match/:id"],
    view: "match/match",
    query: [],
    load: (sources, { parts: { id } }) => matchData(sources, assertDefined(id, "id")),
    head: matchHead,
    cachePolicy: "a moment",
    isOpen: false,
    missing: "bout",
  },
  bot: {
    paths: ["/bot/:name"],
    view: "bot/page",
    query: BOT_QUERY,
    load: botData,
    head: botHead,
    cachePolicy: "a moment",
    isOpen: false,
    missing: "bot",
  },
  user: {
    paths: ["/user/:handle"],
    view: "standings/user",
    query: ["ladder"],
    load: userData,
    head: ({ user: { handle } }) => pageHead(handle, `${handle}'s bots and their results on Bout.`),
    cachePolicy: "a moment",
    isOpen: false,
    missing: "user",
  },
  account: {
    paths: ["/account"],
    view: "account/page",
    query: [],
    load: accountData,
    head: () => pageHead("Account", "Sign in, and manage your bots, keys and apps."),
    cachePolicy: "here",
    isOpen: false,
    missing: "page",
  },
  authorize: {
    paths: ["/account/authorize"],
    view: "account/authorize",
    query: ["refused"],
    load: authorizeData,
    head: () => pageHead("Authorize an app", "Allow or deny an app access to your account."),
    cachePolicy: "here",
    isOpen: false,
    missing: "page",
  },
  confirm: {
    paths: ["/account/confirm"],
    view: "account/confirm",
    query: [],
    load: confirmData,
    head: () => pageHead("Confirm", "Confirm a request from an email."),
    cachePolicy: "here",
    isOpen: false,
    missing: "page",
  },
  unsubscribe: {
    paths: ["/unsubscribe"],
    view: "account/unsubscribe",
    query: ["token", "done"],
    load: unsubscribeData,
    head: () => pageHead("Email", "Unsubscribe from a category of email."),
    cachePolicy: "here",
    isOpen: false,
    missing: "page",
  },
  console: {
    paths: ["/admin"],
    view: "admin/page",
    query: [],
    load: consoleData,
    head: () => pageHead("Console", "The console for operators of this server."),
    cachePolicy: "here",
    isOpen: false,
    missing: "page",
  },
  createBot: {
    paths: ["/create-bot"],
    view: "create/page",
    query: ["ladder"],
    load: createData,
    head: () =>
      pageHead("Create a bot", "Register a name, start a program, and watch it join the ladder."),
    cachePolicy: "a moment",
    isOpen: false,
    missing: "page",
  },
  view: {
    paths: ["/view/:id"],
    view: "match/embed",
    query: [],
    load: (sources, { parts: { id } }) => viewData(sources, assertDefined(id, "id")),
    head: matchHead,
    cachePolicy: "a moment",
    isOpen: true,
    missing: "view",
  },
  play: {
    paths: ["/play"],
    view: "play/page",
    query: ["opponent"],
    load: playData,
    head: () => pageHead("Play a house bot", "Play against a house bot by hand."),
    cachePolicy: "a moment",
    isOpen: false,
    missing: "page",
  },
  guides: {
    paths: ["/guide"],
    view: "guide/list",
    query: [],
    load: ({ documents }) => guideList(documents),
    head: () => pageHead("Guides", "All documentation of Bout."),
    cachePolicy: "for good",
    isOpen: true,
    missing: "page",
  },
  guide: {
    paths: ["/guide/:name"],
    view: "guide/text",
    query: [],
    load: ({ documents, settings }, { parts: { name } }) =>
      findGuide(documents, assertDefined(name, "name"), settings.baseUrl),
    head: ({ title, summary }) => pageHead(title, summary),
    cachePolicy: "for good",
    isOpen: true,
    missing: "page",
  },
  changelog: {
    paths: ["/changelog"],
    view: "guide/text",
    query: [],
    load: ({ documents, settings }) => changelogText(documents, settings.baseUrl),
    head: ({ title, summary }) => pageHead(title, summary),
    cachePolicy: "for good",
    isOpen: true,
    missing: "page",
  },
  allReleases: {
    paths: ["/changelog/all"],
    view: "guide/text",
    query: [],
    load: ({ documents, settings }) => changelogText(documents, settings.baseUrl, "all"),
    head: ({ title, summary }) => pageHead(`${title}: all releases`, summary),
    cachePolicy: "for good",
    isOpen: true,
    missing: "page",
  },
} as const satisfies Record<string, PageRow>;

export type PageName = keyof typeof PAGES;

export const missingPage = (what: NotFoundData["what"]): PageModel<"shell/not-found"> => ({
  view: "shell/not-found",
  head: ERROR_HEADS[what] ?? pageHead("Not found", "There is no such page."),
  data: { what },
});

const ERROR_HEADS: { readonly [W in NotFoundData["what"]]?: PageHead } = {
  address: pageHead("Invalid URL", "The URL isn't encoded correctly."),
  busy: pageHead("Too many requests", "Wait a few seconds, then reload the page."),
  fault: pageHead("Something went wrong", "The server reported an internal error."),
};

function ladderHead({ ladder, season }: LadderData): PageHead {
  const name = season === null ? ladder.name : season.name;
  const what = `The standings of ${name}: all ranked bots with their ratings and rating deviations.`;
  return pageHead(`Standings of ${name}`, what);
}

function resultsHead(data: ResultsData): PageHead {
  const name = data.scopeType === "season" ? data.results.season.name : data.results.ladder.name;
  const what = `The podium, top matches, rivalries and styles of ${name}.`;
  return pageHead(`Results of ${name}`, what);
}

function achievementsHead({ events, requestedId }: AchievementsData): PageHead {
  const event = events.find(({ id }) => id === requestedId);
  if (event === undefined)
    return pageHead(
      "Achievements",
      "Achievements in Bout events, and how many bots have earned them.",
    );
  return pageHead(
    event.name,
    `The five achievements of ${event.ladder_name}, and who has earned them.`,
  );
}

function matchHead(data: ViewData): PageHead {
  const names = namesOf(data).join(" vs ");
  if (data.phase === "running") return pageHead(names, `Live match: ${names}, tick by tick.`);
  return pageHead(names, resultText(data.match));
}

/**
 * Returns the description for share cards and search engines, which show no other part of the page.
 */
function resultText({ bots, winner, voided, reason, map, final_tick: ticks }: Match): string {
  const detail = `on ${map} after ${ticks} ${ticks === 1 ? "tick" : "ticks"}: ${endReasonText(reason)}.`;
  const [firstName, secondName] = firstTwo(bots.map((bot) => bot.display_name));
  if (voided) return `${firstName} vs ${secondName}: a void match that counts for neither bot.`;
  if (winner === null) return `${firstName} drew with ${secondName} ${detail}`;
  return bots[0]?.id === winner
    ? `${firstName} beat ${secondName} ${detail}`
    : `${secondName} beat ${firstName} ${detail}`;
}

function namesOf(data: ViewData): string[] {
  return data.phase === "ended"
    ? data.match.bots.map((bot) => bot.display_name)
    : data.match.display_names;
}
