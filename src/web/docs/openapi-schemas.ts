// Schemas as the contract has them: each resource once under its name, and referred to elsewhere.

import type { TSchema } from "typebox";

import { RESOURCE_SCHEMAS } from "#core/resources/resources.ts";
import { SOCKET_SCHEMAS } from "#core/resources/socket-schemas.ts";

import { jsonSchema } from "./json-schema.ts";
import type { JsonSchema } from "./json-schema.ts";
import { pascal, withTitles } from "./schema-titles.ts";

export type ContractSchemas = {
  /** A reference to a resource, or the schema itself under this title with references in it. */
  of(schema: TSchema, title: string): JsonSchema;
  /** Everything that was referred to, by name, sorted. */
  used(): Record<string, JsonSchema>;
};

export function contractSchemas(): ContractSchemas {
  const resources = Object.entries({ ...SOCKET_SCHEMAS, ...RESOURCE_SCHEMAS });
  const names = new Map(resources.map(([name, schema]) => [contentOf(schema), pascal(name)]));
  const shapes = new Set(resources.map(([, schema]) => shapeOf(schema)));
  const made = new Map<string, JsonSchema>();

  /** Adds the resource, and whatever it refers to in turn. */
  function refer(part: object): JsonSchema | null {
    if (isWideInteger(part)) return { ...part, format: "int64" };
    const name = shapes.has(shapeOf(part)) ? names.get(contentOf(part)) : undefined;
    if (name === undefined) return null;
    if (!made.has(name)) {
      made.set(name, {});
      made.set(name, withTitles(jsonSchema(part, refer), name));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  return {
    of: (schema, title) => refer(schema) ?? withTitles(jsonSchema(schema, refer), title),
    used: () => Object.fromEntries([...made].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}

const INT32_MAX = 2 ** 31 - 1;

/** Generated clients use 32 bits for an integer without a format, and fail on larger values. */
function isWideInteger(part: { type?: unknown; const?: unknown; maximum?: unknown }): boolean {
  const { type, const: value, maximum } = part;
  return type === "integer" && Number(value ?? maximum ?? Infinity) > INT32_MAX;
}

/** Schemas with the same content are one: TypeBox copies what it marks as optional. */
function contentOf(schema: object): string {
  return JSON.stringify(schema);
}

/** Same for schemas of the same content, and far quicker to tell: most parts of one are no resource. */
function shapeOf(schema: { properties?: object }): string {
  return [...Object.keys(schema), ":", ...Object.keys(schema.properties ?? {})].join();
}
