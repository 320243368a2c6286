// Where a value does not match its schema, and why: all its faults, each under its place.

import type { TSchema } from "typebox";
import { Value } from "typebox/value";

import { requirementOf } from "./requirement.ts";

/**
 * A place such as `conditions[0].condition.kind`, empty for the value as a whole, and the end of a
 * sentence that starts with it.
 */
export type PlacedFault = { path: string; problem: string };

/** Told of a field that the schema does not have. */
export const SURPLUS = "is not known here";

type Parts = {
  type?: string;
  anyOf?: readonly TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema & { const?: unknown }>;
  patternProperties?: Record<string, TSchema>;
  required?: readonly string[];
  additionalProperties?: unknown;
};

/** What is absent comes first, then the fields in the order of the schema, then unknown ones. */
export function faultsIn(schema: TSchema, value: unknown, path = ""): PlacedFault[] {
  if (Value.Check(schema, value)) return [];
  const inner = innerFaults(schema, value, path);
  return inner.length > 0 ? inner : [{ path, problem: requirementOf(schema, value) }];
}

/** Those of a part of the value. */
function innerFaults(schema: Parts, value: unknown, path: string): PlacedFault[] {
  const { anyOf, type, properties = {} } = schema;
  if (anyOf !== undefined) return ofUnion(anyOf, value, path);
  if (type === "array" && Array.isArray(value)) return ofList(schema, value, path);
  return type === "object" && isObject(value) ? ofObject(schema, properties, value, path) : [];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The place of a field in the value at a place. */
export const fieldAt = (path: string, name: string): string =>
  path === "" ? name : `${path}.${name}`;

/** Those of its entries, then of the list itself. */
function ofList(schema: Parts, value: readonly unknown[], path: string): PlacedFault[] {
  const { items = {} } = schema;
  const faults = value.flatMap((one, at) => faultsIn(items, one, `${path}[${at}]`));
  const list: TSchema = { ...schema, items: {} };
  if (faults.length === 0 || Value.Check(list, value)) return faults;
  return [...faults, { path, problem: requirementOf(list, value) }];
}

function ofObject(
  { required = [], patternProperties = {}, additionalProperties }: Parts,
  properties: Record<string, TSchema>,
  value: Record<string, unknown>,
  path: string,
): PlacedFault[] {
  const patterns = Object.entries(patternProperties);
  const schemaOf = (name: string) =>
    Object.hasOwn(properties, name)
      ? properties[name]
      : patterns.find(([pattern]) => new RegExp(pattern, "u").test(name))?.[1];
  const names = [...Object.keys(properties), ...Object.keys(value)];
  const present = [...new Set(names)].filter((name) => value[name] !== undefined);
  const absent = required.filter((name) => value[name] === undefined);
  return [
    ...absent.map((name) => ({ path: fieldAt(path, name), problem: "is needed" })),
    ...present.flatMap((name) => {
      const schema = schemaOf(name);
      if (schema !== undefined) return faultsIn(schema, value[name], fieldAt(path, name));
      return additionalProperties === false
        ? [{ path: fieldAt(path, name), problem: SURPLUS }]
        : [];
    }),
  ];
}

/** Of shapes told apart by their `kind`, the one that is meant; of a value that may be null, it. */
function ofUnion(schemas: readonly TSchema[], value: unknown, path: string): PlacedFault[] {
  const shapes = schemas.filter((schema) => (schema as Parts).type !== "null");
  const [only] = shapes;
  if (only !== undefined && shapes.length === 1) return innerFaults(only, value, path);
  if (!isObject(value)) return [];
  const { kind } = value;
  const kinds = shapes.map(kindOf);
  const meant = kind === undefined ? undefined : shapes[kinds.indexOf(kind)];
  if (meant !== undefined) return faultsIn(meant, value, path);
  const isTold = kinds.every((word) => typeof word === "string");
  const problem = kind === undefined ? "is needed" : `must be one of ${kinds.join(", ")}`;
  return isTold ? [{ path: fieldAt(path, "kind"), problem }] : [];
}

const kindOf = (schema: TSchema): unknown => (schema as Parts).properties?.["kind"]?.const;
