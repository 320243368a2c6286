import assert from "node:assert/strict";
import { it } from "node:test";

import { sourcesOf } from "#testing/fixtures/sample-world.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

import { matchData } from "./match-data.ts";

it("T57 makes no inner request for a match whose id could lead elsewhere", async () => {
  const { app } = testApi();
  const asked: string[] = [];
  const inject = ((request: { url: string }) => {
    asked.push(request.url);
    return app.inject(request);
  }) as typeof app.inject;
  const sources = sourcesOf({ inject });
  for (const id of ["..", ".", "../bots/Rex", "%2e%2e", "no-such-match", ""])
    assert.equal(await matchData(sources, id), null, id);
  assert.deepEqual(asked, []);
  const id = "01900000-0000-7000-8000-000000000001";
  assert.equal(await matchData(sources, id), null);
  assert.deepEqual(asked, [`/api/matches/${id}`, "/api/status", `/api/matches/${id}`]);
});
