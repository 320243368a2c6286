// Lists every place where a value doesn't match its schema, with the reason.

import type { TSchema } from "typebox";
import { Value } from "typebox/value";

import { requirementOf } from "./schema-requirement.ts";

/**
 * `path` is a path such as `conditions[0].condition.kind`, or empty for the whole value. `problem`
 * is a predicate that follows the path.
 */
export type ValidationIssue = { path: string; problem: string };

export const UNKNOWN_FIELD = "is unknown";

type SchemaParts = {
  type?: string;
  anyOf?: readonly TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema & { const?: unknown }>;
  patternProperties?: Record<string, TSchema>;
  required?: readonly string[];
  additionalProperties?: unknown;
};

/** Returns missing fields first, then fields in schema order, then unknown fields. */
export function validationIssues(schema: TSchema, value: unknown, path = ""): ValidationIssue[] {
  if (Value.Check(schema, value)) return [];
  const nested = nestedIssues(schema, value, path);
  return nested.length > 0 ? nested : [{ path, problem: requirementOf(schema, value) }];
}

function nestedIssues(schema: SchemaParts, value: unknown, path: string): ValidationIssue[] {
  const { anyOf, type, properties = {} } = schema;
  if (anyOf !== undefined) return unionIssues(anyOf, value, path);
  if (type === "array" && Array.isArray(value)) return listIssues(schema, value, path);
  return type === "object" && isObject(value) ? objectIssues(schema, properties, value, path) : [];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fieldPath = (path: string, name: string): string =>
  path === "" ? name : `${path}.${name}`;

/** Returns the issues of the entries, then of the list itself. */
function listIssues(
  schema: SchemaParts,
  value: readonly unknown[],
  path: string,
): ValidationIssue[] {
  const { items = {} } = schema;
  const issues = value.flatMap((entry, index) =>
    validationIssues(items, entry, `${path}[${index}]`),
  );
  const listSchema: TSchema = { ...schema, items: {} };
  if (issues.length === 0 || Value.Check(listSchema, value)) return issues;
  return [...issues, { path, problem: requirementOf(listSchema, value) }];
}

function objectIssues(
  { required = [], patternProperties = {}, additionalProperties }: SchemaParts,
  properties: Record<string, TSchema>,
  value: Record<string, unknown>,
  path: string,
): ValidationIssue[] {
  const patterns = Object.entries(patternProperties);
  const schemaOf = (name: string) =>
    Object.hasOwn(properties, name)
      ? properties[name]
      : patterns.find(([pattern]) => new RegExp(pattern, "u").test(name))?.[1];
  const names = [...Object.keys(properties), ...Object.keys(value)];
  const presentNames = [...new Set(names)].filter((name) => value[name] !== undefined);
  const missingNames = required.filter((name) => value[name] === undefined);
  return [
    ...missingNames.map((name) => ({ path: fieldPath(path, name), problem: "is required" })),
    ...presentNames.flatMap((name) => {
      const schema = schemaOf(name);
      if (schema !== undefined) return validationIssues(schema, value[name], fieldPath(path, name));
      return additionalProperties === false
        ? [{ path: fieldPath(path, name), problem: UNKNOWN_FIELD }]
        : [];
    }),
  ];
}

/** Checks the shape with the same `kind`, or the non-null shape of a nullable value. */
function unionIssues(schemas: readonly TSchema[], value: unknown, path: string): ValidationIssue[] {
  const shapes = schemas.filter((schema) => (schema as SchemaParts).type !== "null");
  const [singleShape] = shapes;
  if (singleShape !== undefined && shapes.length === 1)
    return nestedIssues(singleShape, value, path);
  if (!isObject(value)) return [];
  const { kind } = value;
  const kinds = shapes.map(discriminatorOf);
  const matchingShape = kind === undefined ? undefined : shapes[kinds.indexOf(kind)];
  if (matchingShape !== undefined) return validationIssues(matchingShape, value, path);
  const isDiscriminated = kinds.every((kindName) => typeof kindName === "string");
  const problem = kind === undefined ? "is required" : `must be one of ${kinds.join(", ")}`;
  return isDiscriminated ? [{ path: fieldPath(path, "kind"), problem }] : [];
}

const discriminatorOf = (schema: TSchema): unknown =>
  (schema as SchemaParts).properties?.["kind"]?.const;
