import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";

import { RESOURCE_SCHEMAS } from "#protocol/resources.ts";
import { strictCheck } from "#testing/response-check.ts";
import { testApi } from "#testing/test-api.ts";

const page = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

it("shows examples that keep to their schemas", () => {
  const examples = [...page.matchAll(/^```json ([\w-]+)\n(.*?)^```/gms)];
  assert.ok(examples.length >= 8);
  for (const [, name, text] of examples) {
    const check = strictCheck(RESOURCE_SCHEMAS[name]);
    for (const value of [JSON.parse(text) as unknown].flat())
      assert.deepEqual(check(value), [], name);
  }
});

it("names every route and every schema of the HTTP side", async () => {
  const { endpoints } = (await testApi().app.inject("/api")).json<{ endpoints: object }>();
  for (const path of Object.values(endpoints)) assert.ok(page.includes(`${path}\``), path);
  const shared = ["api-error", "versions"];
  for (const name of Object.keys(RESOURCE_SCHEMAS))
    assert.ok(shared.includes(name) || page.includes(`\`${name}\``), name);
});
