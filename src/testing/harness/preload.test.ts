import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { temporaryTestFolder } from "./bout-process.ts";

const PRELOAD = join(import.meta.dirname, "preload.ts");
const folder = temporaryTestFolder();

const IMPORTS =
  'import { executionAsyncId } from "node:async_hooks"; import { test } from "node:test";';
const PASSING = 'test("another", async () => { await new Promise((go) => setTimeout(go, 50)); });';
const testBodies: [name: string, body: string, code: number][] = [
  ["no error", "await null;", 0],
  ["a fault", "await null; throw new Error('seen');", 1],
  ["an unhandled rejection", "void Promise.reject(new Error('stray'));", 1],
  ["a timer error after its end", "setTimeout(() => { throw new Error('stray'); }, 5);", 1],
  ["no tracked promise", "await null; if (executionAsyncId() > 0) throw 1;", 0],
];
const ENDLESS = "process.on('SIGTERM', () => {}); setInterval(() => {}, 5);";

/** Writes a test file with this text and runs it under the test runner. Returns its exit code. */
async function runFile(name: string, text: string, variables = {}): Promise<unknown> {
  const file = join(folder, name);
  await writeFile(file, text);
  const { NODE_TEST_CONTEXT: _, ...inheritedEnv } = process.env;
  const env = { ...inheritedEnv, ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, ["--import", PRELOAD, file], { env }, (error) =>
      resolve(error?.code ?? 0),
    );
  });
}

for (const [at, [name, body, expected]] of testBodies.entries())
  test(`a test file with ${name} ${expected === 0 ? "passes" : "fails"}`, async () => {
    const text = `${IMPORTS} test("one", async () => { ${body} }); ${PASSING}`;
    assert.equal(await runFile(`${at}.test.mjs`, text), expected);
  });

test("stops a test file that never ends and ignores SIGTERM", async () => {
  const text = `${IMPORTS} ${ENDLESS} ${PASSING}`;
  assert.equal(await runFile("endless.test.mjs", text, { TEST_FILE_LONGEST_MS: "1000" }), 1);
});
