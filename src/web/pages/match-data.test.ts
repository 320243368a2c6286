import assert from "node:assert/strict";
import { it } from "node:test";

import { pageSourcesOf } from "#testing/fixtures/sample-world.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

import { matchData } from "./match-data.ts";

it("T57 makes no internal request for a match id with path characters", async () => {
  const { app } = testApi();
  const requestedPaths: string[] = [];
  const inject = ((request: { url: string }) => {
    requestedPaths.push(request.url);
    return app.inject(request);
  }) as typeof app.inject;
  const sources = pageSourcesOf({ inject });
  for (const id of ["..", ".", "../bots/Rex", "%2e%2e", "no-such-match", ""])
    assert.equal(await matchData(sources, id), null, id);
  assert.deepEqual(requestedPaths, []);
  const id = "01900000-0000-7000-8000-000000000001";
  assert.equal(await matchData(sources, id), null);
  assert.deepEqual(requestedPaths, [`/api/matches/${id}`, "/api/status", `/api/matches/${id}`]);
});
