// Input is checked by the same TypeBox schemas that describe it. Nothing is coerced except
// decimals.

import type { FastifySchemaCompiler, FastifySchemaValidationError } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

/** One spelling per number: no sign, exponent, leading zero or non-ASCII digit. */
const DECIMAL = /^(?:0|[1-9][0-9]{0,14})$/;
/** The same with a fraction, for parameters that are not counts. */
const FRACTION = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

type Fields = Record<string, unknown>;

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema);
  const read = httpPart === "querystring" ? queryReader(schema) : (value: unknown) => value;
  return (value: unknown) => {
    const input = read(value);
    if (check.Check(input)) return { value: input };
    return { error: check.Errors(input) as FastifySchemaValidationError[] };
  };
};

/** Query text with the schema's numbers as numbers; unknown parameters are left out. */
function queryReader(schema: TSchema): (value: unknown) => Fields {
  const properties =
    (schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {};
  const known = Object.entries(properties);
  return (value) => {
    const query = value as Fields;
    const present = known.filter(([name]) => query[name] !== undefined);
    return Object.fromEntries(present.map(([name, { type }]) => [name, read(type, query[name])]));
  };
}

function read(type: unknown, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const isNumber =
    (type === "integer" && DECIMAL.test(value)) || (type === "number" && FRACTION.test(value));
  return isNumber ? Number(value) : value;
}
