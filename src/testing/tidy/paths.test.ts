// Paths named in documents exist, so a file that moves takes its mentions along.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { ROOT } from "./sources.ts";

/** Decisions are excluded: they describe the day on which they were made. */
const PAGES = ["README.md", "ARCHITECTURE.md", "docs/*.md", "docs/development/*.md", "python/*.md"];

/** A path in the repository or in a wing: `src/core/engine/step.ts`, `core/engine/step.ts`. */
const PATH =
  /`((?:src|scripts|bench|bin|base|core|data|live|site|web|server|tools|testing)\/[\w./*{},-]+)`/g;

const WINGS = /^(?:base|core|data|live|site|web|server|tools|testing)\//;

/** Relative to the root, to src, or to the page's folder. */
const isThere = (path: string, page = "README.md"): boolean =>
  [".", "src", dirname(page)].some(
    (folder) => globSync(join(folder, path), { cwd: ROOT }).length > 0,
  );

test("every path that a document names exists", () => {
  const pages = PAGES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
  const named = pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), "utf8");
    return [...text.matchAll(PATH)].map(([, path = ""]) => ({ page, path }));
  });
  assert.ok(named.length > 20, `only ${named.length} paths were found`);
  const missing = named.filter(({ page, path }) => {
    const isFile = !WINGS.test(path) || /\.\w+$/.test(path);
    return isFile && !isThere(path, page);
  });
  assert.deepEqual(missing, []);
});

test("a missing path is noticed", () => {
  assert.ok(isThere("core/engine/step.ts"));
  assert.ok(!isThere("src/engine/step.ts"));
});
