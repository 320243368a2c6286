import assert from "node:assert/strict";
import { it } from "node:test";

import { testApi } from "#testing/fixtures/test-api.ts";

import { pageDeps } from "./page-data.ts";

const SETTINGS = { baseUrl: "http://localhost:7777", anonymous: true, registrationKeyHash: null };

it("T57 asks inside for no match whose id could lead elsewhere", async () => {
  const { app } = testApi();
  const asked: unknown[] = [];
  const inject = ((request: { url: string }) => {
    asked.push(request.url);
    return app.inject(request);
  }) as typeof app.inject;
  const deps = pageDeps({ inject }, SETTINGS);
  for (const id of ["..", ".", "../bots/Rex", "%2e%2e", "no-such-match", ""])
    assert.deepEqual([await deps.match(id), await deps.stats(id)], [null, null], id);
  assert.deepEqual(asked, []);
  assert.equal(await deps.match("01900000-0000-7000-8000-000000000001"), null);
  assert.equal(asked.length, 1);
});
