// Adds titles to unnamed schemas. Client generators would otherwise invent names.

import type { JsonSchema } from "./json-schema.ts";

/**
 * Returns a copy in which every object and enum has a title: `name` followed by its property path.
 */
export function withTitles(schema: JsonSchema, name: string): JsonSchema {
  const copy: JsonSchema = { ...schema };
  if (schema.type === "object" || schema.enum !== undefined) copy.title = name;
  for (const key of ["properties", "patternProperties"])
    if (schema[key] !== undefined) copy[key] = titledProperties(schema[key] as Schemas, name);
  for (const key of ["items", "additionalProperties"])
    if (isSchema(schema[key])) copy[key] = withTitles(schema[key], `${name}Item`);
  if (Array.isArray(schema.prefixItems))
    copy.prefixItems = schema.prefixItems.map((part: JsonSchema, index) =>
      withTitles(part, `${name}Item${index}`),
    );
  for (const key of ["anyOf", "oneOf", "allOf"])
    if (Array.isArray(schema[key])) copy[key] = titledBranches(schema[key], name);
  return copy;
}

type Schemas = Record<string, JsonSchema>;

const isSchema = (part: unknown): part is JsonSchema => typeof part === "object" && part !== null;

function titledProperties(properties: Schemas, name: string): Schemas {
  const titled = Object.entries(properties).map(([key, part]) => [
    key,
    withTitles(part, `${name}${pascal(key) || "Item"}`),
  ]);
  return Object.fromEntries(titled) as Schemas;
}

function titledBranches(branches: readonly JsonSchema[], name: string): JsonSchema[] {
  const objects = branches.filter(({ type }) => type === "object");
  return branches.map((branch) =>
    withTitles(branch, objects.length > 1 ? `${name}${branchName(branch)}` : name),
  );
}

/** Returns a name that tells the objects of a union apart: its constant or its first property. */
function branchName({ properties = {} }: { properties?: Schemas }): string {
  const constant = Object.values(properties).find((part) => "const" in part);
  const [first = ""] = Object.keys(properties);
  return constant === undefined ? `With${pascal(first)}` : pascal(String(constant.const));
}

export function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
