import { apiSections } from "./api-section.ts";
import { CREDENTIALS } from "./credentials.ts";
import type { JsonSchema } from "./json-schema.ts";
import { contractSchemas } from "./openapi-schemas.ts";
import { describeOperation } from "./operation-object.ts";
import type { Operation } from "./operation.ts";
import { TAGS } from "./tags.ts";

export type ContractFacts = {
  release: string;
  /** Without a trailing slash. */
  baseUrl: string;
  /** Text of docs/api.md, which describes each operation and shows an example. */
  apiPage: string;
};

export type Contract = {
  openapi: string;
  paths: Record<string, Record<string, JsonSchema>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: object };
} & JsonSchema;

const OPENAPI = "3.1.1";

export function contractOf(operations: readonly Operation[], facts: ContractFacts): Contract {
  const { release, baseUrl, apiPage } = facts;
  const sections = apiSections(apiPage);
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
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths,
    components: { schemas: schemas.usedSchemas(), securitySchemes: schemesOf(operations) },
  };
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
