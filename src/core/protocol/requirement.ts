// What a schema requires of a value, in words for the sender of a wrong one.

import type { TSchema } from "typebox";

type Facts = {
  type?: string;
  anyOf?: readonly TSchema[];
  enum?: readonly unknown[];
  const?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
};

/** The end of a sentence that starts with the value's name: why it does not match the schema. */
export function requirementOf(schema: TSchema | undefined, value: unknown): string {
  if (value === undefined) return "is needed";
  if (schema === undefined) return "is malformed";
  const { type, anyOf, enum: words, const: word } = schema as Facts;
  if (anyOf !== undefined) return requirementOfUnion(anyOf, value);
  if (words !== undefined) return choice(words);
  if (word !== undefined) return choice([word]);
  if (type === "integer" || type === "number") return rangeOf(schema);
  if (type === "array") return listOf(schema, value);
  if (type === "boolean") return "must be true or false";
  if (type === "object") return isObject(value) ? "is malformed" : "must be an object";
  return type === undefined ? "is malformed" : textOf(schema, value);
}

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value that may be null; of other choices only that they are missed. */
function requirementOfUnion(schemas: readonly TSchema[], value: unknown): string {
  const shapes = schemas.filter((schema) => (schema as Facts).type !== "null");
  if (shapes.length > 1) return isObject(value) ? "is malformed" : "must be an object";
  const requirement = requirementOf(shapes[0], value);
  const mayBeNull = shapes.length < schemas.length && requirement.startsWith("must be");
  return mayBeNull ? `${requirement}, or null` : requirement;
}

function textOf({ minLength = 0, maxLength = Infinity }: Facts, value: unknown): string {
  if (typeof value !== "string") return "must be text";
  const { length } = Array.from(value);
  if (length > maxLength) return `has at most ${maxLength} characters`;
  return length < minLength ? "must not be empty" : "is malformed";
}

function listOf({ minItems = 0, maxItems = Infinity, uniqueItems }: Facts, value: unknown) {
  if (!Array.isArray(value)) return "must be a list";
  const { length } = value;
  if (minItems === maxItems && length !== minItems) return `must have ${minItems} entries`;
  if (length < minItems)
    return minItems === 1 ? "must not be empty" : `must have at least ${minItems} entries`;
  if (length > maxItems) return `must have at most ${maxItems} entries`;
  return uniqueItems === true ? "must not have the same entry twice" : "is malformed";
}

function choice(words: readonly unknown[]): string {
  return `must be ${words.length === 1 ? "" : "one of "}${words.join(", ")}`;
}

function rangeOf({ type, minimum, exclusiveMinimum, maximum }: Facts): string {
  const kind = type === "integer" ? "a whole number" : "a plain decimal number";
  if (minimum === undefined && exclusiveMinimum === undefined) return `must be ${kind}`;
  if (exclusiveMinimum !== undefined) return `must be ${kind} above ${exclusiveMinimum}`;
  return `must be ${kind} from ${minimum} to ${maximum ?? Number.MAX_SAFE_INTEGER}`;
}
