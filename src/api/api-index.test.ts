import assert from "node:assert/strict";
import { it } from "node:test";

import { LIMITS, limitsWith } from "#protocol/limits.ts";
import type { ApiIndex } from "#protocol/resource-api.ts";
import { testApi } from "#testing/test-api.ts";

const read = async ({ app }: ReturnType<typeof testApi>) =>
  (await app.inject("/api")).json<ApiIndex>();

it("names only addresses that are served", async () => {
  const api = testApi();
  const { endpoints, onboarding, docs } = await read(api);
  const { register } = onboarding;
  for (const template of [...Object.values(endpoints), docs, register ?? ""]) {
    const url = template.replaceAll(/\{\w+\}/g, "some");
    const { headers } = await api.app.inject({ method: "TRACE", url });
    assert.match(String(headers.allow), /GET|POST/, template);
  }
});

it("says who may register and what is not there", async () => {
  const local = await read(testApi());
  assert.deepEqual([local.authentication_required, local.accounts, local.mcp], [false, null, null]);
  assert.equal(local.bot_endpoint, "ws://localhost:7777/bot");
  assert.equal((await read(testApi({ anonymous: false }))).authentication_required, true);
});

it("reports every limit in force once", async () => {
  const { operational_policy } = await read(
    testApi({}, { limits: limitsWith({ hourly_quota: 7 }) }),
  );
  const reported = Object.values(operational_policy).flatMap((group) => Object.entries(group));
  const expected = Object.entries({ ...LIMITS, hourly_quota: 7 });
  assert.deepEqual(reported.map(String).toSorted(), expected.map(String).toSorted());
});

it("T51 takes no address from the request", async () => {
  const { app } = testApi();
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
  const { body } = await app.inject({ url: "http://evil.example/api", headers });
  assert.ok(body.includes("ws://localhost:7777/bot") && !body.includes("evil.example"));
});
