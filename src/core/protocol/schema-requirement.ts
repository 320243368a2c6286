import type { TSchema } from "typebox";

type SchemaKeywords = {
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

/**
 * Returns a predicate that says why a value doesn't match its schema, such as "is required". The
 * subject is the field's name.
 */
export function requirementOf(schema: TSchema | undefined, value: unknown): string {
  if (value === undefined) return "is required";
  if (schema === undefined) return "is malformed";
  const { type, anyOf, enum: allowedValues, const: constantValue } = schema as SchemaKeywords;
  if (anyOf !== undefined) return requirementOfUnion(anyOf, value);
  if (allowedValues !== undefined) return choiceText(allowedValues);
  if (constantValue !== undefined) return choiceText([constantValue]);
  if (type === "integer" || type === "number") return rangeText(schema);
  if (type === "array") return listText(schema, value);
  if (type === "boolean") return "must be true or false";
  if (type === "object") return isObject(value) ? "is malformed" : "must be an object";
  return type === undefined ? "is malformed" : textRequirement(schema, value);
}

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** For a nullable value, describes the non-null shape. Other unions report only a mismatch. */
function requirementOfUnion(schemas: readonly TSchema[], value: unknown): string {
  const nonNullSchemas = schemas.filter((schema) => (schema as SchemaKeywords).type !== "null");
  if (nonNullSchemas.length > 1) return isObject(value) ? "is malformed" : "must be an object";
  const requirement = requirementOf(nonNullSchemas[0], value);
  const isNullable = nonNullSchemas.length < schemas.length && requirement.startsWith("must be");
  return isNullable ? `${requirement}, or null` : requirement;
}

function textRequirement(
  { minLength = 0, maxLength = Infinity }: SchemaKeywords,
  value: unknown,
): string {
  if (typeof value !== "string") return "must be a string";
  const { length } = Array.from(value);
  if (length > maxLength) return `must have at most ${maxLength} characters`;
  return length < minLength ? "must not be empty" : "is malformed";
}

function listText(
  { minItems = 0, maxItems = Infinity, uniqueItems }: SchemaKeywords,
  value: unknown,
) {
  if (!Array.isArray(value)) return "must be a list";
  const { length } = value;
  if (minItems === maxItems && length !== minItems) return `must have ${minItems} entries`;
  if (length < minItems)
    return minItems === 1 ? "must not be empty" : `must have at least ${minItems} entries`;
  if (length > maxItems) return `must have at most ${maxItems} entries`;
  return uniqueItems === true ? "must not have duplicate entries" : "is malformed";
}

function choiceText(allowedValues: readonly unknown[]): string {
  return `must be ${allowedValues.length === 1 ? "" : "one of "}${allowedValues.join(", ")}`;
}

function rangeText({ type, minimum, exclusiveMinimum, maximum }: SchemaKeywords): string {
  const kind = type === "integer" ? "a whole number" : "a plain decimal number";
  if (minimum === undefined && exclusiveMinimum === undefined) return `must be ${kind}`;
  if (exclusiveMinimum !== undefined) return `must be ${kind} above ${exclusiveMinimum}`;
  return `must be ${kind} from ${minimum} to ${maximum ?? Number.MAX_SAFE_INTEGER}`;
}
