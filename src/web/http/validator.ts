// Validates input with TypeBox schemas, which also describe it in the contract. Only decimal
// numbers are coerced.

import type { FastifySchemaCompiler, FastifySchemaValidationError } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

/** Accepts one spelling per integer: no sign, exponent, leading zeros or non-ASCII digits. */
const DECIMAL = /^(?:0|[1-9][0-9]{0,14})$/;
/** Also accepts a fraction, for parameters that aren't counts. */
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

/** Converts query strings to the schema's types and drops unknown parameters. */
function queryReader(schema: TSchema): (value: unknown) => Fields {
  const properties =
    (schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {};
  const propertyEntries = Object.entries(properties);
  return (value) => {
    const query = value as Fields;
    const presentEntries = propertyEntries.filter(([name]) => query[name] !== undefined);
    return Object.fromEntries(
      presentEntries.map(([name, { type }]) => [name, parseValue(type, query[name])]),
    );
  };
}

function parseValue(type: unknown, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const isNumber =
    (type === "integer" && DECIMAL.test(value)) || (type === "number" && FRACTION.test(value));
  return isNumber ? Number(value) : value;
}
