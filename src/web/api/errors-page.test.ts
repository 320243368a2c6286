import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";

import { ERRORS } from "#core/protocol/errors.ts";
import { LIMITS } from "#core/words/limits.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

type Answers = Record<string, { content?: Record<string, { examples?: object }> }>;
type Contract = { paths: Record<string, Record<string, { responses: Answers }>> };

const PAGE = new URL("../../../docs/errors.md", import.meta.url);

const page = readFileSync(PAGE, "utf8");

it("documents every code with its statuses and close code, and no other", () => {
  const rows = page.matchAll(/^\| `(\w+)` \| ([^|]+) \| (\S+) \|/gm);
  const documented = [...rows].map(([, code, status, close]) => [code, status, close]);
  const catalogue = Object.entries(ERRORS).map(([code, entry]) => {
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

it("documents every status with which a route refuses without a code", async () => {
  const { paths } = (await testApi().app.inject("/openapi.json")).json<Contract>();
  const bare = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status, { content }]) => status >= "400" && !content?.["application/json"]?.examples)
    .map(([status]) => status);
  const documented = [...page.matchAll(/^\| (\d{3}) \|/gm)].map(([, status]) => status);
  assert.deepEqual(documented, documented.toSorted());
  assert.ok(new Set(bare).isSubsetOf(new Set(documented)), `${bare}`);
  assert.ok(bare.includes("404") && bare.includes("500"));
});

const NUMBERS: [text: string, limits: number[]][] = [
  // Limits that an operator may change are not given as numbers there.
  [ERRORS.rate_limited.text, []],
  [ERRORS.version_limit.text, [24]],
  [ERRORS.invalid_bot.text, [LIMITS.bot_name_min, LIMITS.bot_name_max]],
  [ERRORS.invalid_handle.text, [1, LIMITS.owner_max]],
  [ERRORS.invalid_version.text, [1, LIMITS.version_label_max]],
];
it("names limits with the numbers of their table", () => {
  for (const [text, limits] of NUMBERS) {
    const found = text.match(/\b(?<![a-zA-Z]-|0-)\d+\b(?!-9)/g) ?? [];
    assert.deepEqual(found.map(Number), limits, text);
  }
});
