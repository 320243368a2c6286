import { Type } from "typebox";

import type { EventView } from "#core/api/event.ts";
import type { Ladder } from "#core/api/ladder-results.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { responseCache } from "#web/http/response-cache.ts";
import { okResponses, textResponse } from "#web/http/route-params.ts";
import type { RouteTable } from "#web/http/route-table.ts";
import { openPublicApi } from "#web/pages/page-data.ts";
import type { PublicApi } from "#web/pages/page-data.ts";

import { llmsText, robotsText, sitemapXml } from "./discovery.ts";
import type { PublicPages } from "./discovery.ts";
import { contractOf } from "./openapi.ts";

const OpenApiSchema = Type.Object({ openapi: Type.String() }, { additionalProperties: true });

export function discoveryRoutes(app: App, deps: ApiDeps, table: RouteTable): void {
  contractRoute(app, deps, table);
  const { documents } = deps;
  textRoute(app, deps, {
    path: "/llms.txt",
    endpoint: "llms",
    summary: "Index for language models",
    type: "text/plain",
    text: (baseUrl) => llmsText(documents, { baseUrl, mcpEndpoint: deps.settings.mcpEndpoint }),
  });
  textRoute(app, deps, {
    path: "/robots.txt",
    endpoint: "robots",
    summary: "Rules for crawlers",
    type: "text/plain",
    text: robotsText,
  });
  textRoute(app, deps, {
    path: "/sitemap.xml",
    endpoint: "sitemap",
    summary: "Sitemap of all public pages",
    type: "application/xml",
    isDynamic: true,
    text: async (baseUrl) => sitemapXml(documents, baseUrl, await publicPages(openPublicApi(app))),
  });
}

async function publicPages(api: PublicApi): Promise<PublicPages> {
  const [ladders, events] = await Promise.all([
    api.get<Ladder[]>("/api/ladders"),
    api.find<EventView[]>("/api/events"),
  ]);
  return { ladders: ladders.filter(({ id }) => id !== DEFAULT_LADDER), events: events ?? [] };
}

/** Built on the first request, when all routes are registered. */
function contractRoute(app: App, deps: ApiDeps, table: RouteTable) {
  const { settings, versions, documents } = deps;
  const schema = { response: okResponses(Type.Unsafe<object>(OpenApiSchema)) };
  const summary = "This contract: OpenAPI 3.1";
  const config = { endpoint: "openapi", summary, public: true, constant: true };
  const cached = responseCache(deps, "openapi", null);
  app.get("/openapi.json", { schema, config }, async (_request, reply) =>
    cached(reply, settings.baseUrl, async () =>
      contractOf(table.operations, {
        release: versions.release,
        baseUrl: settings.baseUrl,
        documents,
      }),
    ),
  );
}

type TextFile = {
  path: string;
  endpoint: string;
  summary: string;
  type: string;
  /** The text depends on ladders and events as well as settings. */
  isDynamic?: true;
  text: (baseUrl: string) => string | Promise<string>;
};

function textRoute(app: App, { settings }: ApiDeps, file: TextFile): void {
  const { path, endpoint, summary, type, text, isDynamic = false } = file;
  const config = { endpoint, summary, types: [type], public: true, constant: !isDynamic };
  app.get(path, { schema: { response: textResponse }, config }, async (_request, reply) => {
    reply.type(`${type}; charset=utf-8`);
    return text(settings.baseUrl);
  });
}
