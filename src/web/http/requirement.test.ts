import assert from "node:assert/strict";
import { it } from "node:test";

import { Type } from "typebox";
import type { TSchema } from "typebox";

import { requirementOf } from "./requirement.ts";

const TABLE: [schema: TSchema | undefined, value: unknown, text: string][] = [
  [Type.String(), undefined, "is needed"],
  [Type.String(), 5, "must be text"],
  [Type.String({ maxLength: 3 }), "four", "has at most 3 characters"],
  [Type.String({ maxLength: 3, pattern: "^a" }), "b", "is malformed"],
  [Type.Integer({ minimum: 1, maximum: 500 }), "501", "must be a whole number from 1 to 500"],
  [Type.Number({ exclusiveMinimum: 0 }), "0", "must be a plain decimal number above 0"],
  [Type.Enum(["1"]), "0", "must be 1"],
  [Type.Enum(["1", "true"]), "0", "must be one of 1, true"],
  [undefined, "x", "is malformed"],
];
for (const [schema, value, text] of TABLE)
  it(`says of ${JSON.stringify(value)} that it ${text}`, () => {
    assert.equal(requirementOf(schema, value), text);
  });
