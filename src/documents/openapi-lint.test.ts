// The contract under a linter that knows nothing of how it was made: Redocly's, offline.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, it } from "node:test";
import { fileURLToPath } from "node:url";

import { testApi } from "#testing/test-api.ts";

type Problem = { ruleId: string; severity: string; message: string; location: object[] };
type Report = { totals: { errors: number; warnings: number }; problems: Problem[] };

const PACKAGE = fileURLToPath(import.meta.resolve("@redocly/cli/package.json"));
const LINTER = join(dirname(PACKAGE), "bin", "cli.js");
/** Every rule that it recommends, warnings being errors. */
const CONFIG = "extends:\n  - recommended-strict\ntelemetry: off\n";
const QUIET = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "bout-lint-"));
  await writeFile(join(folder, "redocly.yaml"), CONFIG);
});
after(() => rm(folder, { recursive: true }));

async function lint(text: string): Promise<Report> {
  await writeFile(join(folder, "openapi.json"), text);
  const args = [LINTER, "lint", "openapi.json", "--config", "redocly.yaml", "--format", "json"];
  const env = { ...process.env, ...QUIET, HOME: folder };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) => {
      const start = stdout.indexOf("{");
      if (start < 0) reject(new Error(`the linter said nothing: ${stderr}`, { cause: error }));
      else resolve(JSON.parse(stdout.slice(start)) as Report);
    });
  });
}

const { app } = testApi({ baseUrl: "https://bout.example.org" });
const contract = (await app.inject("/openapi.json")).body;

it("the contract has neither errors nor warnings", async () => {
  const { totals, problems } = await lint(contract);
  assert.deepEqual(problems, []);
  assert.deepEqual([totals.errors, totals.warnings], [0, 0]);
});

it("the linter finds what is wrong with a contract", async () => {
  const wrong = contract.replaceAll('"#/components/schemas/', '"#/components/schemas/No');
  assert.notEqual(wrong, contract);
  assert.ok((await lint(wrong)).problems.some(({ ruleId }) => ruleId === "no-unresolved-refs"));
});
