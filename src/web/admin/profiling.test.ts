import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { Value } from "typebox/value";

import { CpuProfileSchema } from "#core/api/clean-profile.ts";
import type { ProfilingView } from "#core/api/profiling.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { accountApi, signUpAccount, sendRequest } from "#testing/fixtures/account-api.ts";
import { testProfiling } from "#testing/fixtures/test-profiling.ts";

const ROUTE = "/api/admin/profiling";
const CAPTURES = `${ROUTE}/captures`;
const [SHORT, LONG] = [FIXED_LIMITS.capture_min_s, FIXED_LIMITS.capture_max_s];
type Method = "GET" | "POST";

async function world() {
  const profiling = await testProfiling();
  const api = accountApi({}, { profiling });
  const { token } = await signUpAccount(api, "root", "hopper");
  const call = (method: Method, url: string, payload?: object) =>
    sendRequest(api, [method, url], { token, ...(payload && { payload }) });
  const view = async () => {
    const { told: outcome, body } = await call("GET", ROUTE);
    assert.equal(outcome, "200");
    return body as unknown as ProfilingView;
  };
  const start = (payload: object) => call("POST", CAPTURES, payload);
  const waitUntilDone = async (id: string) => {
    for (;;) {
      const { body } = await call("GET", `${CAPTURES}/${id}`);
      if (body.state !== "recording") return body;
      await pause(20);
    }
  };
  const record = async (label: string) =>
    waitUntilDone(String((await start({ label, duration_seconds: SHORT })).body.id));
  return { api, token, profiling, call, view, start, over: waitUntilDone, record };
}

describe("profiling that is turned off", () => {
  it("is refused on every route with a message that explains how to turn it on", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "root", "hopper");
    const capture = { label: "x", duration_seconds: 1 };
    for (const [method, url, payload] of [
      ["GET", ROUTE],
      ["POST", CAPTURES, capture],
      ["GET", `${CAPTURES}/${api.newId()}`],
      ["GET", `${CAPTURES}/${api.newId()}/download`],
    ] as const) {
      const { told: outcome, body } = await sendRequest(api, [method, url], {
        token,
        ...(payload && { payload }),
      });
      assert.equal(outcome, "409 profiling_disabled");
      assert.match(body.error, /--profiling/);
    }
  });
});

describe("profiling", () => {
  let profilingWorld: Awaited<ReturnType<typeof world>>;
  before(async () => {
    profilingWorld = await world();
  });
  after(() => profilingWorld.profiling.stop());

  it("reports metrics for the process and its requests", async () => {
    await profilingWorld.call("GET", "/api/admin/usage");
    await profilingWorld.call("GET", "/nothing-here");
    const { operations, process } = await profilingWorld.view();
    const usage = operations.find(({ name }) => name === "GET /api/admin/usage");
    assert.equal(usage?.count, 1);
    assert.ok(usage.max_ms! > 0 && usage.p50_ms! <= usage.max_ms!);
    assert.ok(operations.some(({ name }) => name === "http without a route"));
    assert.ok(process.cpu_user_ms > 0 && process.rss_bytes > process.heap_used_bytes);
    assert.ok(process.event_loop.active_ms > 0);
  });

  it("records a profile that can be downloaded and appears in the audit log", async () => {
    const { call, start, over: waitUntilDone, api, token } = profilingWorld;
    const label = "../../etc/passwd <b>";
    const { told: outcome, body } = await start({ label, duration_seconds: LONG });
    assert.equal(outcome, "201");
    const { id, ...rest } = body;
    assert.deepEqual(Object.keys(rest), ["label", "started", "endsAt", "state"]);
    assert.deepEqual([rest.label, rest.state], [label, "recording"]);
    assert.equal(Date.parse(rest.endsAt) - Date.parse(rest.started), LONG * 1000);
    const earlyResponse = await call("GET", `${CAPTURES}/${id}/download`);
    assert.equal(earlyResponse.told, "409 capture_incomplete");
    assert.equal(
      (await start({ label: "y", duration_seconds: SHORT })).told,
      "409 capture_running",
    );
    profilingWorld.profiling.endCapture();
    const capture = await waitUntilDone(id);
    assert.deepEqual([capture.state, capture.error], ["ready", null]);
    const list = await call("GET", ROUTE);
    assert.deepEqual(list.body.captures[0], capture);
    const response = await api.app.inject({
      url: `${CAPTURES}/${id}/download`,
      headers: { authorization: `Bearer ${token}` },
    });
    const { headers } = response;
    assert.equal(headers["content-disposition"], `attachment; filename="${id}.cpuprofile"`);
    assert.equal(headers["cache-control"], "private, no-store");
    assert.equal(Number(headers["content-length"]), capture.size_bytes);
    assert.equal(response.rawPayload.length, capture.size_bytes);
    assert.ok(Value.Check(CpuProfileSchema, response.json()));
    const head = await api.app.inject({
      method: "HEAD",
      url: `${CAPTURES}/${id}/download`,
      headers: { authorization: `Bearer ${token}` },
    });
    assert.deepEqual([head.statusCode, head.rawPayload.length], [200, 0]);
    const audit = await call("GET", "/api/admin/audit?kind=profiling.captured");
    const [entry] = audit.body as unknown as { subject: object; detail: object }[];
    assert.deepEqual(entry?.subject, { kind: "capture", id, name: label });
    assert.deepEqual(entry?.detail, { duration_seconds: LONG });
  });

  it("rejects invalid labels and out-of-range durations", async () => {
    const longestLabel = "x".repeat(FIXED_LIMITS.capture_label_max);
    for (const payload of [
      {},
      { label: "x" },
      { label: "", duration_seconds: 1 },
      { label: "  ", duration_seconds: 1 },
      { label: `${longestLabel}x`, duration_seconds: 1 },
      { label: "a\u0000b", duration_seconds: 1 },
      { label: "a\nb", duration_seconds: 1 },
      { label: "\u001b[2J", duration_seconds: 1 },
      { label: "\ud800", duration_seconds: 1 },
      { label: 7, duration_seconds: 1 },
      { label: "x", duration_seconds: "1" },
      { label: "x", duration_seconds: 0.049 },
      { label: "x", duration_seconds: 60.001 },
      { label: "x", duration_seconds: -1 },
      { label: "x", duration_seconds: 1, path: "/tmp/x" },
    ])
      assert.equal((await profilingWorld.start(payload)).told, "400", JSON.stringify(payload));
    assert.equal((await profilingWorld.record(longestLabel)).state, "ready");
  });

  it("returns 404 for unknown ids and for captures whose file is missing", async () => {
    const { call, view, record, profiling } = profilingWorld;
    for (const id of [crypto.randomUUID(), "..%2F..%2Fetc%2Fpasswd", "x".repeat(90)])
      for (const end of ["", "/download"])
        assert.equal((await call("GET", `${CAPTURES}/${id}${end}`)).told, "404", id + end);
    const { id } = await record("cut");
    writeFileSync(join(profiling.folder, `${id}.cpuprofile`), "{");
    assert.equal((await call("GET", `${CAPTURES}/${id}/download`)).told, "404");
    rmSync(profiling.folder, { recursive: true });
    const { captures } = await view();
    assert.ok(captures.every(({ error }) => error === "file_lost"));
    assert.equal((await record("again")).state, "ready");
  });
});
