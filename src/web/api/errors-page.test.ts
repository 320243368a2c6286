import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";

import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

type Answers = Record<string, { content?: Record<string, { examples?: object }> }>;
type Contract = { paths: Record<string, Record<string, { responses: Answers }>> };

const PAGE = new URL("../../../docs/errors.md", import.meta.url);

const page = readFileSync(PAGE, "utf8");

it("documents every code with its statuses and close code, and no other code", () => {
  const rows = page.matchAll(/^\| `(\w+)` \| ([^|]+) \| (\S+) \|/gm);
  const documented = [...rows].map(([, code, status, close]) => [code, status, close]);
  const catalogue = Object.entries(ERROR_CATALOGUE).map(([code, entry]) => {
    const {
      status = "-",
      otherStatuses = [],
      close = "-",
    } = entry as { status?: number; otherStatuses?: number[]; close?: number };
    return [code, [status, ...otherStatuses].join(", "), close];
  });
  assert.deepEqual(documented.map(String).toSorted(), catalogue.map(String).toSorted());
  assert.ok(
    documented.some(([code, statuses]) => `${code} ${statuses}` === "account_banned 403, 409"),
  );
});

it("documents every status of errors without a code", async () => {
  const { paths } = (await testApi().app.inject("/openapi.json")).json<Contract>();
  const bareStatuses = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status, { content }]) => status >= "400" && !content?.["application/json"]?.examples)
    .map(([status]) => status);
  const documented = [...page.matchAll(/^\| (\d{3}) \|/gm)].map(([, status]) => status);
  assert.deepEqual(documented, documented.toSorted());
  assert.ok(new Set(bareStatuses).isSubsetOf(new Set(documented)), `${bareStatuses}`);
  assert.ok(bareStatuses.includes("404") && bareStatuses.includes("500"));
});

const NUMBERS: [text: string, limits: number[]][] = [
  // Configurable limits appear without a number.
  [ERROR_CATALOGUE.rate_limited.text, []],
  [ERROR_CATALOGUE.version_limit.text, [24]],
  [ERROR_CATALOGUE.invalid_bot.text, [DEFAULT_LIMITS.bot_name_min, DEFAULT_LIMITS.bot_name_max]],
  [ERROR_CATALOGUE.invalid_handle.text, [1, DEFAULT_LIMITS.owner_max]],
  [ERROR_CATALOGUE.invalid_version.text, [1, DEFAULT_LIMITS.version_label_max]],
];
it("takes the values of fixed limits from the limit table", () => {
  for (const [text, limits] of NUMBERS) {
    const numbers = text.match(/\b(?<![a-zA-Z]-|0-)\d+\b(?!-9)/g) ?? [];
    assert.deepEqual(numbers.map(Number), limits, text);
  }
});
