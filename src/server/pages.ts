// The site's pages, rendered from data that the caller brings, and the files they load.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync, FastifyReply } from "fastify";

import type { MatchStats } from "#engine/types.ts";
import type { LeaderboardRow, LobbyEntry, Status } from "#protocol/resource-ladder.ts";
import type { Match } from "#protocol/resource-match.ts";
import { RECENT_MATCHES } from "#site/data.ts";
import type { Assets, EnterInfo, MatchData, PageData, RenderPage } from "#site/data.ts";

/** Where `npm run build` leaves the site. */
const BUILT = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "dist", "site");
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

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
  now(): number;
};

/** Serves `/`, `/ladder`, `/match/<id>`, `/view/<id>`, their assets and the favicon. */
export function pages(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const site = await openSite();
    const ladder = async (_request: unknown, reply: FastifyReply) =>
      send(reply, site, await ladderPage(deps));
    const match = async (request: { params: unknown }, reply: FastifyReply) =>
      send(reply, site, await matchPage(deps, (request.params as { id: string }).id));
    app.get("/", ladder);
    app.get("/ladder", ladder);
    app.get("/match/:id", match);
    app.get("/view/:id", match);
    for (const path of ["/favicon.svg", "/favicon.ico"])
      app.get(path, (_request, reply) => reply.type("image/svg+xml").send(site.favicon));
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
type Manifest = Record<string, { file: string }>;

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

function send(reply: FastifyReply, site: Site, page: PageData): FastifyReply {
  if (page.page === "missing") reply.code(404).header("X-Robots-Tag", "noindex");
  return reply
    .type("text/html; charset=utf-8")
    .header("Cache-Control", "no-cache")
    .send(site.render(page, site.assets));
}
