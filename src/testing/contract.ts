// The contract at /openapi.json as a client reads it: operations with whole schemas.

import type { TSchema } from "typebox";

type Json = Record<string, unknown>;

export type Operation = {
  parameters: { name: string; place: "path" | "query"; required: boolean; schema: TSchema }[];
  body: TSchema | null;
  /** Null for a status that the contract does not name. */
  answer(status: number): { content: Record<string, TSchema>; codes: string[] } | null;
};

export type OpenContract = {
  /** Null when the contract does not have it; `path` is a template. */
  operation(method: string, path: string): Operation | null;
};

type Content = Record<string, { schema: Json; examples?: Json }>;
type RawOperation = {
  parameters?: { name: string; in: "path" | "query"; required: boolean; schema: Json }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};

export function openContract(document: Json): OpenContract {
  const paths = document.paths as Record<string, Record<string, RawOperation>>;
  const schemas = (document.components as { schemas: Record<string, Json> }).schemas;
  const whole = resolver(schemas);
  const known = new Map<RawOperation, Operation>();
  return {
    operation: (method, path) => {
      const raw = paths[path]?.[method.toLowerCase()];
      if (raw === undefined) return null;
      return known.getOrInsertComputed(raw, () => operationOf(raw, whole));
    },
  };
}

type Whole = (schema: Json) => TSchema;

function operationOf(raw: RawOperation, whole: Whole): Operation {
  const { parameters = [], requestBody, responses } = raw;
  const answers = new Map(
    Object.entries(responses).map(([status, { content = {} }]) => [
      Number(status),
      {
        content: mapValues(content, ({ schema }) => whole(schema)),
        codes: Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples)),
      },
    ]),
  );
  return {
    parameters: parameters.map(({ in: place, schema, ...rest }) => {
      return { ...rest, place, schema: whole(schema) };
    }),
    body: requestBody === undefined ? null : whole(requestBody.content["application/json"].schema),
    answer: (status) => answers.get(status) ?? null,
  };
}

/** Puts in place of each reference what it refers to. */
function resolver(schemas: Record<string, Json>): Whole {
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve);
    if (typeof part !== "object" || part === null) return part;
    const { $ref } = part as { $ref?: string };
    if ($ref !== undefined) return resolve(schemas[$ref.replace("#/components/schemas/", "")]);
    return mapValues(part as Json, resolve);
  };
  return (schema) => resolve(schema) as TSchema;
}

function mapValues<T, U>(object: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
