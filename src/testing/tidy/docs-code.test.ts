import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";

import { Kysely, sql } from "kysely";
import { parse } from "yaml";

import { accountApi } from "#testing/fixtures/account-api.ts";
import { readDocPages } from "#testing/fixtures/doc-page.ts";
import { unavailableReason } from "#testing/fixtures/find-python.ts";
import { createTemporaryFolder } from "#testing/harness/test-server.ts";
import { openEmbeddedPostgres } from "#testing/store-contract/pglite.ts";

const run = promisify(execFile);
const folder = await createTemporaryFolder();
const pythonSkipReason = await unavailableReason("python3", ["--version"]);
after(() => folder.remove());

const blocks = readDocPages().flatMap((page) =>
  page.blocks.map((block, at) => ({ ...block, where: `${page.name}, block ${at + 1}` })),
);
const UNCHECKED_LANGUAGES = ["", "text", "json", "ini", "html"];

async function saveFile(text: string, extension: string): Promise<string> {
  const path = join(folder.path, `block.${extension}`);
  await writeFile(path, text);
  return path;
}

/** Each throws if a text isn't valid in its language. */
const CHECKS: Record<string, (text: string) => Promise<unknown>> = {
  js: async (text) => run(process.execPath, ["--check", await saveFile(text, "mjs")]),
  ts: async (text) => stripTypeScriptTypes(text),
  sh: async (text) => run("sh", ["-n", await saveFile(text, "sh")]),
  sql: runOnPostgres,
  yaml: async (text) => void parse(text),
};
const PYTHON = ["py", "python"];

async function runOnPostgres(text: string): Promise<void> {
  const server = await openEmbeddedPostgres();
  try {
    const database = new Kysely<object>({ dialect: server.dialect() });
    await sql.raw(text).execute(database);
  } finally {
    await server.close();
  }
}

/** Parsing doesn't import any packages. */
async function checkPython(text: string): Promise<void> {
  const path = await saveFile(text, "py");
  await run("python3", ["-c", `compile(open(${JSON.stringify(path)}).read(), "block", "exec")`]);
}

describe("code in the guides", () => {
  it("specifies a language that is checked, or none", () => {
    const languages = new Set(blocks.map(({ language }) => language));
    const knownLanguages = [...UNCHECKED_LANGUAGES, ...Object.keys(CHECKS), ...PYTHON];
    assert.deepEqual(
      [...languages].filter((language) => !knownLanguages.includes(language)),
      [],
    );
  });

  for (const [language, check] of Object.entries(CHECKS))
    it(`is valid ${language}`, async () => {
      for (const { text, where } of blocks.filter((block) => block.language === language))
        await assert.doesNotReject(check(text), where);
    });

  it("is valid Python", { skip: pythonSkipReason }, async () => {
    for (const { text, where } of blocks.filter(({ language }) => PYTHON.includes(language)))
      await assert.doesNotReject(checkPython(text), where);
  });

  it("calls only URLs that the server serves", async () => {
    const { app } = accountApi();
    let missingCheck = 0;
    for (const { text, where } of blocks.filter(({ language }) => language === "sh"))
      for (const [, path] of text.matchAll(
        /(?:http:\/\/localhost:7777|\$URL)(\/[\w./-]*\w)(?![\w/$])/g,
      )) {
        missingCheck += 1;
        const { headers } = await app.inject({ method: "TRACE", url: path! });
        const isPage = path!.startsWith("/match/");
        assert.ok(isPage || /GET|POST|PUT|DELETE/.test(String(headers.allow)), `${where}: ${path}`);
      }
    assert.ok(missingCheck >= 15, `only ${missingCheck} URLs`);
  });
});
