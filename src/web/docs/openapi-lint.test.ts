import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";

import spectral from "@stoplight/spectral-core";
import type { RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

import { hashToken } from "#data/credentials/token.ts";
import { accountApi } from "#testing/fixtures/account-api.ts";

type Problem = { ruleId: string; severity: string; message: string; location: object[] };
type Report = { totals: { errors: number; warnings: number }; problems: Problem[] };

const PACKAGE = fileURLToPath(import.meta.resolve("@redocly/cli/package.json"));
const LINTER = join(dirname(PACKAGE), "bin", "cli.js");
/** All recommended rules. Warnings count as errors. */
const CONFIG = "extends:\n  - recommended-strict\ntelemetry: off\n";
const QUIET_ENV = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "bout-lint-"));
  await writeFile(join(folder, "redocly.yaml"), CONFIG);
});
after(() => rm(folder, { recursive: true }));

async function lint(text: string): Promise<Report> {
  await writeFile(join(folder, "openapi.json"), text);
  const args = [LINTER, "lint", "openapi.json", "--config", "redocly.yaml", "--format", "json"];
  const env = { ...process.env, ...QUIET_ENV, HOME: folder };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) => {
      const start = stdout.indexOf("{");
      if (start < 0) reject(new Error(`no output from the linter: ${stderr}`, { cause: error }));
      else resolve(JSON.parse(stdout.slice(start)) as Report);
    });
  });
}

/** All of Spectral's recommended OpenAPI rules. Hints count as errors. */
async function lintBySpectral(text: string): Promise<(string | number)[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition], rules: {} });
  return (await linter.run(text)).map(({ code }) => code);
}

async function contractOf(registrationKeyHash: string | null): Promise<string> {
  const { app } = accountApi({ baseUrl: "https://bout.example.org", registrationKeyHash });
  return (await app.inject("/openapi.json")).body;
}

type Document = { paths: Record<string, object> };

const contract = await contractOf(null);
const { paths, ...publicContract } = JSON.parse(contract) as Document;
const withKey = withNewExamples(await contractOf(hashToken("let-me-in")));
/** The contract with only three of its paths, which is enough to detect a deliberate error. */
const part = JSON.stringify({
  ...publicContract,
  paths: Object.fromEntries(Object.entries(paths).slice(0, 3)),
});
const broken = part.replaceAll('"#/components/schemas/', '"#/components/schemas/No');
const untagged = part.replaceAll('"tags":', '"x-tags":');
assert.ok(broken !== part && untagged !== part);

/**
 * Removes the examples of unchanged paths from a modified contract, because linters spend most of
 * their time on examples.
 */
function withNewExamples(text: string): string {
  const document = JSON.parse(text) as Document;
  const operationsByPath = Object.entries(document.paths).map(([path, operations]) => [
    path,
    isDeepStrictEqual(operations, paths[path]) ? withoutExamples(operations) : operations,
  ]);
  return JSON.stringify({
    ...document,
    paths: Object.fromEntries(operationsByPath) as Document["paths"],
  });
}

function withoutExamples(operations: object): unknown {
  const strippedOperations = (key: string, value: unknown) =>
    /^examples?$/.test(key) ? undefined : value;
  return JSON.parse(JSON.stringify(operations, strippedOperations));
}

describe("Redocly's linter", () => {
  it("finds no errors or warnings in the contract", async () => {
    for (const text of [contract, withKey]) {
      const { totals, problems } = await lint(text);
      assert.deepEqual(problems, []);
      assert.deepEqual([totals.errors, totals.warnings], [0, 0]);
    }
  });

  it("detects deliberate errors in a contract", async () => {
    const { problems } = await lint(broken);
    assert.ok(problems.some(({ ruleId }) => ruleId === "no-unresolved-refs"));
  });
});

describe("Spectral", () => {
  it("reports no problems in the contract", async () => {
    for (const text of [contract, withKey]) assert.deepEqual(await lintBySpectral(text), []);
  });

  it("detects deliberate errors in a contract", async () => {
    assert.ok((await lintBySpectral(broken)).includes("invalid-ref"));
    assert.ok((await lintBySpectral(untagged)).includes("operation-tags"));
  });
});
