import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { RULES } from "#engine/rules.ts";
import { BUCKET_BOUNDS } from "#engine/server-stats.ts";
import { FULL_PASS_VERSIONS } from "#judge/board.ts";
import { BUCKET_BOUNDS as HEALTH_BOUNDS } from "#ladder/version-health.ts";
import { ERRORS } from "#protocol/errors.ts";
import { ALWAYS_EXACT_VERSIONS } from "#verify/explanation.ts";

import { MAY_IMPORT, TEST_ROOMS, importsOf, untidy } from "./tidy.ts";
import type { Source } from "./tidy.ts";

const ROOT = join(fileURLToPath(import.meta.url), "..", "..", "..");

function sources(folder: string): Source[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(ROOT, file), text: readFileSync(file, "utf8") }));
}

const all = ["src", "bench", "scripts"].flatMap(sources);

test("rings, sizes and words are tidy everywhere", () => {
  assert.ok(all.length > 150, `only ${all.length} files were read`);
  const inSource = all.filter(({ path }) => path.startsWith("src/"));
  assert.deepEqual(inSource.flatMap(untidy), []);
});

const planted: [source: Source, problem: RegExp][] = [
  [
    { path: "src/engine/step.ts", text: 'import { x } from "#arena/match.ts";' },
    /may not import arena/,
  ],
  [
    { path: "src/protocol/print.ts", text: 'import { step } from "#engine/step.ts";' },
    /types.ts alone/,
  ],
  [{ path: "src/api/app.ts", text: 'import { x } from "../store/x.ts";' }, /address another room/],
  [{ path: "src/store/bot.ts", text: 'import { x } from "#store/x.ts";' }, /in this room/],
  [{ path: "src/attic/bot.ts", text: "" }, /no room/],
  [{ path: "src/rating/fit.ts", text: "x\n".repeat(500) }, /501 lines/],
  [{ path: "src/rating/fit.ts", text: `${"a + ".repeat(40)}b` }, /line 1 is/],
  [{ path: "src/rating/fit.ts", text: "const x = Math.random();" }, /draw from a seed/],
];

test("each planted violation is found", () => {
  for (const [source, problem] of planted) {
    const [first] = untidy(source);
    assert.match(first?.problem ?? "nothing found", problem);
  }
});

test("dynamic imports and re-exports count as imports", () => {
  const text =
    'export { a } from "#engine/a.ts";\nawait import("#engine/b.ts");\nimport "#engine/c.ts";';
  assert.deepEqual(importsOf(text), ["#engine/a.ts", "#engine/b.ts", "#engine/c.ts"]);
});

/** Everything that is imported, however far away, by some test. */
function reachedByTests(): ReadonlySet<string> {
  const texts = new Map(all.map(({ path, text }) => [path, text]));
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const text = texts.get(path);
    if (text === undefined || reached.has(path)) return;
    reached.add(path);
    for (const name of importsOf(text)) visit(pathOf(path, name));
  };
  for (const { path } of all) if (path.endsWith(".test.ts")) visit(path);
  return reached;
}

/** The file that a module name means; packages have none here. */
function pathOf(importer: string, name: string): string {
  return name.startsWith("#") ? `src/${name.slice(1)}` : join(importer, "..", name);
}

test("every file of rings 0 and 1 is reached by a test", () => {
  const reached = reachedByTests();
  const pure = all.filter(({ path }) =>
    /^src\/(engine|rating|pairing|protocol|ladder)\//.test(path),
  );
  assert.deepEqual(
    pure.map(({ path }) => path).filter((path) => !reached.has(path)),
    [],
  );
});

test("every room of the table exists, and every folder is a room", () => {
  const folders = readdirSync(join(ROOT, "src")).toSorted();
  assert.deepEqual(folders, [...Object.keys(MAY_IMPORT), ...TEST_ROOMS].toSorted());
});

test("every error code stands in the docs, and the docs name no other", () => {
  const text = readFileSync(join(ROOT, "docs", "errors.md"), "utf8");
  const documented = [...text.matchAll(/^\|\s*`([a-z_]+)`/gm)].map(([, code]) => code);
  assert.deepEqual(documented.toSorted(), Object.keys(ERRORS).toSorted());
});

test("what the pure rooms hold as rules is what the table of limits reports", () => {
  assert.equal(RULES.shout.max_length, 40);
});

test("facts that two rooms hold for themselves are the same in both", () => {
  assert.deepEqual(HEALTH_BOUNDS, BUCKET_BOUNDS);
  assert.equal(ALWAYS_EXACT_VERSIONS, FULL_PASS_VERSIONS);
});
