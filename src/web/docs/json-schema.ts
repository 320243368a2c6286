// TypeBox schemas as plain JSON Schema of the draft that is published, 2020-12.

import type { TSchema } from "typebox";

export type JsonSchema = Record<string, unknown>;

/** Called for each part; what it returns stands in the part's place, null leaves the part as it is. */
type Replace = (part: object) => JsonSchema | null;

/**
 * A copy in which tuples are as this draft has them, and enums of texts say that they are texts,
 * which older drafts did not ask for. Parts are replaced as `replace` says, but never the schema itself.
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

/** Many tools do not know tuples, so one of equal parts is a list of a fixed length. */
function tuple(parts: readonly unknown[]): JsonSchema {
  const [first, ...others] = parts.map((part) => JSON.stringify(part));
  const isUniform = others.every((other) => other === first);
  return isUniform ? { items: parts[0] } : { prefixItems: parts, items: {} };
}
