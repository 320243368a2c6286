import assert from "node:assert/strict";
import { it } from "node:test";

import { Type } from "typebox";
import type { TSchema } from "typebox";

import { requirementOf } from "./schema-requirement.ts";
import { validationIssues } from "./validation-issues.ts";

const COUNT = Type.Union([Type.Integer({ minimum: 0, maximum: 9 }), Type.Null()]);
const LIST = Type.Array(Type.Enum(["a", "b"]), { minItems: 1, uniqueItems: true });

const TABLE: [schema: TSchema | undefined, value: unknown, text: string][] = [
  [Type.String(), undefined, "is required"],
  [Type.String(), 5, "must be a string"],
  [Type.String({ maxLength: 3 }), "four", "must have at most 3 characters"],
  [Type.String({ maxLength: 3, pattern: "^a" }), "b", "is malformed"],
  [Type.Integer({ minimum: 1, maximum: 500 }), "501", "must be a whole number from 1 to 500"],
  [Type.Number({ exclusiveMinimum: 0 }), "0", "must be a plain decimal number above 0"],
  [Type.Enum(["1"]), "0", "must be 1"],
  [Type.Enum(["1", "true"]), "0", "must be one of 1, true"],
  [undefined, "x", "is malformed"],
  [Type.String({ minLength: 1 }), "", "must not be empty"],
  [Type.Boolean(), "yes", "must be true or false"],
  [Type.Literal("a"), "b", "must be a"],
  [Type.Object({}), [], "must be an object"],
  [COUNT, -1, "must be a whole number from 0 to 9, or null"],
  [
    Type.Union([Type.String({ maxLength: 1 }), Type.Null()]),
    "ab",
    "must have at most 1 characters",
  ],
  [Type.Union([Type.Object({}), Type.Object({})]), 5, "must be an object"],
  [LIST, "a", "must be a list"],
  [LIST, [], "must not be empty"],
  [LIST, ["a", "a"], "must not have duplicate entries"],
  [Type.Array(Type.String(), { minItems: 5, maxItems: 5 }), ["a"], "must have 5 entries"],
  [Type.Array(Type.String(), { minItems: 2 }), ["a"], "must have at least 2 entries"],
  [Type.Array(Type.String(), { maxItems: 1 }), ["a", "b"], "must have at most 1 entries"],
];
for (const [schema, value, text] of TABLE)
  it(`says that ${JSON.stringify(value)} ${text}`, () => {
    assert.equal(requirementOf(schema, value), text);
  });

const CLOSED = { additionalProperties: false };
const KINDS = Type.Union([
  Type.Object({ kind: Type.Literal("games"), count: Type.Integer() }, CLOSED),
  Type.Object({ kind: Type.Literal("wins"), wins: Type.Integer() }, CLOSED),
]);
const BODY = Type.Object(
  {
    id: Type.String(),
    list: Type.Optional(LIST),
    some: Type.Optional(Type.Union([LIST, Type.Null()])),
    most: Type.Optional(COUNT),
    about: Type.Optional(Type.Union([Type.Object({ kind: Type.String() }, CLOSED), Type.Null()])),
    goals: Type.Optional(Type.Array(Type.Object({ goal: KINDS }))),
    labels: Type.Optional(Type.Partial(Type.Record(Type.Enum(["a", "b"]), Type.String(), CLOSED))),
  },
  CLOSED,
);
const FAULTS: [value: unknown, faults: string[]][] = [
  [{ id: "x", list: ["a"], most: null, about: null, goals: [] }, []],
  [5, [" must be an object"]],
  [
    { list: ["c", "b"], odd: 1 },
    ["id is required", "list[0] must be one of a, b", "odd is unknown"],
  ],
  [
    { id: "x", list: ["c", "c"] },
    [
      "list[0] must be one of a, b",
      "list[1] must be one of a, b",
      "list must not have duplicate entries",
    ],
  ],
  [{ id: "x", some: ["a", 5] }, ["some[1] must be one of a, b"]],
  [{ id: "x", some: 5 }, ["some must be a list, or null"]],
  [
    { id: 5, most: -1 },
    ["id must be a string", "most must be a whole number from 0 to 9, or null"],
  ],
  [{ id: "x", about: {} }, ["about.kind is required"]],
  [{ id: "x", about: 5 }, ["about must be an object, or null"]],
  [
    { id: "x", goals: [{ goal: { kind: "foo" } }] },
    ["goals[0].goal.kind must be one of games, wins"],
  ],
  [
    { id: "x", goals: [{ goal: {} }, {}] },
    ["goals[0].goal.kind is required", "goals[1].goal is required"],
  ],
  [
    { id: "x", goals: [{ goal: { kind: "wins", wins: 1, maps: 9 } }] },
    ["goals[0].goal.maps is unknown"],
  ],
  [{ id: "x", goals: [{ goal: 7 }] }, ["goals[0].goal must be an object"]],
  [{ id: "x", labels: { a: 5 } }, ["labels.a must be a string"]],
];
for (const [value, faults] of FAULTS)
  it(`finds the issues of ${JSON.stringify(value)}`, () => {
    const issues = validationIssues(BODY, value).map(({ path, problem }) => `${path} ${problem}`);
    assert.deepEqual(issues, faults);
  });
