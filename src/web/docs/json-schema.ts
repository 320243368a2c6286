// TypeBox schemas as plain JSON Schema of the published draft, 2020-12.

import type { TSchema } from "typebox";

export type JsonSchema = Record<string, unknown>;

/** Called for each part. The result takes the part's place; null leaves it unchanged. */
type Replace = (part: object) => JsonSchema | null;

/**
 * A copy with tuples as in this draft, and with enums of strings typed as strings, which older
 * drafts did not require. Parts are replaced as `replace` says, but never the schema itself.
 */
export function jsonSchema(schema: TSchema, replace: Replace = () => null): JsonSchema {
  return plain(schema, replace) as JsonSchema;
}

function plain(part: unknown, replace: Replace): unknown {
  if (Array.isArray(part)) return part.map((item) => replaced(item, replace));
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(modern(part));
  return Object.fromEntries(entries.map(([key, value]) => [key, replaced(value, replace)]));
}

function replaced(part: unknown, replace: Replace): unknown {
  const isObject = typeof part === "object" && part !== null;
  return (isObject ? replace(part) : null) ?? plain(part, replace);
}

function modern(part: object): object {
  const { items, additionalItems: _, ...rest } = part as JsonSchema;
  if (Array.isArray(items)) return { ...rest, ...tuple(items), maxItems: items.length };
  const { enum: words, type } = part as JsonSchema;
  const isText = Array.isArray(words) && words.every((word) => typeof word === "string");
  return isText && type === undefined ? { type: "string", ...part } : part;
}

/** Many tools do not support tuples, so a tuple of equal parts becomes a list of fixed length. */
function tuple(parts: readonly unknown[]): JsonSchema {
  const [first, ...others] = parts.map((part) => JSON.stringify(part));
  const isUniform = others.every((other) => other === first);
  return isUniform ? { items: parts[0] } : { prefixItems: parts, items: {} };
}
