import assert from "node:assert/strict";
import { it } from "node:test";

import { cumulativeCounts } from "#base/util/duration-histogram.ts";
import { accountApi, signUpAccount } from "#testing/fixtures/account-api.ts";

import { openRequestCounts } from "./request-counts.ts";

it("counts requests by route class and status class, and refusals by code", async () => {
  const requests = openRequestCounts();
  const noStats = async () => null;
  const machine = async () => assert.fail("no metrics are read");
  const { app, ...api } = accountApi({}, { metrics: { requests, machine, stored: noStats } });
  const { token } = await signUpAccount({ app, ...api }, "root", "hopper");
  const countsBefore = new Map(requests.totals.requests);
  for (const [method, url, headers] of [
    ["GET", "/api/status", {}],
    ["GET", "/api/admin/health", { authorization: `Bearer ${token}` }],
    ["GET", "/api/admin/health", {}],
    ["GET", "/api/matches/none", {}],
    ["POST", "/api/status", {}],
    ["GET", "/nothing-is-here", {}],
    ["GET", "/docs", {}],
    ["GET", "/healthz", {}],
  ] as const)
    await app.inject({ method, url, headers });
  const changedCounts = [...requests.totals.requests].flatMap(([name, count]) => {
    const increase = count - (countsBefore.get(name) ?? 0);
    return increase === 0 ? [] : [[name, increase]];
  });
  assert.deepEqual(Object.fromEntries(changedCounts), {
    "api 2xx": 1,
    "admin 2xx": 1,
    "admin 4xx": 1,
    "api 4xx": 1,
    "none 4xx": 2,
    "page 2xx": 1,
    "health 2xx": 1,
  });
  assert.deepEqual(Object.fromEntries(requests.totals.refusals), { admin_required: 1 });
  const { durations } = requests.totals;
  assert.equal(cumulativeCounts(durations.health).at(-1), 1);
});
