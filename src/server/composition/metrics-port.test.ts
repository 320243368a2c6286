import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { request } from "node:http";
import { test } from "node:test";

import { unavailableReason } from "#testing/fixtures/find-python.ts";
import { parseMetrics } from "#testing/fixtures/metrics-text.ts";
import { startLadder } from "#testing/harness/test-server.ts";

const noPromtool = await unavailableReason("promtool", ["--version"]);

type MetricsResponse = { status: number; type: string | undefined; text: string };

/** `fetch` can't override the Host header. */
function requestMetrics(url: string, method = "GET", host?: string): Promise<MetricsResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<MetricsResponse>();
  const headers = host === undefined ? {} : { host };
  request(url, { method, headers, agent: false }, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    const { statusCode: status = 0, headers: responseHeaders } = response;
    response.on("end", () => resolve({ status, type: responseHeaders["content-type"], text }));
  })
    .on("error", reject)
    .end();
  return promise;
}

test("serves only metrics, on loopback and without a credential", async () => {
  const ladder = await startLadder(["--metrics-port", "0", "--accounts", "embedded"]);
  const url = ladder.metricsUrl;
  try {
    assert.ok(url !== null && /^http:\/\/127\.0\.0\.1:\d+\/metrics$/.test(url));
    const { status, type, text } = await requestMetrics(url);
    assert.deepEqual([status, type], [200, "text/plain; version=0.0.4; charset=utf-8"]);
    const families = parseMetrics(text);
    const value = (name: string, sample = "{}") => families.get(name)?.samples.get(sample);
    assert.equal(value("bout_matches_max"), 320);
    assert.equal(value("bout_store_up"), 1);
    assert.equal(value("bout_draining"), 0);
    assert.equal(value("bout_email_incidents_open", '{scope="*"}'), 0);
    for (const name of [
      "bout_disk_free_bytes",
      "bout_disk_size_bytes",
      "process_resident_memory_bytes",
      "process_cpu_seconds_total",
      "process_start_time_seconds",
    ])
      assert.ok(value(name)! > 0, name);
    assert.deepEqual((await requestMetrics(url, "HEAD")).text, "");
    const { port } = new URL(url);
    for (const [target, method, host, expectedStatus] of [
      [url, "GET", `localhost:${port}`, 200],
      [url, "GET", "metrics.example", 403],
      [url, "POST", undefined, 405],
      [url.replace("/metrics", "/api/admin/metrics"), "GET", undefined, 404],
    ] as const)
      assert.equal(
        (await requestMetrics(target, method, host)).status,
        expectedStatus,
        `${method} ${target} ${host}`,
      );
    // On the main port, the same metrics require a credential.
    const unauthorizedResponse = await fetch(`${ladder.baseUrl}/api/admin/metrics`);
    await unauthorizedResponse.body?.cancel();
    assert.notEqual(unauthorizedResponse.status, 200);
    const healthz = await fetch(`${ladder.baseUrl}/healthz`);
    assert.deepEqual(await healthz.json(), { ok: true, store: true, draining: false });
  } finally {
    await ladder.close();
  }
  await assert.rejects(requestMetrics(url), { code: "ECONNREFUSED" });
});

test("produces metrics that pass promtool", { skip: noPromtool }, async () => {
  const ladder = await startLadder(["--metrics-port", "0"]);
  try {
    const { text } = await requestMetrics(ladder.metricsUrl ?? "");
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text });
    assert.deepEqual([status, String(stdout), String(stderr)], [0, "", ""]);
  } finally {
    await ladder.close();
  }
});

test("the metrics port isn't opened by default", async () => {
  const ladder = await startLadder();
  assert.equal(ladder.metricsUrl, null);
  await ladder.close();
});
