import type { TSchema } from "typebox";

export type JsonSchema = Record<string, unknown>;

/** Called for each part of a schema. Returns the replacement, or null to keep the part. */
type Replace = (part: object) => JsonSchema | null;

/**
 * Returns a copy that uses this draft's tuples and types string enums as strings, which older
 * drafts didn't require. `replace` may replace parts, but not the schema itself.
 */
export function jsonSchema(schema: TSchema, replace: Replace = () => null): JsonSchema {
  return toPlain(schema, replace) as JsonSchema;
}

function toPlain(part: unknown, replace: Replace): unknown {
  if (Array.isArray(part)) return part.map((item) => replacePart(item, replace));
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(modernize(part));
  return Object.fromEntries(entries.map(([key, value]) => [key, replacePart(value, replace)]));
}

function replacePart(part: unknown, replace: Replace): unknown {
  const isObject = typeof part === "object" && part !== null;
  return (isObject ? replace(part) : null) ?? toPlain(part, replace);
}

function modernize(part: object): object {
  const { items, additionalItems: _, ...rest } = part as JsonSchema;
  if (Array.isArray(items)) return { ...rest, ...fromTuple(items), maxItems: items.length };
  const { enum: enumValues, type } = part as JsonSchema;
  const isTextEnum =
    Array.isArray(enumValues) && enumValues.every((enumValue) => typeof enumValue === "string");
  return isTextEnum && type === undefined ? { type: "string", ...part } : part;
}

/** Many tools don't support tuples, so a tuple of equal parts becomes an array of fixed length. */
function fromTuple(parts: readonly unknown[]): JsonSchema {
  const [first, ...otherParts] = parts.map((part) => JSON.stringify(part));
  const isUniform = otherParts.every((serializedPart) => serializedPart === first);
  return isUniform ? { items: parts[0] } : { prefixItems: parts, items: {} };
}
