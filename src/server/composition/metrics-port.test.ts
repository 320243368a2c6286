// The port with metrics on a running server.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { request } from "node:http";
import { test } from "node:test";

import { readMetrics } from "#testing/fixtures/metrics-text.ts";
import { reasonAgainst } from "#testing/fixtures/python.ts";
import { startLadder } from "#testing/harness/test-server.ts";

const noPromtool = await reasonAgainst("promtool", ["--version"]);

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
  const ladder = await startLadder(["--metrics-port", "0", "--accounts", "embedded"]);
  const url = ladder.metricsUrl;
  try {
    assert.ok(url !== null && /^http:\/\/127\.0\.0\.1:\d+\/metrics$/.test(url));
    const { status, type, text } = await ask(url);
    assert.deepEqual([status, type], [200, "text/plain; version=0.0.4; charset=utf-8"]);
    const families = readMetrics(text);
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

test("promtool finds nothing to improve", { skip: noPromtool }, async () => {
  const ladder = await startLadder(["--metrics-port", "0"]);
  try {
    const { text } = await ask(ladder.metricsUrl ?? "");
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text });
    assert.deepEqual([status, String(stdout), String(stderr)], [0, "", ""]);
  } finally {
    await ladder.close();
  }
});

test("no port is opened that nobody asked for", async () => {
  const ladder = await startLadder();
  assert.equal(ladder.metricsUrl, null);
  await ladder.close();
});
