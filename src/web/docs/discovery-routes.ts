// What programs ask for first: the contract, and texts for finding their way.

import { Type } from "typebox";

import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { answers, textAnswers } from "#web/http/query.ts";
import type { RouteTable } from "#web/http/routes.ts";

import { llmsText, robotsText, sitemapXml } from "./discovery.ts";
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
    text: (baseUrl) => sitemapXml(documents, baseUrl),
  });
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
  text: (baseUrl: string) => string;
};

function textRoute(app: App, { settings }: ApiDeps, file: TextFile): void {
  const { path, endpoint, about, type, text } = file;
  const config = { endpoint, about, types: [type], public: true, constant: true };
  app.get(path, { schema: { response: textAnswers }, config }, async (_request, reply) => {
    reply.type(`${type}; charset=utf-8`);
    return text(settings.baseUrl);
  });
}
