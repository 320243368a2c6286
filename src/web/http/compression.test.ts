import assert from "node:assert/strict";
import { it } from "node:test";
import { gunzipSync } from "node:zlib";

import { SIMULATOR_FILES, SIMULATOR_PATH_PREFIX } from "#core/api/download.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

const ADDRESSES = [
  "/openapi.json",
  "/docs/api",
  "/guide/api",
  "/changelog",
  "/ladder",
  "/llms.txt",
  "/download/bots/starter.ts",
  "/download/simulator/bout-sim.js",
];
const GZIP = { "accept-encoding": "br, gzip;q=0.8" };

for (const url of ADDRESSES)
  it(`sends ${url} compressed to clients that accept gzip and plain to all other clients`, async () => {
    const { app } = testApi();
    const fullResponse = await app.inject(url);
    assert.equal(fullResponse.headers["content-encoding"], undefined);
    for (let time = 0; time < 2; time += 1) {
      const { headers, rawPayload } = await app.inject({ url, headers: GZIP });
      assert.equal(headers["content-encoding"], "gzip");
      assert.equal(headers["content-length"], String(rawPayload.length));
      assert.ok(rawPayload.length < fullResponse.rawPayload.length);
      assert.deepEqual(gunzipSync(rawPayload), fullResponse.rawPayload);
      assert.deepEqual(
        [headers.vary, fullResponse.headers.vary],
        ["Accept-Encoding", "Accept-Encoding"],
      );
      assert.equal(headers.etag, `W/${fullResponse.headers.etag}`);
    }
  });

it("doesn't compress archives", async () => {
  const { app } = testApi();
  const urls = SIMULATOR_FILES.filter(({ type }) => type.startsWith("application/")).map(
    ({ name }) => SIMULATOR_PATH_PREFIX + name,
  );
  assert.equal(urls.length, 2);
  for (const url of [...urls, "/download/bout.tgz"]) {
    const { statusCode, headers } = await app.inject({ url, headers: GZIP });
    assert.deepEqual([statusCode, headers["content-encoding"]], [200, undefined], url);
  }
});

const ACCEPTING_CLIENTS: [header: string, encoding: string | undefined][] = [
  ["gzip", "gzip"],
  ["GZIP ; q=0.1", "gzip"],
  ["*", "gzip"],
  ["gzip;q=0, *", undefined],
  ["br, deflate", undefined],
  ["identity", undefined],
  ["", undefined],
];
for (const [header, encoding] of ACCEPTING_CLIENTS)
  it(`parses '${header}'`, async () => {
    const headers = { "accept-encoding": header };
    const response = await testApi().app.inject({ url: "/docs/api", headers });
    assert.equal(response.headers["content-encoding"], encoding);
  });

for (const [url, varies] of [
  ["/docs", "Accept, Accept-Encoding"],
  ["/ladder", "Accept-Encoding"],
] as const)
  it(`returns 304 for ${url} with the ETag of either encoding`, async () => {
    const { app } = testApi();
    const responses = [{}, GZIP].map((headers) => app.inject({ url, headers }));
    for (const { statusCode, headers: responseHeaders } of await Promise.all(responses)) {
      const { etag, vary } = responseHeaders;
      assert.deepEqual([statusCode, vary], [200, varies]);
      for (const encoding of [{}, GZIP]) {
        const headers = { "if-none-match": String(etag), ...encoding };
        const secondResponse = await app.inject({ url, headers });
        assert.deepEqual([secondResponse.statusCode, secondResponse.body], [304, ""]);
        assert.equal(secondResponse.headers["content-encoding"], undefined);
      }
    }
  });

it("doesn't compress dynamic responses, compressed files or 404s", async () => {
  const { app } = testApi();
  const { python } = (await app.inject("/api")).json().simulator;
  for (const url of ["/api", "/api/leaderboard", python, "/docs/nope"]) {
    const { headers } = await app.inject({ url, headers: GZIP });
    assert.equal(headers["content-encoding"], undefined, url);
  }
});
