import type { Guide } from "#site/guide/data.ts";

import { apiSections, isApiPage, tagOf } from "./api-section.ts";
import { CREDENTIALS } from "./credentials.ts";
import type { JsonSchema } from "./json-schema.ts";
import { contractSchemas } from "./openapi-schemas.ts";
import { describeOperation } from "./operation-object.ts";
import type { Operation } from "./operation.ts";

export type ContractFacts = {
  release: string;
  /** Without a trailing slash. */
  baseUrl: string;
  /** The guides. The API pages describe each operation and show an example. */
  documents: { docs: ReadonlyMap<string, string>; guides: readonly Guide[] };
};

export type Contract = {
  openapi: string;
  paths: Record<string, Record<string, JsonSchema>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: object };
} & JsonSchema;

const OPENAPI = "3.1.1";

export function contractOf(operations: readonly Operation[], facts: ContractFacts): Contract {
  const { release, baseUrl, documents } = facts;
  const sections = apiSections(documents.docs);
  const schemas = contractSchemas();
  const paths: Contract["paths"] = {};
  for (const operation of operations) {
    const { path, method } = operation;
    const section = sections.get(`${method} ${path}`);
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = describeOperation(operation, section, schemas, baseUrl);
  }
  return {
    openapi: OPENAPI,
    info: infoOf(release, baseUrl),
    servers: [{ url: baseUrl, description: "this server" }],
    externalDocs: { url: `${baseUrl}/guide/api`, description: "The same API as prose." },
    tags: tagsOf(documents.guides, baseUrl),
    paths,
    components: { schemas: schemas.usedSchemas(), securitySchemes: schemesOf(operations) },
  };
}

/** Returns one tag per API page, in reading order. */
function tagsOf(guides: readonly Guide[], baseUrl: string): JsonSchema[] {
  const pages = guides.filter(({ name }) => isApiPage(name));
  return pages.map(({ name, title, summary }) => ({
    name: tagOf(name),
    description: summary,
    externalDocs: { url: `${baseUrl}/guide/${name}`, description: title },
  }));
}

function infoOf(version: string, baseUrl: string): JsonSchema {
  return {
    title: "Bout",
    version,
    summary: "A ladder for fighter bots.",
    description:
      "Register a bot, read standings, matches and statistics. Matches aren't played over HTTP: " +
      `bots connect by WebSocket, see [the protocol](${baseUrl}/guide/protocol).`,
    license: { name: "MIT", identifier: "MIT" },
    contact: { name: "This server", url: baseUrl },
  };
}

function schemesOf(operations: readonly Operation[]): object {
  const usedNames = new Set<string | null>(
    operations.flatMap(({ credentials, alsoRequires }) => [...credentials, alsoRequires]),
  );
  return Object.fromEntries(Object.entries(CREDENTIALS).filter(([name]) => usedNames.has(name)));
}
