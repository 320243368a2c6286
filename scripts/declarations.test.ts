import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { rollUpDeclarations } from "./declarations.ts";

const INDEX_MODULE = `export { go } from "./go.ts";
export type { Way as Path } from "#base/way.ts";
`;
const ENTRY_MODULE = `import type { Way } from "#base/way.ts";
type Options = {
    way: Way;
};
/** Goes. */
export declare function go(options: Options): Way;
export declare function rest(): void;
export {};
`;
const BASE_MODULE = `/** A way, with no Word of it. */
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
  new Map(
    Object.entries({
      "a/index.ts": INDEX_MODULE,
      "a/go.ts": ENTRY_MODULE,
      "base/way.ts": BASE_MODULE,
      ...changes,
    }),
  );

describe("rolled-up declarations", () => {
  it("contain the exports and their dependencies, with comments and aliases", () => {
    assert.equal(
      rollUpDeclarations(modules(), "a/index.ts"),
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

  const expectErrors: [what: string, changes: Record<string, string>, problem: RegExp][] = [
    [
      "two of one name",
      {
        "base/way.ts": BASE_MODULE.replace("typeof MARKS", "Options").concat("type Options = 1;\n"),
      },
      /both declare Options/,
    ],
    ["an export of nothing", { "a/go.ts": "export {};\n" }, /a\/go\.ts declares no go/],
    [
      "a missing module",
      { "a/index.ts": INDEX_MODULE.replace("./go.ts", "./gone.ts") },
      /no declarations of a\/gone\.ts/,
    ],
    [
      "a type that is imported in place",
      { "a/go.ts": ENTRY_MODULE.replace(": Way;\n}", ': import("#base/way.ts").Way;\n}') },
      /needs a name to import/,
    ],
    [
      "a form of statement that it does not know",
      { "base/way.ts": `${BASE_MODULE}export default Way;\n` },
      /unsupported statement: export default/,
    ],
    [
      "all of another module",
      { "a/index.ts": 'export * from "./go.ts";\n' },
      /unsupported statement: export \*/,
    ],
  ];
  for (const [description, changes, problem] of expectErrors)
    it(`rejects ${description}`, () => {
      assert.throws(() => rollUpDeclarations(modules(changes), "a/index.ts"), problem);
    });
});
