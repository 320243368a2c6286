// What a schema requires of a value, in words for the sender of a wrong one.

import type { TSchema } from "typebox";

type Facts = {
  type?: string;
  enum?: readonly unknown[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxLength?: number;
};

/** The end of a sentence that starts with the value's name: why it does not match the schema. */
export function requirementOf(schema: TSchema | undefined, value: unknown): string {
  if (value === undefined) return "is needed";
  if (schema === undefined) return "is malformed";
  const { type, enum: words, maxLength } = schema as Facts;
  if (words !== undefined) return choice(words);
  if (type === "integer" || type === "number") return rangeOf(schema);
  if (typeof value !== "string") return "must be text";
  const isTooLong = maxLength !== undefined && Array.from(value).length > maxLength;
  return isTooLong ? `has at most ${maxLength} characters` : "is malformed";
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
