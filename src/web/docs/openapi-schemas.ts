// Collects the contract's schemas. Each resource is defined once by name and referenced elsewhere.

import type { TSchema } from "typebox";

import { RESOURCE_SCHEMAS } from "#core/api/resource-schemas.ts";
import { SOCKET_SCHEMAS } from "#core/api/socket-schemas.ts";

import { jsonSchema } from "./json-schema.ts";
import type { JsonSchema } from "./json-schema.ts";
import { pascal, withTitles } from "./schema-titles.ts";

export type ContractSchemas = {
  /**
   * Returns a reference if the schema is a resource. Otherwise returns the schema with this title
   * and with nested resources referenced.
   */
  schemaFor(schema: TSchema, title: string): JsonSchema;
  usedSchemas(): Record<string, JsonSchema>;
};

export function contractSchemas(): ContractSchemas {
  const resources = Object.entries({ ...SOCKET_SCHEMAS, ...RESOURCE_SCHEMAS });
  const names = new Map(resources.map(([name, schema]) => [contentKey(schema), pascal(name)]));
  const shapes = new Set(resources.map(([, schema]) => shapeKey(schema)));
  const schemasByName = new Map<string, JsonSchema>();

  function refer(part: object): JsonSchema | null {
    if (isWideInteger(part)) return { ...part, format: "int64" };
    const name = shapes.has(shapeKey(part)) ? names.get(contentKey(part)) : undefined;
    if (name === undefined) return null;
    if (!schemasByName.has(name)) {
      schemasByName.set(name, {});
      schemasByName.set(name, withTitles(jsonSchema(part, refer), name));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  return {
    schemaFor: (schema, title) => refer(schema) ?? withTitles(jsonSchema(schema, refer), title),
    usedSchemas: () =>
      Object.fromEntries([...schemasByName].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const INT32_MAX = 2 ** 31 - 1;

/** Generated clients use 32 bits for integers without a format and fail on larger values. */
function isWideInteger(part: { type?: unknown; const?: unknown; maximum?: unknown }): boolean {
  const { type, const: value, maximum } = part;
  return type === "integer" && Number(value ?? maximum ?? Infinity) > INT32_MAX;
}

/** Schemas with equal content share a key, because TypeBox copies optional schemas. */
function contentKey(schema: object): string {
  return JSON.stringify(schema);
}

/** A cheap key that is compared first, because most parts of a schema are not resources. */
function shapeKey(schema: { properties?: object }): string {
  return [...Object.keys(schema), ":", ...Object.keys(schema.properties ?? {})].join();
}
