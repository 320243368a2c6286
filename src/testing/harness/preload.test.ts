import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { temporaryFolder } from "#testing/harness/bout-process.ts";

const PRELOAD = join(import.meta.dirname, "preload.ts");
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
const ENDLESS = "process.on('SIGTERM', () => {}); setInterval(() => {}, 5);";

/** Runs a test file with this text under the runner, and returns the code of its exit. */
async function codeOf(name: string, text: string, variables = {}): Promise<unknown> {
  const file = join(folder, name);
  await writeFile(file, text);
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, ["--import", PRELOAD, file], { env }, (error) =>
      resolve(error?.code ?? 0),
    );
  });
}

for (const [at, [name, body, expected]] of bodies.entries())
  test(`a test file with ${name} ${expected === 0 ? "passes" : "fails"}`, async () => {
    const text = `${IMPORTS} test("one", async () => { ${body} }); ${PASSING}`;
    assert.equal(await codeOf(`${at}.test.mjs`, text), expected);
  });

test("a test file that never ends and does not hear SIGTERM is ended", async () => {
  const text = `${IMPORTS} ${ENDLESS} ${PASSING}`;
  assert.equal(await codeOf("endless.test.mjs", text, { TEST_FILE_LONGEST_MS: "1000" }), 1);
});
