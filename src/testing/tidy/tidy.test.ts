import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { test } from "node:test";

import { RULES } from "#core/engine/rules.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import { FULL_PASS_VERSIONS } from "#live/matchmaker/board-page.ts";
import { ALWAYS_EXACT_VERSIONS } from "#tools/verify/explanation.ts";

import { findCycles, formatWings } from "./graph.ts";
import { findHomonyms, findUntidy } from "./sizes.ts";
import { ROOT, readSources } from "./sources.ts";
import {
  collectImports,
  findMisnamedModules,
  moduleNames,
  findStrayImports,
  findStrayRooms,
  findUnusedAllowances,
} from "./wings.ts";
import type { SourceFile } from "./wings.ts";

const all = readSources();
const imports = collectImports(all);

test("the table of wings allows every import, and no wing imports from a wing above it", (t) => {
  assert.ok(all.length > 600, `only ${all.length} files were read`);
  assert.deepEqual(findStrayImports(imports), []);
  for (const line of formatWings(imports).split("\n")) t.diagnostic(line);
});

test("every import that the table allows is used", () => {
  assert.deepEqual(findUnusedAllowances(imports), []);
});

test("there are no import cycles, including type imports", () => {
  assert.deepEqual(findCycles(imports), []);
});

test("every folder is listed as a room in the table", () => {
  assert.deepEqual(findStrayRooms(all), []);
});

test("sizes, words and import paths follow the rules", () => {
  assert.deepEqual(all.flatMap(findUntidy), []);
  assert.deepEqual(all.flatMap(findMisnamedModules), []);
});

test("no two files export the same name", () => {
  assert.deepEqual(findHomonyms(all), []);
});

type Check = (sources: SourceFile[]) => string[];
const checkBorders: Check = (sources) => findStrayImports(collectImports(sources));
const plantedProblems: [
  name: string,
  check: Check,
  sources: [path: string, text: string][],
  RegExp,
][] = [
  [
    "core imports live",
    checkBorders,
    [["src/core/engine/step.ts", 'import { x } from "#live/match/match.ts";']],
    /step.ts imports src\/live\/match\/match.ts/,
  ],
  [
    "a room of core imports a later one",
    checkBorders,
    [["src/core/rating/fit.ts", 'import type { X } from "#core/ladder/season.ts";']],
    /a later room/,
  ],
  [
    "web opens a database",
    checkBorders,
    [["src/web/bots/bot.ts", 'await import("#data/sqlite/sqlite.ts");']],
    /bot.ts imports src\/data\/sqlite/,
  ],
  [
    "web imports internals of the arena",
    checkBorders,
    [["src/web/bots/bot.ts", 'import type { X } from "#live/arena/session.ts";']],
    /session.ts/,
  ],
  [
    "a worker of another wing",
    checkBorders,
    [["src/data/store/bot.ts", 'new URL("../../live/house/house-worker.ts", import.meta.url)']],
    /house-worker/,
  ],
  [
    "a cycle of type imports",
    (sources) => findCycles(collectImports(sources)).map(String),
    [
      ["src/live/arena/a.ts", 'import type { B } from "./b.ts";'],
      ["src/live/arena/b.ts", 'import type { A } from "./a.ts";'],
    ],
    /a.ts,src\/live\/arena\/b.ts/,
  ],
  ["an unknown room", findStrayRooms, [["src/attic/box/bot.ts", ""]], /attic\/box is not a room/],
  [
    "a type name with two meanings",
    findHomonyms,
    [
      ["src/core/rating/a.ts", "export type Scope = 1;"],
      ["src/core/ladder/b.ts", "export type Scope = 2;"],
    ],
    /Scope: src\/core\/rating\/a.ts, src\/core\/ladder\/b.ts/,
  ],
  [
    "a room that addresses its own file by full path",
    (sources) => sources.flatMap(findMisnamedModules),
    [["src/data/store/bot.ts", 'import { x } from "#data/store/x.ts";']],
    /import .\/x.ts/,
  ],
  [
    "a relative path into another room",
    (sources) => sources.flatMap(findUntidy),
    [["src/web/api/app.ts", 'import { x } from "../store/x.ts";']],
    /import from another room/,
  ],
  [
    "a long file",
    (sources) => sources.flatMap(findUntidy),
    [["src/core/rating/fit.ts", "\n".repeat(500)]],
    /501 lines/,
  ],
  [
    "a long line",
    (sources) => sources.flatMap(findUntidy),
    [["src/core/rating/fit.ts", `${"a + ".repeat(40)}b`]],
    /line 1 is/,
  ],
  [
    "unseeded randomness",
    (sources) => sources.flatMap(findUntidy),
    [["src/core/rating/fit.ts", "const x = Math.random();"]],
    /draw from a seed/,
  ],
];

for (const [name, check, sources, problem] of plantedProblems)
  test(`detects: ${name}`, () => {
    const lines = check(sources.map(([path, text]) => ({ path, text })));
    assert.match(lines.join("\n"), problem);
  });

test("counts dynamic imports, re-exports and worker URLs as imports", () => {
  const text = [
    'export { a } from "#core/engine/a.ts";',
    'await import("#core/engine/b.ts");',
    'import "#core/engine/c.ts";',
    'new URL("./d-worker.ts", import.meta.url)',
    'import.meta.resolve("#core/engine/e.ts")',
  ].join("\n");
  const names = moduleNames(text).map((name) => name.replace(/^.*\//, ""));
  assert.deepEqual(names.toSorted(), ["a.ts", "b.ts", "c.ts", "d-worker.ts", "e.ts"]);
});

function collectTestedFiles(): ReadonlySet<string> {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const reachedFiles = new Set<string>();
  const visit = (path: string): void => {
    if (reachedFiles.has(path)) return;
    reachedFiles.add(path);
    for (const { to } of targets.get(path) ?? []) visit(to);
  };
  for (const { path } of all) if (path.endsWith(".test.ts")) visit(path);
  return reachedFiles;
}

const HARNESS = "src/testing/harness/test-server.ts";

test("tests and benchmarks start servers only through the harness, which configures their accounts", () => {
  const importers = (path: string) =>
    new Set(imports.filter(({ to }) => to === path).map(({ from }) => from));
  assert.deepEqual(
    importers("src/server/composition/serve.ts"),
    new Set([HARNESS, "src/tools/cli/serve.ts"]),
  );
  const runners = importers("bin/bout.ts");
  const servingTests = all.filter(
    ({ path, text }) => runners.has(path) && text.includes('"serve"'),
  );
  assert.deepEqual(
    servingTests.map(({ path }) => path),
    [HARNESS],
  );
});

test("tests reach every file of the core", () => {
  const reachedFiles = collectTestedFiles();
  const missedFiles = all.filter(
    ({ path }) => path.startsWith("src/core/") && !reachedFiles.has(path),
  );
  assert.deepEqual(
    missedFiles.map(({ path }) => path),
    [],
  );
});

type Project = { include: string[]; exclude: string[] };
const projectOf = (file: string) => JSON.parse(readFileSync(join(ROOT, file), "utf8")) as Project;
const PROJECTS = ["tsconfig.core.json", "tsconfig.site.json", "tsconfig.rest.json"].map(projectOf);

test("every TypeScript file belongs to exactly one compiler project", () => {
  const isIn =
    (path: string) =>
    ({ include, exclude }: Project) =>
      include.some((glob) => matchesGlob(path, glob)) &&
      !exclude.some((glob) => matchesGlob(path, glob));
  const countedFiles = all.map(({ path }) => [path, PROJECTS.filter(isIn(path)).length] as const);
  assert.deepEqual(
    countedFiles.filter(([, count]) => count !== 1),
    [],
  );
});

test("the compiler and the linter use the same list of pure files", () => {
  const lint = JSON.parse(readFileSync(join(ROOT, ".oxlintrc.json"), "utf8")) as {
    overrides: { files: string[]; rules: Record<string, unknown> }[];
  };
  const pureRules = lint.overrides.find(({ rules }) =>
    Array.isArray(rules["no-restricted-globals"]),
  );
  assert.deepEqual(pureRules?.files, PROJECTS[0]?.include);
});

test("the docs list exactly the known error codes", () => {
  const text = readFileSync(join(ROOT, "docs", "errors.md"), "utf8");
  const documented = [...text.matchAll(/^\|\s*`([a-z_]+)`/gm)].map(([, code]) => code);
  assert.deepEqual(documented.toSorted(), Object.keys(ERROR_CATALOGUE).toSorted());
});

test("the rules and the API contract have the same maximum shout length", () => {
  assert.equal(RULES.shout.max_length, 40);
});

test("constants that are defined in two rooms are equal", () => {
  assert.equal(ALWAYS_EXACT_VERSIONS, FULL_PASS_VERSIONS);
});
