// Serves the pages of the table, and the files that they load.

import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync, FastifyReply } from "fastify";

import type { Cache } from "#base/cache/cache.ts";
import type { View } from "#site/public/data.ts";
import { MISSING_HEADERS } from "#web/http/headers.ts";
import { openGate } from "#web/http/read-queue.ts";

import type { PageSources } from "./page-data.ts";
import type { Site } from "./site.ts";
import { missingPage, PAGES } from "./table.ts";
import type { PageName, PageRow, PathParts } from "./table.ts";

const HTML = "text/html; charset=utf-8";
/** A day, since its URL does not change with its content. */
const FAVICON_S = 24 * 60 * 60;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
/**
 * The front page is large and shows a clock with seconds. All requests within a moment get the same
 * page: long enough that rendering takes a small part of the time.
 */
const MOMENT_MS = 1000;
const MOMENT_SHARE = 1 / 200;

/** Null for a page that does not exist. */
type Make = () => Promise<Made | null>;
type Made = { body: Buffer; etag: string; tookMs: number };

export type Pages = {
  /** Sends a page of the table, or the 404 page in its place. */
  show(reply: FastifyReply, name: PageName, parts?: PathParts): Promise<FastifyReply>;
  /** The HTML for an address that belongs to nothing. */
  noPage: string;
};

export function openPages(site: Site, sources: PageSources, cache: Cache): Pages {
  // Rendering takes milliseconds, and sending a good part of that.
  const taking = openGate(1);
  const keepers = openKeepers(sources, cache);
  const missing = {
    page: site.render(missingPage("page")),
    bout: site.render(missingPage("bout")),
  };

  async function make<V extends View>(row: PageRow<V>, parts: PathParts): Promise<Made | null> {
    const { view, head, load } = row;
    const data = await load(sources, parts);
    if (data === null) return null;
    return taking(async () => {
      await nextTurn();
      const startMs = performance.now();
      const body = Buffer.from(site.render({ view, head: head(data), data }));
      return { body, etag: etagOf(body), tookMs: performance.now() - startMs };
    });
  }

  async function show(reply: FastifyReply, name: PageName, parts: PathParts = {}) {
    const row: PageRow = PAGES[name];
    const key = JSON.stringify([name, parts]);
    const made = await keepers[row.keep](key, () => make(row, parts));
    reply.type(HTML).header("Cache-Control", "no-cache");
    if (made === null) return reply.code(404).headers(MISSING_HEADERS).send(missing[row.missing]);
    const { body, etag } = row.keep === "once" ? made : await taking(async () => made);
    return reply.header("ETag", etag).send(body);
  }

  return { show, noPage: missing.page };
}

type Keeper = (key: string, make: Make) => Promise<Made | null>;

function openKeepers(
  { now, documents }: PageSources,
  cache: Cache,
): Record<PageRow["keep"], Keeper> {
  const lasting = cache.shelf<Made>("lasting pages");
  return {
    once: (_key, make) => make(),
    "a moment": keepForMoment(now, cache),
    "for good": (key, make) => lasting.get(`${documents.revision()} ${key}`, make),
  };
}

function keepForMoment(now: () => number, cache: Cache): Keeper {
  let [from, until] = [0, 0];
  const isTooSoon = () => from <= now() && now() < until;
  const kept = cache.shelf<Made>("pages of a moment", { isTooSoon });
  const moment = cache.revisions.watch("moment", () => Math.floor(now() / MOMENT_MS));
  return (key, make) =>
    kept.get(key, async () => {
      moment();
      from = now();
      until = from + MOMENT_MS;
      const made = await make();
      until = Math.max(until, from + (made?.tookMs ?? 0) / MOMENT_SHARE);
      return made;
    });
}

/** Routes of all pages of the table, their files and the favicon. */
export function pageRoutes(site: Site, pages: Pages): FastifyPluginAsync {
  return async (app) => {
    for (const name of Object.keys(PAGES) as PageName[]) {
      const { paths, keep, isOpen } = PAGES[name];
      const config = { public: isOpen, constant: keep === "for good" };
      for (const path of paths)
        app.get(path, { config }, (request, reply) =>
          pages.show(reply, name, request.params as PathParts),
        );
    }
    for (const path of ["/favicon.svg", "/favicon.ico"])
      app.get(path, (_request, reply) =>
        reply
          .type("image/svg+xml")
          .header("Cache-Control", `public, max-age=${FAVICON_S}`)
          .send(site.favicon),
      );
    await app.register(fastifyStatic, {
      root: site.assets,
      prefix: "/assets/",
      immutable: true,
      maxAge: YEAR_MS,
      index: false,
      decorateReply: false,
    });
  };
}

function etagOf(body: Buffer): string {
  return `"${createHash("sha1").update(body).digest("base64")}"`;
}
