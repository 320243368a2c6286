// Documents and schemas. Both are known by name from the start: no address reaches the disk.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { TSchema } from "typebox";

import { DocsIndexSchema } from "#protocol/resource-api.ts";
import { RESOURCE_SCHEMAS } from "#protocol/resources.ts";
import { SOCKET_SCHEMAS } from "#protocol/schemas.ts";

import { prefersHtml } from "./accept.ts";
import type { ApiDeps, App } from "./deps.ts";
import { refuseWith } from "./errors.ts";
import { answers } from "./query.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const params = Type.Object({ name: Type.String() });
const TextSchema = Type.Unsafe<string>(Type.String());
const AnyObjectSchema = Type.Object({}, { additionalProperties: true });
/** A map, so that no name finds what every object inherits. */
const SCHEMAS: ReadonlyMap<string, TSchema> = new Map(
  Object.entries({ ...SOCKET_SCHEMAS, ...RESOURCE_SCHEMAS }),
);

export function docsRoutes(app: App, deps: ApiDeps): void {
  const names = { docs: [...deps.docs.keys()].toSorted(), schemas: [...SCHEMAS.keys()].toSorted() };
  listRoute(app, names);
  docRoute(app, deps.docs);
  schemaRoute(app, deps.settings);
}

type Names = { docs: string[]; schemas: string[] };

function listRoute(app: App, names: Names): void {
  const schema = { response: answers(Type.Unsafe<Names | string>(DocsIndexSchema)) };
  const config = { endpoint: "docs", public: true };
  app.get("/docs", { schema, config }, async ({ headers }, reply) => {
    reply.header("Vary", "Accept");
    if (!prefersHtml(headers.accept)) return names;
    reply.type("text/html; charset=utf-8");
    return listPage(names);
  });
}

function docRoute(app: App, docs: ReadonlyMap<string, string>): void {
  const schema = { params, response: answers(TextSchema) };
  const config = { endpoint: "doc", public: true };
  app.get("/docs/:name", { schema, config }, async (request, reply) => {
    const text = docs.get(request.params.name.replace(/\.md$/, ""));
    if (text === undefined) return noSuchDocument(reply);
    reply.type("text/markdown; charset=utf-8");
    return text;
  });
}

function schemaRoute(app: App, settings: ApiDeps["settings"]): void {
  const schema = { params, response: answers(AnyObjectSchema) };
  const config = { endpoint: "schema", public: true };
  app.get("/docs/schema/:name.json", { schema, config }, async (request, reply) => {
    const { name } = request.params;
    const published = SCHEMAS.get(name);
    if (published === undefined) return noSuchDocument(reply);
    const $id = `${settings.baseUrl}/docs/schema/${name}.json`;
    return { $schema: DIALECT, $id, ...published };
  });
}

function noSuchDocument(reply: FastifyReply) {
  return refuseWith(reply, 404, "There is no such document. GET /docs lists all of them.");
}

function listPage({ docs, schemas }: Names): string {
  const links = (names: string[], path: (name: string) => string) =>
    names.map((name) => `<li><a href="${path(encodeURIComponent(name))}">${escape(name)}</a></li>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Documents</title></head><body>
<h1>Documents</h1>
<ul>${links(docs, (name) => `/docs/${name}`).join("")}</ul>
<h2>Schemas</h2>
<ul>${links(schemas, (name) => `/docs/schema/${name}.json`).join("")}</ul>
</body></html>
`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
