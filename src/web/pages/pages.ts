import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync, FastifyReply } from "fastify";

import type { Cache } from "#base/cache/cache.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { NotFoundData, ViewName } from "#site/shell/data.ts";
import { sendCompressed } from "#web/http/compression.ts";
import type { CompressedText } from "#web/http/compression.ts";
import { NOT_FOUND_HEADERS } from "#web/http/headers.ts";
import { QueueFullError, openCallerQueue } from "#web/http/read-queue.ts";
import type { NotFoundPage } from "#web/http/route-table.ts";

import { providerAddress } from "./account-data.ts";
import type { PageSources } from "./page-data.ts";
import { isRedirect } from "./page-request.ts";
import type { Redirect, PageRequest, PathParts } from "./page-request.ts";
import { missingPage, PAGES } from "./page-table.ts";
import type { PageName, PageRow } from "./page-table.ts";
import type { Site } from "./site.ts";

const HTML = "text/html; charset=utf-8";
/** One day in seconds: the URL stays the same when the icon changes. */
const FAVICON_S = 24 * 60 * 60;
/** Not permanent, because a former name may be reused. */
const MOVED = 302;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
/**
 * Pages that show live data are cached for at least a second. The slower a page renders, the longer
 * it is cached, so that rendering takes at most this share of the time.
 */
const MOMENT_MS = 1000;
const MOMENT_SHARE = 1 / 200;

/**
 * Browsers and proxies may not keep a page longer than this server does, because upgrades and
 * settings change pages.
 */
const CACHE_HEADERS: Record<PageRow["cachePolicy"], string> = {
  "a moment": `public, max-age=${MOMENT_MS / 1000}`,
  "for good": "public, no-cache",
  here: "private, no-store",
};

type PageMaker = () => Promise<CachedPage | null>;
/** `from` and `until` are the start and end of validity in ms since the Unix epoch. */
type CachedPage = { response: PageResponse; from: number; until: number };
type PageResponse = CompressedText | Redirect;

export type Pages = {
  /** Sends a page from the table, or the 404 page if it doesn't exist. */
  show(reply: FastifyReply, name: PageName, request?: Partial<PageRequest>): Promise<FastifyReply>;
  notFoundPage: NotFoundPage;
  errorPage: (reason: NotFoundData["what"]) => Promise<Buffer>;
};

export function openPages({ render }: Site, sources: PageSources, cache: Cache): Pages {
  const renderQueue = openCallerQueue(FIXED_LIMITS.pages_waiting, sources.scaleOf);
  const caches = openPageCaches(sources, cache);
  const { accounts } = sources;
  const { baseUrl: base } = sources.settings;
  const provider = accounts && providerAddress(accounts.provider.publicInfo(), base);
  const site = { base, provider };

  const errorPages = cache.namespace<Buffer>("missing pages");

  const errorPage: Pages["errorPage"] = (reason) =>
    errorPages.get(reason, async () => {
      const place = { path: null, ...site };
      const { body } = await renderQueue.run(null, () =>
        render({ page: missingPage(reason), place }),
      );
      return body;
    });

  async function makePage<V extends ViewName>(
    row: PageRow<V>,
    request: PageRequest,
    caller: string | null,
  ): Promise<CachedPage | null> {
    const { view, head, load } = row;
    renderQueue.assertCapacity(caller);
    const from = sources.now();
    const data = await load(sources, request);
    if (data === null) return null;
    if (isRedirect(data)) return { response: data, from, until: from + MOMENT_MS };
    return renderQueue.run(caller, async () => {
      const place = { path: pathOf(row, request), ...site };
      const { ms, ...response } = await render({ page: { view, head: head(data), data }, place });
      return { response, from, until: from + Math.max(MOMENT_MS, ms / MOMENT_SHARE) };
    });
  }

  async function show(
    reply: FastifyReply,
    name: PageName,
    { parts = {}, query = {} }: Partial<PageRequest> = {},
  ) {
    const row: PageRow = PAGES[name];
    const request = { parts, query: knownParams(row.query, query) };
    const caller = sources.callerOf(reply.request.raw);
    const cachedPage = await loadPage(
      caches[row.cachePolicy],
      JSON.stringify([name, request]),
      () => makePage(row, request, caller),
    );
    reply.type(HTML).header("Cache-Control", "no-cache");
    if (cachedPage !== null && !isRedirect(cachedPage.response))
      reply.header("Cache-Control", CACHE_HEADERS[row.cachePolicy]);
    if (row.cachePolicy === "here") reply.headers(NOT_FOUND_HEADERS);
    if (cachedPage === null)
      return reply
        .code(404)
        .headers(NOT_FOUND_HEADERS)
        .send(await errorPage(row.missing));
    const { response } = cachedPage;
    if (isRedirect(response)) return reply.redirect(response.movedTo, MOVED);
    return sendCompressed(reply, response);
  }

  return { show, notFoundPage: () => errorPage("page"), errorPage };
}

/**
 * Keeps only the parameters that the page reads, in a fixed order. Other parameters then don't
 * cause a new rendering.
 */
function knownParams(names: readonly string[], query: PageRequest["query"]): PageRequest["query"] {
  const presentNames = names.filter(
    (name) => typeof query[name] === "string" && query[name] !== "",
  );
  return Object.fromEntries(presentNames.map((name) => [name, query[name]]));
}

/** Returns the page's canonical path for search engines, which is the first path in the table. */
function pathOf(
  { paths: [path = ""] }: Pick<PageRow, "paths">,
  { parts, query }: PageRequest,
): string {
  const pathname = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(parts[name] ?? ""),
  );
  const queryText = new URLSearchParams(query as Record<string, string>).toString();
  return queryText === "" ? pathname : `${pathname}?${queryText}`;
}

type PageCache = (key: string, makePage: PageMaker) => Promise<CachedPage | null>;

/** Retries for this client if the rendering was refused to another client. */
async function loadPage(
  cachePage: PageCache,
  key: string,
  makePage: PageMaker,
): Promise<CachedPage | null> {
  for (;;) {
    let isOwn = false;
    const makeOwn: PageMaker = () => {
      isOwn = true;
      return makePage();
    };
    try {
      return await cachePage(key, makeOwn);
    } catch (error) {
      if (isOwn || !(error instanceof QueueFullError)) throw error;
    }
  }
}

function openPageCaches(
  { now, documents }: PageSources,
  cache: Cache,
): Record<PageRow["cachePolicy"], PageCache> {
  const longCache = cache.namespace<CachedPage>("lasting pages");
  const shortCache = openShortCache(now, cache);
  return {
    "a moment": shortCache,
    here: shortCache,
    "for good": (key, makePage) => longCache.get(`${documents.revision()} ${key}`, makePage),
  };
}

function openShortCache(now: () => number, cache: Cache): PageCache {
  const isTooSoon = (_key: string, { from, until }: CachedPage) => from <= now() && now() < until;
  const cachedPages = cache.namespace<CachedPage>("pages of a moment", { isTooSoon });
  const watchMoment = cache.revisions.watch("moment", () => Math.floor(now() / MOMENT_MS));
  return (key, makePage) =>
    cachedPages.get(key, async () => {
      watchMoment();
      return makePage();
    });
}

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

/** Any origin may read the files, because a framed page may have an opaque origin. */
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
