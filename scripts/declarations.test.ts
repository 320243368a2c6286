import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { rollUp } from "./declarations.ts";

const INDEX = `export { go } from "./go.ts";
export type { Way as Path } from "#base/way.ts";
`;
const GO = `import type { Way } from "#base/way.ts";
type Options = {
    way: Way;
};
/** Goes. */
export declare function go(options: Options): Way;
export declare function rest(): void;
export {};
`;
const WAY = `/** A way, with no Word of it. */
export type Way = {
    /** How many, see Unused. */
    steps: number;
} & {
    mark: typeof MARKS;
};
export declare const MARKS: readonly ["x"];
type Word = string;
type Unused = number;
export {};
`;

const modules = (changes: Record<string, string> = {}) =>
  new Map(Object.entries({ "a/index.ts": INDEX, "a/go.ts": GO, "base/way.ts": WAY, ...changes }));

describe("rolled up declarations", () => {
  it("are what is exported and what that needs, with its comments and new names", () => {
    assert.equal(
      rollUp(modules(), "a/index.ts"),
      `/** Goes. */
declare function go(options: Options): Way;

type Options = {
    way: Way;
};

/** A way, with no Word of it. */
type Way = {
    /** How many, see Unused. */
    steps: number;
} & {
    mark: typeof MARKS;
};

declare const MARKS: readonly ["x"];

export {
  go,
  type Way as Path,
};
`,
    );
  });

  const refused: [what: string, changes: Record<string, string>, problem: RegExp][] = [
    [
      "two of one name",
      { "base/way.ts": WAY.replace("typeof MARKS", "Options").concat("type Options = 1;\n") },
      /both declare Options/,
    ],
    ["an export of nothing", { "a/go.ts": "export {};\n" }, /a\/go\.ts declares no go/],
    [
      "a missing module",
      { "a/index.ts": INDEX.replace("./go.ts", "./gone.ts") },
      /no declarations of a\/gone\.ts/,
    ],
    [
      "a type that is imported in place",
      { "a/go.ts": GO.replace(": Way;\n}", ': import("#base/way.ts").Way;\n}') },
      /needs a name to import/,
    ],
    [
      "a form of statement that it does not know",
      { "base/way.ts": `${WAY}export default Way;\n` },
      /statement of its own: export default/,
    ],
    [
      "all of another module",
      { "a/index.ts": 'export * from "./go.ts";\n' },
      /statement of its own: export \*/,
    ],
  ];
  for (const [what, changes, problem] of refused)
    it(`are refused with ${what}`, () => {
      assert.throws(() => rollUp(modules(changes), "a/index.ts"), problem);
    });
});
