// Routes for guides and schemas. All names are known at startup, so no request path reaches the
// disk.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { DocsIndexSchema } from "#core/api/api-index.ts";
import { prefersHtml } from "#web/http/content-negotiation.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWithStatus } from "#web/http/errors.ts";
import { responseCache } from "#web/http/response-cache.ts";
import { okResponses, textResponse } from "#web/http/route-params.ts";
import type { Pages } from "#web/pages/pages.ts";

import { guideSections } from "./guide-sections.ts";
import { jsonSchema } from "./json-schema.ts";
import { withBaseUrl } from "./links.ts";
import { RENAMED, SCHEMA_NAMES, SCHEMAS } from "./schemas.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const NameSchema = Type.Object({ name: Type.String({ description: "as listed by GET /docs" }) });
const AnyObjectSchema = Type.Object({}, { additionalProperties: true });

export function docsRoutes(app: App, deps: ApiDeps, pages: Pages): void {
  listRoute(app, deps, pages);
  docRoute(app, deps);
  exampleRoute(app, deps);
  sectionsRoute(app, deps);
  schemaRoute(app, deps.settings);
}

type Names = { docs: readonly string[]; schemas: readonly string[] };

function listRoute(app: App, { documents }: ApiDeps, pages: Pages): void {
  const names = { docs: [...documents.docs.keys()].toSorted(), schemas: SCHEMA_NAMES };
  const schema = { response: okResponses(Type.Unsafe<Names | string>(DocsIndexSchema)) };
  const summary = "Names of all documents and schemas";
  const types = ["application/json", "text/html"];
  const config = { endpoint: "docs", summary, types, public: true, constant: true };
  app.get("/docs", { schema, config }, async ({ headers }, reply) => {
    reply.header("Vary", "Accept");
    return prefersHtml(headers.accept) ? pages.show(reply, "guides") : names;
  });
}

function docRoute(app: App, { documents, settings }: ApiDeps): void {
  const schema = { params: NameSchema, response: textResponse };
  const summary = "A document as Markdown, with or without .md, or one of its drawings";
  const types = ["text/markdown", "image/svg+xml"];
  const errorCodes = [404] as const;
  const config = { endpoint: "doc", summary, types, errorCodes, public: true, constant: true };
  app.get("/docs/:name", { schema, config }, async (request, reply) => {
    const { name } = request.params;
    const drawing = documents.drawings.get(name);
    if (drawing !== undefined) return reply.type("image/svg+xml").send(drawing);
    const text = documents.docs.get(name.replace(/\.md$/, ""));
    if (text === undefined) return refuseUnknownDocument(reply);
    reply.type("text/markdown; charset=utf-8");
    return withBaseUrl(text, settings.baseUrl);
  });
}

function exampleRoute(app: App, { documents }: ApiDeps): void {
  const schema = { params: NameSchema, response: textResponse };
  const config = { public: true, constant: true };
  app.get("/docs/examples/:name", { schema, config }, async ({ params }, reply) => {
    const text = documents.examples.get(params.name);
    if (text === undefined) return refuseUnknownDocument(reply);
    return reply.type("application/json; charset=utf-8").send(text);
  });
}

/** The guides' sections, which the site searches in the browser. */
function sectionsRoute(app: App, deps: ApiDeps): void {
  const { documents, settings } = deps;
  const schema = { response: okResponses(Type.Unsafe<object>(Type.Array(AnyObjectSchema))) };
  const config = { public: true, constant: true };
  const cached = responseCache(deps, "guide sections", null);
  app.get("/docs/sections.json", { schema, config }, (_request, reply) =>
    cached(reply, `${documents.revision()} ${settings.baseUrl}`, () =>
      guideSections(documents, settings.baseUrl),
    ),
  );
}

function schemaRoute(app: App, settings: ApiDeps["settings"]): void {
  const schema = { params: NameSchema, response: okResponses(AnyObjectSchema) };
  const summary = "A JSON Schema of a response, a socket message or a replay line";
  const errorCodes = [404] as const;
  const config = { endpoint: "schema", summary, errorCodes, public: true, constant: true };
  app.get("/docs/schema/:name.json", { schema, config }, async (request, reply) => {
    const { name } = request.params;
    const newName = RENAMED.get(name);
    if (newName !== undefined) return reply.redirect(`/docs/schema/${newName}.json`, 301);
    const sourceSchema = SCHEMAS.get(name);
    if (sourceSchema === undefined) return refuseUnknownDocument(reply);
    const $id = `${settings.baseUrl}/docs/schema/${name}.json`;
    return { $schema: DIALECT, $id, ...jsonSchema(sourceSchema) };
  });
  const bareConfig = { public: true };
  app.get(
    "/docs/schema/:name",
    { schema: { params: NameSchema }, config: bareConfig },
    (request, reply) => {
      const name = RENAMED.get(request.params.name) ?? request.params.name;
      if (!SCHEMAS.has(name)) return reply.send(refuseUnknownDocument(reply));
      return reply.redirect(`/docs/schema/${name}.json`, 308);
    },
  );
}

function refuseUnknownDocument(reply: FastifyReply) {
  return refuseWithStatus(reply, 404, "There is no such document. GET /docs lists all of them.");
}
