// What programs ask for first: the contract, and texts for finding their way.

import { Type } from "typebox";

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { EventView } from "#core/resources/event.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { answers, textAnswers } from "#web/http/query.ts";
import type { RouteTable } from "#web/http/routes.ts";
import { askInside } from "#web/pages/page-data.ts";
import type { PublicApi } from "#web/pages/page-data.ts";

import { llmsText, robotsText, sitemapXml } from "./discovery.ts";
import type { OwnPages } from "./discovery.ts";
import { contractOf } from "./openapi.ts";

const OpenApiSchema = Type.Object({ openapi: Type.String() }, { additionalProperties: true });

export function discoveryRoutes(app: App, deps: ApiDeps, table: RouteTable): void {
  contractRoute(app, deps, table);
  const { documents } = deps;
  textRoute(app, deps, {
    path: "/llms.txt",
    endpoint: "llms",
    about: "Where a language model finds what it needs",
    type: "text/plain",
    text: (baseUrl) => llmsText(documents, { baseUrl, mcpEndpoint: deps.settings.mcpEndpoint }),
  });
  textRoute(app, deps, {
    path: "/robots.txt",
    endpoint: "robots",
    about: "What crawlers may read",
    type: "text/plain",
    text: robotsText,
  });
  textRoute(app, deps, {
    path: "/sitemap.xml",
    endpoint: "sitemap",
    about: "Addresses of all public pages",
    type: "application/xml",
    changes: true,
    text: async (baseUrl) => sitemapXml(documents, baseUrl, await listedIn(askInside(app))),
  });
}

/** What is listed for everybody. */
async function listedIn(api: PublicApi): Promise<OwnPages> {
  const [ladders, events] = await Promise.all([
    api.get<Ladder[]>("/api/ladders"),
    api.find<EventView[]>("/api/events"),
  ]);
  return { ladders: ladders.filter(({ id }) => id !== DEFAULT_LADDER), events: events ?? [] };
}

/** Built on the first request: by then every route is known, and so is the address. */
function contractRoute(app: App, deps: ApiDeps, table: RouteTable) {
  const { settings, versions, documents } = deps;
  const schema = { response: answers(Type.Unsafe<object>(OpenApiSchema)) };
  const about = "This contract: OpenAPI 3.1";
  const config = { endpoint: "openapi", about, public: true, constant: true };
  const kept = keepAnswers(deps, "openapi", null);
  app.get("/openapi.json", { schema, config }, async (_request, reply) =>
    kept(reply, settings.baseUrl, async () =>
      contractOf(table.operations, {
        release: versions.release,
        baseUrl: settings.baseUrl,
        apiPage: documents.docs.get("api") ?? "",
      }),
    ),
  );
}

type TextFile = {
  path: string;
  endpoint: string;
  about: string;
  type: string;
  /** It depends on more than this server's settings. */
  changes?: true;
  text: (baseUrl: string) => string | Promise<string>;
};

function textRoute(app: App, { settings }: ApiDeps, file: TextFile): void {
  const { path, endpoint, about, type, text, changes = false } = file;
  const config = { endpoint, about, types: [type], public: true, constant: !changes };
  app.get(path, { schema: { response: textAnswers }, config }, async (_request, reply) => {
    reply.type(`${type}; charset=utf-8`);
    return text(settings.baseUrl);
  });
}
