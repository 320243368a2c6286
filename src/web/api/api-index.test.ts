import assert from "node:assert/strict";
import { it } from "node:test";

import type { ApiIndex } from "#core/api/api-index.ts";
import { DEFAULT_LIMITS, limitsWith } from "#core/limits/limits.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

const read = async ({ app }: ReturnType<typeof testApi>) =>
  (await app.inject("/api")).json<ApiIndex>();

it("lists only routes that are served", async () => {
  const api = testApi();
  const { endpoints, onboarding, docs } = await read(api);
  const { register } = onboarding;
  for (const template of [...Object.values(endpoints), docs, register ?? ""]) {
    const url = template.replaceAll(/\{\w+\}/g, "some");
    const { headers } = await api.app.inject({ method: "TRACE", url });
    assert.match(String(headers.allow), /GET|POST/, template);
  }
});

it("reports who can register, and null for unavailable services", async () => {
  const localIndex = await read(testApi());
  assert.deepEqual(
    [localIndex.authentication_required, localIndex.accounts, localIndex.mcp],
    [false, null, null],
  );
  assert.equal(localIndex.bot_endpoint, "ws://localhost:7777/bot");
  assert.equal(localIndex.onboarding.register, "/api/bots");
  const accountsIndex = await read(testApi({ anonymous: false }));
  assert.deepEqual(
    [accountsIndex.authentication_required, accountsIndex.onboarding.register],
    [true, null],
  );
});

it("links to the source code only if the operator has configured a URL", async () => {
  assert.equal((await read(testApi())).source, null);
  const sourceUrl = "https://git.example/bout";
  assert.equal((await read(testApi({ sourceUrl }))).source, sourceUrl);
});

it("reports every limit in force exactly once", async () => {
  const changes = { limits: limitsWith({ hourly_quota: 7 }), admission: () => null };
  const { operational_policy } = await read(testApi({}, changes));
  const reportedLimits = Object.values(operational_policy).flatMap((group) =>
    Object.entries(group ?? {}),
  );
  const expected = Object.entries({ ...DEFAULT_LIMITS, hourly_quota: 7 });
  assert.deepEqual(reportedLimits.map(String).toSorted(), expected.map(String).toSorted());
});

it("reports a changed setting", async () => {
  const api = testApi();
  api.liveSettings.change({ max_concurrent: 0 });
  assert.equal((await read(api)).operational_policy.ladder.max_concurrent, 0);
});

it("omits the address limits if addresses are not limited", async () => {
  assert.equal((await read(testApi())).operational_policy.addresses, null);
});

it("T51 ignores the request's Host header", async () => {
  const { app } = testApi();
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
  const texts = ["/openapi.json", "/llms.txt", "/robots.txt", "/sitemap.xml", "/download/bots"];
  for (const path of ["/api", ...texts, "/docs/schema/turn.json"]) {
    const { body } = await app.inject({ url: `http://evil.example${path}`, headers });
    assert.ok(body.includes("//localhost:7777") && !body.includes("evil.example"), path);
  }
});
