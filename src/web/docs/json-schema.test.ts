import assert from "node:assert/strict";
import { it } from "node:test";

import { Type } from "typebox";

import { jsonSchema } from "./json-schema.ts";

it("writes tuples and enums in the syntax of the published draft", () => {
  const schema = Type.Object({
    tile: Type.Tuple([Type.Integer(), Type.Integer()]),
    entry: Type.Tuple([Type.String(), Type.Integer()]),
    word: Type.Enum(["a", "b"]),
    one: Type.Literal(1),
  });
  const [text, integerSchema] = [{ type: "string" }, { type: "integer" }];
  const bounds = { type: "array", minItems: 2, maxItems: 2 };
  assert.deepEqual(jsonSchema(schema), {
    type: "object",
    required: ["tile", "entry", "word", "one"],
    properties: {
      tile: { ...bounds, items: integerSchema },
      entry: { ...bounds, prefixItems: [text, integerSchema], items: {} },
      word: { type: "string", enum: ["a", "b"] },
      one: { type: "number", const: 1 },
    },
  });
});

it("replaces parts, but never the schema itself", () => {
  const Inner = Type.Object({ x: Type.Integer() });
  const toReference = (part: object) =>
    JSON.stringify(part) === JSON.stringify(Inner) ? { $ref: "#/x" } : null;
  assert.deepEqual(jsonSchema(Type.Array(Inner), toReference), {
    type: "array",
    items: { $ref: "#/x" },
  });
  assert.deepEqual(jsonSchema(Inner, toReference), JSON.parse(JSON.stringify(Inner)));
});

it("ignores properties named like keywords", () => {
  const schema = Type.Object({ items: Type.String(), enum: Type.Integer() });
  assert.deepEqual(jsonSchema(schema), JSON.parse(JSON.stringify(schema)));
});
