// Paths in the docs must exist, so moving a file requires updating the docs.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { ROOT } from "./sources.ts";

/** Excludes decisions, which describe the repository at the time of the decision. */
const PAGES = ["README.md", "ARCHITECTURE.md", "docs/*.md", "docs/development/*.md", "python/*.md"];

/**
 * A path relative to the repository root or to src, such as `src/core/engine/step.ts` or
 * `core/engine/step.ts`.
 */
const PATH =
  /`((?:src|scripts|bench|bin|base|core|data|adapters|live|site|web|server|tools|testing)\/[\w./*{},-]+)`/g;

const WINGS = /^(?:base|core|data|adapters|live|site|web|server|tools|testing)\//;

/** A path relative to the root, to src, or to the page's folder. */
const pathExists = (path: string, page = "README.md"): boolean =>
  [".", "src", dirname(page)].some(
    (folder) => globSync(join(folder, path), { cwd: ROOT }).length > 0,
  );

test("every path in the docs exists", () => {
  const pages = PAGES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
  const namedPaths = pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), "utf8");
    return [...text.matchAll(PATH)].map(([, path = ""]) => ({ page, path }));
  });
  assert.ok(namedPaths.length > 20, `only ${namedPaths.length} paths were found`);
  const missingPaths = namedPaths.filter(({ page, path }) => {
    const isFile = !WINGS.test(path) || /\.\w+$/.test(path);
    return isFile && !pathExists(path, page);
  });
  assert.deepEqual(missingPaths, []);
});

test("detects a missing path", () => {
  assert.ok(pathExists("core/engine/step.ts"));
  assert.ok(!pathExists("src/engine/step.ts"));
});
