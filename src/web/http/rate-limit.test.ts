import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { it } from "node:test";

import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

import { openAdmission } from "./admission.ts";
import { callerOf } from "./client-address.ts";

const ADDRESS_A = "203.0.113.1";
const ADDRESS_B = "203.0.113.2";

function limitedApi() {
  const clock = fakeClock();
  const admission = openAdmission({
    limits: DEFAULT_LIMITS,
    now: () => clock.now(),
    callerOf: (request) => callerOf(request, new BlockList()),
  });
  const { app } = testApi({}, { admission });
  const get = (remoteAddress: string, url = "/api") => app.inject({ url, remoteAddress });
  const post = (remoteAddress: string) =>
    app.inject({ method: "POST", url: "/api/bots", payload: { name: "a" }, remoteAddress });
  const count = async (times: number, ask: () => ReturnType<typeof get>) => {
    const responses = await Promise.all(Array.from({ length: times }, ask));
    return Object.groupBy(responses, ({ statusCode }) => statusCode);
  };
  return { app, clock, get, post, count };
}

it("T06 a flood of reads gets 429 beyond the burst, for this address only", async () => {
  const { clock, get, count } = limitedApi();
  const { 200: passedResponses, 429: refusedResponses } = await count(2000, () => get(ADDRESS_A));
  assert.deepEqual(
    [passedResponses?.length, refusedResponses?.length],
    [DEFAULT_LIMITS.reads_burst, 1800],
  );
  const response = refusedResponses![0]!;
  assert.equal(response.headers["retry-after"], "1");
  assert.deepEqual(response.json(), {
    error: "Too many requests from this address. Try again in a second.",
    code: "rate_limited",
    limit: "reads_per_second",
  });
  assert.equal(response.headers["x-content-type-options"], "nosniff");
  assert.equal((await get(ADDRESS_B)).statusCode, 200);
  clock.advance(1000);
  const laterCounts = await count(300, () => get(ADDRESS_A));
  assert.equal(laterCounts[200]?.length, DEFAULT_LIMITS.reads_per_second);
});

it("sends browsers a page that says when to reload", async () => {
  const { app, get, count } = limitedApi();
  await count(DEFAULT_LIMITS.reads_burst, () => get(ADDRESS_A));
  const openPage = (url: string, accept: string) =>
    app.inject({ url, headers: { accept }, remoteAddress: ADDRESS_A });
  for (const url of ["/", "/ladder", "/nothing"]) {
    const { statusCode, headers, body } = await openPage(url, "text/html,*/*;q=0.8");
    assert.deepEqual([statusCode, headers["retry-after"]], [429, "1"], url);
    assert.match(String(headers["content-type"]), /^text\/html/);
    assert.match(String(headers["vary"]), /Accept/);
    assert.match(body, /<h1>Too many requests<\/h1>/);
  }
  for (const [url, accept] of [
    ["/ladder", "application/json"],
    ["/api/bots", "text/html"],
  ] as const) {
    const response = await openPage(url, accept);
    assert.deepEqual([response.statusCode, response.json().code], [429, "rate_limited"], url);
  }
});

it("T06 counts requests to unknown paths", async () => {
  const { get, count } = limitedApi();
  const { 404: notFoundResponses } = await count(500, () => get(ADDRESS_A, "/nothing"));
  assert.equal(notFoundResponses?.length, DEFAULT_LIMITS.reads_burst);
});

it("counts writes separately and before validating them", async () => {
  const { clock, get, post, count } = limitedApi();
  const { 400: passedResponses, 429: refusedResponses } = await count(100, () => post(ADDRESS_A));
  assert.deepEqual(
    [passedResponses?.length, refusedResponses?.length],
    [DEFAULT_LIMITS.writes_burst, 80],
  );
  assert.equal(refusedResponses![0]!.json().limit, "writes_per_second");
  assert.equal((await get(ADDRESS_A)).statusCode, 200);
  clock.advance(1000);
  assert.equal(
    (await count(50, () => post(ADDRESS_A)))[400]?.length,
    DEFAULT_LIMITS.writes_per_second,
  );
});

it("counts a preflight or a HEAD as a read", async () => {
  const { app, get, count } = limitedApi();
  await count(DEFAULT_LIMITS.reads_burst, () => get(ADDRESS_A));
  for (const method of ["HEAD", "OPTIONS"] as const)
    assert.equal(
      (await app.inject({ method, url: "/api", remoteAddress: ADDRESS_A })).statusCode,
      429,
    );
});

it("doesn't count requests from inside the process", async () => {
  const { get, count } = limitedApi();
  const { 200: passedResponses } = await count(500, () => get("inside"));
  assert.equal(passedResponses?.length, 500);
});
