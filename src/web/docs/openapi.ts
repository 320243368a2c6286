// The contract of the HTTP API in OpenAPI 3.1, generated from the schemas that validate.

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
  /** The page about the HTTP API, which describes each operation and shows an example. */
  apiPage: string;
};

export type Contract = {
  openapi: string;
  paths: Record<string, Record<string, JsonSchema>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: object };
} & JsonSchema;

const OPENAPI = "3.1.1";

/** One document for all operations. It names nothing that is not served. */
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
    servers: [{ url: baseUrl, description: "this ladder" }],
    externalDocs: { url: `${baseUrl}/guide/api`, description: "The same in prose." },
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths,
    components: { schemas: schemas.used(), securitySchemes: schemesOf(operations) },
  };
}

function infoOf(version: string, baseUrl: string): JsonSchema {
  return {
    title: "Bout",
    version,
    summary: "A ladder for fighter bots.",
    description:
      "Register a bot, read standings, matches and statistics. Fights themselves are not HTTP: " +
      `a bot connects by WebSocket, see [the protocol](${baseUrl}/guide/protocol).`,
    license: { name: "MIT", identifier: "MIT" },
    contact: { name: "This ladder", url: baseUrl },
  };
}

/** The credentials that any operation accepts. */
function schemesOf(operations: readonly Operation[]): object {
  const named = new Set<string | null>(
    operations.flatMap(({ credentials, needsToo }) => [...credentials, needsToo]),
  );
  return Object.fromEntries(Object.entries(CREDENTIALS).filter(([name]) => named.has(name)));
}
