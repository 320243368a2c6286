import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { test } from "node:test";

import { RULES } from "#core/engine/rules.ts";
import { ERRORS } from "#core/protocol/errors.ts";
import { FULL_PASS_VERSIONS } from "#live/matchmaker/board.ts";
import { ALWAYS_EXACT_VERSIONS } from "#tools/verify/explanation.ts";

import { circles, drawWings } from "./graph.ts";
import { homonyms, untidy } from "./sizes.ts";
import { ROOT, readSources } from "./sources.ts";
import {
  crowdedRooms,
  importsOf,
  misnamedModules,
  moduleNames,
  strayImports,
  strayRooms,
  unusedAllowances,
} from "./wings.ts";
import type { SourceFile } from "./wings.ts";

const all = readSources();
const imports = importsOf(all);

test("every import is one that the table of wings allows, and no wing imports one above it", (t) => {
  assert.ok(all.length > 600, `only ${all.length} files were read`);
  assert.deepEqual(strayImports(imports), []);
  for (const line of drawWings(imports).split("\n")) t.diagnostic(line);
});

test("every allowance of the table is used", () => {
  assert.deepEqual(unusedAllowances(imports), []);
});

test("no files import each other in a circle, types included", () => {
  assert.deepEqual(circles(imports), []);
});

test("every folder is a room of the table, and none is crowded", () => {
  assert.deepEqual(strayRooms(all), []);
  assert.deepEqual(crowdedRooms(all), []);
});

test("sizes, words and addresses are tidy everywhere", () => {
  assert.deepEqual(all.flatMap(untidy), []);
  assert.deepEqual(all.flatMap(misnamedModules), []);
});

test("one exported type name is declared in one file", () => {
  assert.deepEqual(homonyms(all), []);
});

type Check = (sources: SourceFile[]) => string[];
const borders: Check = (sources) => strayImports(importsOf(sources));
const planted: [name: string, check: Check, sources: [path: string, text: string][], RegExp][] = [
  [
    "core imports live",
    borders,
    [["src/core/engine/step.ts", 'import { x } from "#live/match/match.ts";']],
    /step.ts imports src\/live\/match\/match.ts/,
  ],
  [
    "a room of core imports a later one",
    borders,
    [["src/core/rating/fit.ts", 'import type { X } from "#core/ladder/season.ts";']],
    /a later room/,
  ],
  [
    "web opens a database",
    borders,
    [["src/web/bots/bot.ts", 'await import("#data/sqlite/sqlite.ts");']],
    /bot.ts imports src\/data\/sqlite/,
  ],
  [
    "web looks behind the face of the arena",
    borders,
    [["src/web/bots/bot.ts", 'import type { X } from "#live/arena/session.ts";']],
    /session.ts/,
  ],
  [
    "a worker of another wing",
    borders,
    [["src/data/store/bot.ts", 'new URL("../../live/house/house-worker.ts", import.meta.url)']],
    /house-worker/,
  ],
  [
    "a circle of types",
    (sources) => circles(importsOf(sources)).map(String),
    [
      ["src/live/arena/a.ts", 'import type { B } from "./b.ts";'],
      ["src/live/arena/b.ts", 'import type { A } from "./a.ts";'],
    ],
    /a.ts,src\/live\/arena\/b.ts/,
  ],
  ["an unknown room", strayRooms, [["src/attic/box/bot.ts", ""]], /attic\/box is no room/],
  [
    "a name with two meanings",
    homonyms,
    [
      ["src/core/rating/a.ts", "export type Scope = 1;"],
      ["src/core/ladder/b.ts", "export type Scope = 2;"],
    ],
    /Scope: src\/core\/rating\/a.ts, src\/core\/ladder\/b.ts/,
  ],
  [
    "a crowded room",
    crowdedRooms,
    Array.from({ length: 26 }, (_, at) => [`src/web/api/f${at}.ts`, ""] as [string, string]),
    /26 files/,
  ],
  [
    "a room addressed from within",
    (sources) => sources.flatMap(misnamedModules),
    [["src/data/store/bot.ts", 'import { x } from "#data/store/x.ts";']],
    /import .\/x.ts/,
  ],
  [
    "a way up and down again",
    (sources) => sources.flatMap(untidy),
    [["src/web/api/app.ts", 'import { x } from "../store/x.ts";']],
    /address another room/,
  ],
  [
    "a long file",
    (sources) => sources.flatMap(untidy),
    [["src/core/rating/fit.ts", "\n".repeat(500)]],
    /501 lines/,
  ],
  [
    "a long line",
    (sources) => sources.flatMap(untidy),
    [["src/core/rating/fit.ts", `${"a + ".repeat(40)}b`]],
    /line 1 is/,
  ],
  [
    "chance of its own",
    (sources) => sources.flatMap(untidy),
    [["src/core/rating/fit.ts", "const x = Math.random();"]],
    /draw from a seed/,
  ],
];

for (const [name, check, sources, problem] of planted)
  test(`is found when planted: ${name}`, () => {
    const lines = check(sources.map(([path, text]) => ({ path, text })));
    assert.match(lines.join("\n"), problem);
  });

test("dynamic imports, re-exports and addresses of workers count as imports", () => {
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

/** Everything imported by a test, directly or indirectly. */
function reachedByTests(): ReadonlySet<string> {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { to } of targets.get(path) ?? []) visit(to);
  };
  for (const { path } of all) if (path.endsWith(".test.ts")) visit(path);
  return reached;
}

const HARNESS = "src/testing/harness/test-server.ts";

test("tests and benches start servers by the harness alone, which names their accounts", () => {
  const importers = (path: string) =>
    new Set(imports.filter(({ to }) => to === path).map(({ from }) => from));
  assert.deepEqual(
    importers("src/server/composition/serve.ts"),
    new Set([HARNESS, "src/tools/cli/serve.ts"]),
  );
  const runners = importers("bin/bout.ts");
  const serving = all.filter(({ path, text }) => runners.has(path) && text.includes('"serve"'));
  assert.deepEqual(
    serving.map(({ path }) => path),
    [HARNESS],
  );
});

test("every file of the core is reached by a test", () => {
  const reached = reachedByTests();
  const missed = all.filter(({ path }) => path.startsWith("src/core/") && !reached.has(path));
  assert.deepEqual(
    missed.map(({ path }) => path),
    [],
  );
});

type Project = { include: string[]; exclude: string[] };
const projectOf = (file: string) => JSON.parse(readFileSync(join(ROOT, file), "utf8")) as Project;
const PROJECTS = ["tsconfig.core.json", "tsconfig.site.json", "tsconfig.rest.json"].map(projectOf);

test("every TypeScript file is in exactly one project of the compiler", () => {
  const isIn =
    (path: string) =>
    ({ include, exclude }: Project) =>
      include.some((glob) => matchesGlob(path, glob)) &&
      !exclude.some((glob) => matchesGlob(path, glob));
  const counted = all.map(({ path }) => [path, PROJECTS.filter(isIn(path)).length] as const);
  assert.deepEqual(
    counted.filter(([, count]) => count !== 1),
    [],
  );
});

test("what must be pure is one list: the compiler's, and lint's is the same", () => {
  const lint = JSON.parse(readFileSync(join(ROOT, ".oxlintrc.json"), "utf8")) as {
    overrides: { files: string[]; rules: Record<string, unknown> }[];
  };
  const pure = lint.overrides.find(({ rules }) => Array.isArray(rules["no-restricted-globals"]));
  assert.deepEqual(pure?.files, PROJECTS[0]?.include);
});

test("every error code stands in the docs, and the docs name no other", () => {
  const text = readFileSync(join(ROOT, "docs", "errors.md"), "utf8");
  const documented = [...text.matchAll(/^\|\s*`([a-z_]+)`/gm)].map(([, code]) => code);
  assert.deepEqual(documented.toSorted(), Object.keys(ERRORS).toSorted());
});

test("the rules hold what the contract says of shouts", () => {
  assert.equal(RULES.shout.max_length, 40);
});

test("facts that two rooms state separately are the same in both", () => {
  assert.equal(ALWAYS_EXACT_VERSIONS, FULL_PASS_VERSIONS);
});
