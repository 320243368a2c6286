// Serves the pages of the table, and the files that they load.

import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync, FastifyReply } from "fastify";

import type { Cache } from "#base/cache/cache.ts";
import { FIXED } from "#core/words/limits.ts";
import type { MissingData, View } from "#site/public/data.ts";
import { sendPacked } from "#web/http/compression.ts";
import type { PackedText } from "#web/http/compression.ts";
import { MISSING_HEADERS } from "#web/http/headers.ts";
import { Crowded, openTurns } from "#web/http/read-queue.ts";
import type { NoPage } from "#web/http/routes.ts";

import { providerAddress } from "./account-data.ts";
import type { PageSources } from "./page-data.ts";
import { isMoved } from "./page-request.ts";
import type { Moved, PageRequest, PathParts } from "./page-request.ts";
import type { Site } from "./site.ts";
import { missingPage, PAGES } from "./table.ts";
import type { PageName, PageRow } from "./table.ts";

const HTML = "text/html; charset=utf-8";
/** A day, since its URL does not change with its content. */
const FAVICON_S = 24 * 60 * 60;
/** Not for good: a former name may be taken again. */
const MOVED = 302;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
/**
 * Live pages show a clock with seconds. All requests for one within a moment get the same page:
 * long enough that rendering it takes a small part of the time.
 */
const MOMENT_MS = 1000;
const MOMENT_SHARE = 1 / 200;

/** A proxy may keep a page as long as this server does; an upgrade or a setting changes any. */
const CACHED: Record<PageRow["keep"], string> = {
  "a moment": `public, max-age=${MOMENT_MS / 1000}`,
  "for good": "public, no-cache",
  here: "private, no-store",
};

/** Null for a page that does not exist. */
type Make = () => Promise<Made | null>;
/** `from` and `until`: when its moment begins and ends, in ms since 1970. */
type Made = { answer: PageAnswer; from: number; until: number };
type PageAnswer = PackedText | Moved;

export type Pages = {
  /** Sends a page of the table, or the 404 page in its place. */
  show(reply: FastifyReply, name: PageName, asked?: Partial<PageRequest>): Promise<FastifyReply>;
  /** The HTML for an address that belongs to nothing. */
  noPage: NoPage;
  /** The HTML that stands in for a page, and says why. */
  instead: (why: MissingData["what"]) => Promise<Buffer>;
};

export function openPages({ render }: Site, sources: PageSources, cache: Cache): Pages {
  const rendering = openTurns(FIXED.pages_waiting, sources.scaleOf);
  const keepers = openKeepers(sources, cache);
  const { accounts } = sources;
  const { baseUrl: base } = sources.settings;
  const provider = accounts && providerAddress(accounts.provider.publicInfo(), base);
  const site = { base, provider };

  const lacking = cache.shelf<Buffer>("missing pages");

  const instead: Pages["instead"] = (why) =>
    lacking.get(why, async () => {
      const place = { path: null, ...site };
      const { body } = await rendering.take(null, () => render({ page: missingPage(why), place }));
      return body;
    });

  async function make<V extends View>(
    row: PageRow<V>,
    asked: PageRequest,
    caller: string | null,
  ): Promise<Made | null> {
    const { view, head, load } = row;
    rendering.assureRoom(caller);
    const from = sources.now();
    const data = await load(sources, asked);
    if (data === null) return null;
    if (isMoved(data)) return { answer: data, from, until: from + MOMENT_MS };
    return rendering.take(caller, async () => {
      const place = { path: pathOf(row, asked), ...site };
      const { ms, ...answer } = await render({ page: { view, head: head(data), data }, place });
      return { answer, from, until: from + Math.max(MOMENT_MS, ms / MOMENT_SHARE) };
    });
  }

  async function show(
    reply: FastifyReply,
    name: PageName,
    { parts = {}, query = {} }: Partial<PageRequest> = {},
  ) {
    const row: PageRow = PAGES[name];
    const asked = { parts, query: known(row.query, query) };
    const caller = sources.callerOf(reply.request.raw);
    const made = await ownOf(keepers[row.keep], JSON.stringify([name, asked]), () =>
      make(row, asked, caller),
    );
    reply.type(HTML).header("Cache-Control", "no-cache");
    if (made !== null && !isMoved(made.answer)) reply.header("Cache-Control", CACHED[row.keep]);
    // Search engines pass over it, as over a page that does not exist.
    if (row.keep === "here") reply.headers(MISSING_HEADERS);
    if (made === null)
      return reply
        .code(404)
        .headers(MISSING_HEADERS)
        .send(await instead(row.missing));
    const { answer } = made;
    if (isMoved(answer)) return reply.redirect(answer.movedTo, MOVED);
    return sendPacked(reply, answer);
  }

  return { show, noPage: () => instead("page"), instead };
}

/** The parameters that a page reads, in its order, so that no other one has it made again. */
function known(names: readonly string[], query: PageRequest["query"]): PageRequest["query"] {
  const given = names.filter((name) => typeof query[name] === "string" && query[name] !== "");
  return Object.fromEntries(given.map((name) => [name, query[name]]));
}

/** Of its addresses the first one, so that search engines know one for one thing. */
function pathOf(
  { paths: [path = ""] }: Pick<PageRow, "paths">,
  { parts, query }: PageRequest,
): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(parts[name] ?? ""),
  );
  const asked = new URLSearchParams(query as Record<string, string>).toString();
  return asked === "" ? filled : `${filled}?${asked}`;
}

type Keeper = (key: string, make: Make) => Promise<Made | null>;

/** Where another caller's making of the same page is refused, it is made for this one. */
async function ownOf(keep: Keeper, key: string, make: Make): Promise<Made | null> {
  for (;;) {
    let isOwn = false;
    const own: Make = () => {
      isOwn = true;
      return make();
    };
    try {
      return await keep(key, own);
    } catch (error) {
      if (isOwn || !(error instanceof Crowded)) throw error;
    }
  }
}

function openKeepers(
  { now, documents }: PageSources,
  cache: Cache,
): Record<PageRow["keep"], Keeper> {
  const lasting = cache.shelf<Made>("lasting pages");
  const brief = keepForMoment(now, cache);
  return {
    "a moment": brief,
    here: brief,
    "for good": (key, make) => lasting.get(`${documents.revision()} ${key}`, make),
  };
}

function keepForMoment(now: () => number, cache: Cache): Keeper {
  const isTooSoon = (_key: string, { from, until }: Made) => from <= now() && now() < until;
  const kept = cache.shelf<Made>("pages of a moment", { isTooSoon });
  const moment = cache.revisions.watch("moment", () => Math.floor(now() / MOMENT_MS));
  return (key, make) =>
    kept.get(key, async () => {
      moment();
      return make();
    });
}

/** Routes of all pages of the table, their files and the favicon. */
export function pageRoutes(site: Site, pages: Pages): FastifyPluginAsync {
  return async (app) => {
    for (const name of Object.keys(PAGES) as PageName[]) {
      const { paths, isOpen } = PAGES[name];
      const config = { page: true, public: isOpen };
      for (const path of paths)
        app.get(path, { config }, (request, reply) =>
          pages.show(reply, name, {
            parts: request.params as PathParts,
            query: request.query as PageRequest["query"],
          }),
        );
    }
    for (const path of ["/favicon.svg", "/favicon.ico"])
      app.get(path, (_request, reply) =>
        reply
          .type("image/svg+xml")
          .header("Cache-Control", `public, max-age=${FAVICON_S}`)
          .send(site.favicon),
      );
    await app.register(assetRoutes(site));
  };
}

/** Open to all: a framed page may be of no origin at all, and its files must reach it too. */
function assetRoutes({ assets }: Site): FastifyPluginAsync {
  return async (app) => {
    app.addHook("onRoute", (route) => {
      route.config = { ...route.config, public: true };
    });
    await app.register(fastifyStatic, {
      root: [...assets],
      prefix: "/assets/",
      immutable: true,
      preCompressed: true,
      maxAge: YEAR_MS,
      index: false,
      decorateReply: false,
    });
  };
}
