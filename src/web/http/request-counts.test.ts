// How answered requests are counted.
import assert from "node:assert/strict";
import { it } from "node:test";

import { cumulativeCounts } from "#base/units/duration-histogram.ts";
import { accountApi, addPerson } from "#testing/fixtures/account-api.ts";

import { openRequestCounts } from "./request-counts.ts";

it("counts requests by class of route and status, and refusals by code", async () => {
  const requests = openRequestCounts();
  const none = async () => null;
  const machine = async () => assert.fail("no metrics are read");
  const { app, ...api } = accountApi({}, { metrics: { requests, machine, stored: none } });
  const { token } = await addPerson({ app, ...api }, "root", "hopper");
  const before = new Map(requests.totals.requests);
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
  const counted = [...requests.totals.requests].flatMap(([name, count]) => {
    const more = count - (before.get(name) ?? 0);
    return more === 0 ? [] : [[name, more]];
  });
  assert.deepEqual(Object.fromEntries(counted), {
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
