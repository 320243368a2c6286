// The code that the guides show: every block is of its language, every address in it is served.
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
import { docPages } from "#testing/fixtures/doc-page.ts";
import { reasonAgainst } from "#testing/fixtures/python.ts";
import { temporaryFolder } from "#testing/harness/test-server.ts";
import { openEmbeddedPostgres } from "#testing/store-cases/pglite.ts";

const run = promisify(execFile);
const folder = await temporaryFolder();
const noPython = await reasonAgainst("python3", ["--version"]);
after(() => folder.remove());

const blocks = docPages().flatMap((page) =>
  page.blocks.map((block, at) => ({ ...block, where: `${page.name}, block ${at + 1}` })),
);
/** Languages that are not run: drawings, outputs, files of other programs. */
const NO_CODE = ["", "text", "json", "ini", "html"];

async function saved(text: string, extension: string): Promise<string> {
  const path = join(folder.path, `block.${extension}`);
  await writeFile(path, text);
  return path;
}

/** Throws if a text is not in the language. */
const CHECKS: Record<string, (text: string) => Promise<unknown>> = {
  js: async (text) => run(process.execPath, ["--check", await saved(text, "mjs")]),
  ts: async (text) => stripTypeScriptTypes(text),
  sh: async (text) => run("sh", ["-n", await saved(text, "sh")]),
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

/** Parsing needs no package. */
async function checkPython(text: string): Promise<void> {
  const path = await saved(text, "py");
  await run("python3", ["-c", `compile(open(${JSON.stringify(path)}).read(), "block", "exec")`]);
}

describe("code in the guides", () => {
  it("is of a language that is checked, or of none", () => {
    const languages = new Set(blocks.map(({ language }) => language));
    const known = [...NO_CODE, ...Object.keys(CHECKS), ...PYTHON];
    assert.deepEqual(
      [...languages].filter((language) => !known.includes(language)),
      [],
    );
  });

  for (const [language, check] of Object.entries(CHECKS))
    it(`is ${language} where it says so`, async () => {
      for (const { text, where } of blocks.filter((block) => block.language === language))
        await assert.doesNotReject(check(text), where);
    });

  it("is Python where it says so", { skip: noPython }, async () => {
    for (const { text, where } of blocks.filter(({ language }) => PYTHON.includes(language)))
      await assert.doesNotReject(checkPython(text), where);
  });

  it("asks for addresses that are served", async () => {
    const { app } = accountApi();
    let found = 0;
    for (const { text, where } of blocks.filter(({ language }) => language === "sh"))
      for (const [, path] of text.matchAll(
        /(?:http:\/\/localhost:7777|\$URL)(\/[\w./-]*\w)(?![\w/$])/g,
      )) {
        found += 1;
        const { headers } = await app.inject({ method: "TRACE", url: path! });
        const isPage = path!.startsWith("/match/");
        assert.ok(isPage || /GET|POST|PUT|DELETE/.test(String(headers.allow)), `${where}: ${path}`);
      }
    assert.ok(found >= 15, `only ${found} addresses`);
  });
});
