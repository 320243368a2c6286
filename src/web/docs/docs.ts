// Guides and schemas. All are known by name from the start: no address reaches the disk.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { DocsIndexSchema } from "#core/resources/api.ts";
import { prefersHtml } from "#web/http/accept.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWith } from "#web/http/errors.ts";
import { answers, textAnswers } from "#web/http/query.ts";
import type { Pages } from "#web/pages/pages.ts";

import { jsonSchema } from "./json-schema.ts";
import { atOwnAddress } from "./links.ts";
import { RENAMED, SCHEMA_NAMES, SCHEMAS } from "./schemas.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const NameSchema = Type.Object({ name: Type.String({ description: "as GET /docs lists it" }) });
const AnyObjectSchema = Type.Object({}, { additionalProperties: true });

export function docsRoutes(app: App, deps: ApiDeps, pages: Pages): void {
  listRoute(app, deps, pages);
  docRoute(app, deps);
  exampleRoute(app, deps);
  schemaRoute(app, deps.settings);
}

type Names = { docs: readonly string[]; schemas: readonly string[] };

/** A client that prefers HTML gets the list of guides. */
function listRoute(app: App, { documents }: ApiDeps, pages: Pages): void {
  const names = { docs: [...documents.docs.keys()].toSorted(), schemas: SCHEMA_NAMES };
  const schema = { response: answers(Type.Unsafe<Names | string>(DocsIndexSchema)) };
  const about = "Names of all documents and schemas";
  const types = ["application/json", "text/html"];
  const config = { endpoint: "docs", about, types, public: true, constant: true };
  app.get("/docs", { schema, config }, async ({ headers }, reply) => {
    reply.header("Vary", "Accept");
    return prefersHtml(headers.accept) ? pages.show(reply, "guides") : names;
  });
}

function docRoute(app: App, { documents, settings }: ApiDeps): void {
  const schema = { params: NameSchema, response: textAnswers };
  const about = "A document as Markdown, with or without .md, or one of its drawings";
  const types = ["text/markdown", "image/svg+xml"];
  const refuses = [404] as const;
  const config = { endpoint: "doc", about, types, refuses, public: true, constant: true };
  app.get("/docs/:name", { schema, config }, async (request, reply) => {
    const { name } = request.params;
    const drawing = documents.drawings.get(name);
    if (drawing !== undefined) return reply.type("image/svg+xml").send(drawing);
    const text = documents.docs.get(name.replace(/\.md$/, ""));
    if (text === undefined) return noSuchDocument(reply);
    reply.type("text/markdown; charset=utf-8");
    return atOwnAddress(text, settings.baseUrl);
  });
}

function exampleRoute(app: App, { documents }: ApiDeps): void {
  const schema = { params: NameSchema, response: textAnswers };
  const config = { public: true, constant: true };
  app.get("/docs/examples/:name", { schema, config }, async ({ params }, reply) => {
    const text = documents.examples.get(params.name);
    if (text === undefined) return noSuchDocument(reply);
    return reply.type("application/json; charset=utf-8").send(text);
  });
}

function schemaRoute(app: App, settings: ApiDeps["settings"]): void {
  const schema = { params: NameSchema, response: answers(AnyObjectSchema) };
  const about = "A JSON Schema of an answer, a socket message or a replay line";
  const refuses = [404] as const;
  const config = { endpoint: "schema", about, refuses, public: true, constant: true };
  app.get("/docs/schema/:name.json", { schema, config }, async (request, reply) => {
    const { name } = request.params;
    const renamed = RENAMED.get(name);
    if (renamed !== undefined) return reply.redirect(`/docs/schema/${renamed}.json`, 301);
    const published = SCHEMAS.get(name);
    if (published === undefined) return noSuchDocument(reply);
    const $id = `${settings.baseUrl}/docs/schema/${name}.json`;
    return { $schema: DIALECT, $id, ...jsonSchema(published) };
  });
  const bare = { public: true };
  app.get(
    "/docs/schema/:name",
    { schema: { params: NameSchema }, config: bare },
    (request, reply) => {
      const name = RENAMED.get(request.params.name) ?? request.params.name;
      if (!SCHEMAS.has(name)) return reply.send(noSuchDocument(reply));
      return reply.redirect(`/docs/schema/${name}.json`, 308);
    },
  );
}

function noSuchDocument(reply: FastifyReply) {
  return refuseWith(reply, 404, "There is no such document. GET /docs lists all of them.");
}
