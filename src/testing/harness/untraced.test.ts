import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { temporaryFolder } from "#testing/harness/bout-process.ts";

const UNTRACED = join(import.meta.dirname, "untraced.ts");
const folder = temporaryFolder();

const IMPORTS =
  'import { executionAsyncId } from "node:async_hooks"; import { test } from "node:test";';
const PASSING = 'test("another", async () => { await new Promise((go) => setTimeout(go, 50)); });';
const bodies: [name: string, body: string, code: number][] = [
  ["no fault", "await null;", 0],
  ["a fault", "await null; throw new Error('seen');", 1],
  ["a rejection that nobody awaits", "void Promise.reject(new Error('stray'));", 1],
  ["an error of a timer after the end", "setTimeout(() => { throw new Error('stray'); }, 5);", 1],
  ["no promise that is followed", "await null; if (executionAsyncId() > 0) throw 1;", 0],
];
for (const [at, [name, body, expected]] of bodies.entries())
  test(`a test file with ${name} ${expected === 0 ? "passes" : "fails"}`, async () => {
    const file = join(folder, `${at}.test.mjs`);
    await writeFile(file, `${IMPORTS} test("one", async () => { ${body} }); ${PASSING}`);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const code = await new Promise((resolve) => {
      execFile(process.execPath, ["--import", UNTRACED, "--test", file], { env }, (error) =>
        resolve(error?.code ?? 0),
      );
    });
    assert.equal(code, expected);
  });
