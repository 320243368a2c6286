import assert from "node:assert/strict";
import { it } from "node:test";

import type { ApiIndex } from "#core/resources/api.ts";
import { LIMITS, limitsWith } from "#core/words/limits.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

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

it("says who may register and what is missing", async () => {
  const local = await read(testApi());
  assert.deepEqual([local.authentication_required, local.accounts, local.mcp], [false, null, null]);
  assert.equal(local.bot_endpoint, "ws://localhost:7777/bot");
  assert.equal(local.onboarding.register, "/api/bots");
  const closed = await read(testApi({ anonymous: false }));
  assert.deepEqual([closed.authentication_required, closed.onboarding.register], [true, null]);
});

it("says where to get a copy of the project only if the operator says so", async () => {
  assert.equal((await read(testApi())).source, null);
  const sourceUrl = "https://git.example/bout";
  assert.equal((await read(testApi({ sourceUrl }))).source, sourceUrl);
});

it("reports every limit in force once", async () => {
  const changes = { limits: limitsWith({ hourly_quota: 7 }), admission: () => null };
  const { operational_policy } = await read(testApi({}, changes));
  const reported = Object.values(operational_policy).flatMap((group) =>
    Object.entries(group ?? {}),
  );
  const expected = Object.entries({ ...LIMITS, hourly_quota: 7 });
  assert.deepEqual(reported.map(String).toSorted(), expected.map(String).toSorted());
});

it("reports a changed setting", async () => {
  const api = testApi();
  api.live.change({ max_concurrent: 0 });
  assert.equal((await read(api)).operational_policy.ladder.max_concurrent, 0);
});

it("reports no limits of addresses where there are none", async () => {
  assert.equal((await read(testApi())).operational_policy.addresses, null);
});

it("T51 takes no address from the request", async () => {
  const { app } = testApi();
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
  const texts = ["/openapi.json", "/llms.txt", "/robots.txt", "/sitemap.xml", "/download/bots"];
  for (const path of ["/api", ...texts, "/docs/schema/turn.json"]) {
    const { body } = await app.inject({ url: `http://evil.example${path}`, headers });
    assert.ok(body.includes("//localhost:7777") && !body.includes("evil.example"), path);
  }
});
