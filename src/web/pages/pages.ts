// The site's pages, rendered from data that the caller brings, and the files they load.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync, FastifyReply } from "fastify";

import { openKeeper } from "#base/cache/keeper.ts";
import type { MatchStats } from "#core/engine/types.ts";
import type { LeaderboardRow, LobbyEntry, Status } from "#core/resources/ladder.ts";
import type { Match } from "#core/resources/match.ts";
import { RECENT_MATCHES } from "#site/public/data.ts";
import type { Assets, EnterInfo, MatchData, PageData, RenderPage } from "#site/public/data.ts";
import { openGate } from "#web/http/read-queue.ts";

/** Where `npm run build` leaves the site. */
const BUILT = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "dist", "site");
/** A day: its address does not change with it. */
const FAVICON_S = 24 * 60 * 60;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
/**
 * The front page is large, and says of which second it is. All who ask within a moment get the
 * same: so long that its making takes a small part of the time.
 */
const FRONT_PAGE_MS = 1000;
const FRONT_PAGE_SHARE = 1 / 200;

/** The public API's answers, asked for once per page. */
export type PageDeps = {
  leaderboard(): Promise<LeaderboardRow[]>;
  status(): Promise<Status>;
  lobby(): Promise<LobbyEntry[]>;
  /** The newest matches of the public ladder. */
  matches(limit: number): Promise<Match[]>;
  match(id: string): Promise<Match | null>;
  stats(id: string): Promise<MatchStats | null>;
  enter: EnterInfo;
  /** Milliseconds since 1970. */
  now: () => number;
};

/** Serves `/`, `/ladder`, `/match/<id>`, `/view/<id>`, their assets and the favicon. */
export function pages(site: Site, deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    // To render one takes milliseconds, and sending one a good part of that.
    const taking = openGate(1);
    const render = async (page: PageData) =>
      taking(async () => {
        await nextTurn();
        const start = performance.now();
        const body = Buffer.from(site.render(page, site.assets));
        return { body, etag: etagOf(body), tookMs: performance.now() - start };
      });
    const front = keepFront(deps, async () => render(await ladderPage(deps)));
    const ladder = async (_request: unknown, reply: FastifyReply) => {
      const page = await front();
      return send(reply, await taking(async () => page));
    };
    const match = async (request: { params: unknown }, reply: FastifyReply) => {
      const page = await matchPage(deps, (request.params as { id: string }).id);
      if (page.page === "missing") reply.code(404).header("X-Robots-Tag", "noindex");
      return send(reply, await render(page));
    };
    app.get("/", ladder);
    app.get("/ladder", ladder);
    app.get("/match/:id", match);
    app.get("/view/:id", match);
    for (const path of ["/favicon.svg", "/favicon.ico"])
      app.get(path, (_request, reply) =>
        reply
          .type("image/svg+xml")
          .header("Cache-Control", `public, max-age=${FAVICON_S}`)
          .send(site.favicon),
      );
    await app.register(fastifyStatic, {
      root: join(BUILT, "client", "assets"),
      prefix: "/assets/",
      immutable: true,
      maxAge: YEAR_MS,
      index: false,
      decorateReply: false,
    });
  };
}

export type Site = { render: RenderPage; assets: Assets; favicon: string };
type Manifest = Record<"client.tsx" | "style.css", { file: string }>;

/** What was built of the site. Throws when it was not. */
export async function openSite(): Promise<Site> {
  if (!existsSync(BUILT)) throw new Error("the site is not built: run `npm run build`");
  const server = pathToFileURL(join(BUILT, "server", "server.js")).href;
  const built = (await import(server)) as { renderPage: RenderPage; FAVICON: string };
  const text = readFileSync(join(BUILT, "client", "manifest.json"), "utf8");
  const manifest = JSON.parse(text) as Manifest;
  const assets = {
    script: `/${manifest["client.tsx"].file}`,
    style: `/${manifest["style.css"].file}`,
  };
  return { render: built.renderPage, assets, favicon: built.FAVICON };
}

async function ladderPage(deps: PageDeps): Promise<PageData> {
  const [leaderboard, status, lobby, matches] = await Promise.all([
    deps.leaderboard(),
    deps.status(),
    deps.lobby(),
    deps.matches(RECENT_MATCHES),
  ]);
  const { enter } = deps;
  return {
    page: "ladder",
    data: { leaderboard, status, lobby, matches, enter, now: deps.now() },
  };
}

async function matchPage(deps: PageDeps, id: string): Promise<PageData> {
  const data = await findMatch(deps, id);
  if (data !== null) return { page: "match", data };
  return { page: "missing", data: { what: "There is no bout with this number." } };
}

/** A bout may end between the two questions, so the stored ones are asked again at the end. */
async function findMatch(deps: PageDeps, id: string): Promise<MatchData | null> {
  const ended = await endedMatch(deps, id);
  if (ended !== null) return ended;
  const running = (await deps.status()).matches.find((match) => match.id === id);
  if (running !== undefined) return { phase: "running", match: running };
  return endedMatch(deps, id);
}

async function endedMatch(deps: PageDeps, id: string): Promise<MatchData | null> {
  const match = await deps.match(id);
  if (match === null) return null;
  return { phase: "ended", match, stats: match.voided ? null : await deps.stats(id) };
}

type Made = { body: Buffer; etag: string; tookMs: number };

function keepFront({ now }: PageDeps, make: () => Promise<Made>): () => Promise<Made> {
  const keeper = openKeeper<Made>({ most: 1, sizeOf: () => 1 });
  let moment = 0;
  let [from, until] = [0, 0];
  return () => {
    const at = now();
    if (at < from || at >= until) {
      moment += 1;
      [from, until] = [at, at + FRONT_PAGE_MS];
    }
    return keeper("", [moment], async () => {
      const made = await make();
      until = Math.max(until, from + made.tookMs / FRONT_PAGE_SHARE);
      return made;
    });
  };
}

function send(reply: FastifyReply, { body, etag }: Made): FastifyReply {
  return reply
    .type("text/html; charset=utf-8")
    .header("Cache-Control", "no-cache")
    .header("ETag", etag)
    .send(body);
}

function etagOf(body: Buffer): string {
  return `"${createHash("sha1").update(body).digest("base64")}"`;
}
