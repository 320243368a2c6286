// The port with metrics on a running server.
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";

import { startLadder } from "#testing/harness/test-server.ts";

type Asked = { status: number; type: string | undefined; text: string };

/** Fetch would not send a foreign Host. */
function ask(url: string, method = "GET", host?: string): Promise<Asked> {
  const { promise, resolve, reject } = Promise.withResolvers<Asked>();
  const headers = host === undefined ? {} : { host };
  request(url, { method, headers, agent: false }, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => (text += part));
    const { statusCode: status = 0, headers: got } = response;
    response.on("end", () => resolve({ status, type: got["content-type"], text }));
  })
    .on("error", reject)
    .end();
  return promise;
}

test("metrics are served on loopback without a credential, and nothing else is", async () => {
  const ladder = await startLadder(["--metrics-port", "0"]);
  const url = ladder.metricsUrl;
  try {
    assert.ok(url !== null && /^http:\/\/127\.0\.0\.1:\d+\/metrics$/.test(url));
    const { status, type, text } = await ask(url);
    assert.deepEqual([status, type], [200, "text/plain; version=0.0.4; charset=utf-8"]);
    assert.match(text, /^bout_matches_max 320$/m);
    assert.match(text, /^bout_store_up 1$/m);
    assert.match(text, /^bout_draining 0$/m);
    assert.deepEqual((await ask(url, "HEAD")).text, "");
    const { port } = new URL(url);
    for (const [target, method, host, wanted] of [
      [url, "GET", `localhost:${port}`, 200],
      [url, "GET", "metrics.example", 403],
      [url, "POST", undefined, 405],
      [url.replace("/metrics", "/api/admin/metrics"), "GET", undefined, 404],
    ] as const)
      assert.equal((await ask(target, method, host)).status, wanted, `${method} ${target} ${host}`);
    // The same figures need a credential at the ladder's own port.
    const own = await fetch(`${ladder.baseUrl}/api/admin/metrics`);
    await own.body?.cancel();
    assert.notEqual(own.status, 200);
    const healthz = await fetch(`${ladder.baseUrl}/healthz`);
    assert.deepEqual(await healthz.json(), { ok: true, store: true, draining: false });
  } finally {
    await ladder.close();
  }
  await assert.rejects(ask(url), { code: "ECONNREFUSED" });
});

test("no port is opened that nobody asked for", async () => {
  const ladder = await startLadder();
  assert.equal(ladder.metricsUrl, null);
  await ladder.close();
});
