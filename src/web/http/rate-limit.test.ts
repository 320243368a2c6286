import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { it } from "node:test";

import { LIMITS } from "#core/words/limits.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

import { openAdmission } from "./admission.ts";
import { callerOf } from "./caller.ts";

const ONE = "203.0.113.1";
const OTHER = "203.0.113.2";

function limitedApi() {
  const clock = fakeClock();
  const admission = openAdmission({
    limits: LIMITS,
    now: () => clock.now(),
    callerOf: (request) => callerOf(request, new BlockList()),
  });
  const { app } = testApi({}, { admission });
  const get = (remoteAddress: string, url = "/api") => app.inject({ url, remoteAddress });
  const post = (remoteAddress: string) =>
    app.inject({ method: "POST", url: "/api/bots", payload: { name: "a" }, remoteAddress });
  /** How often each status was among the answers to `times` requests. */
  const count = async (times: number, ask: () => ReturnType<typeof get>) => {
    const answers = await Promise.all(Array.from({ length: times }, ask));
    return Object.groupBy(answers, ({ statusCode }) => statusCode);
  };
  return { app, clock, get, post, count };
}

it("T06 a flood of reads is 429 beyond the burst, for this address alone", async () => {
  const { clock, get, count } = limitedApi();
  const { 200: passed, 429: refused } = await count(2000, () => get(ONE));
  assert.deepEqual([passed?.length, refused?.length], [LIMITS.reads_burst, 1800]);
  const answer = refused![0]!;
  assert.equal(answer.headers["retry-after"], "1");
  assert.deepEqual(answer.json(), {
    error: "Too many requests from this address. Try again in a second.",
    code: "rate_limited",
    limit: "reads_per_second",
  });
  assert.equal(answer.headers["x-content-type-options"], "nosniff");
  assert.equal((await get(OTHER)).statusCode, 200);
  clock.pass(1000);
  const later = await count(300, () => get(ONE));
  assert.equal(later[200]?.length, LIMITS.reads_per_second);
});

it("sends browsers a page that says when to reload", async () => {
  const { app, get, count } = limitedApi();
  await count(LIMITS.reads_burst, () => get(ONE));
  const open = (url: string, accept: string) =>
    app.inject({ url, headers: { accept }, remoteAddress: ONE });
  for (const url of ["/", "/ladder", "/nothing"]) {
    const { statusCode, headers, body } = await open(url, "text/html,*/*;q=0.8");
    assert.deepEqual([statusCode, headers["retry-after"]], [429, "1"], url);
    assert.match(String(headers["content-type"]), /^text\/html/);
    assert.match(String(headers["vary"]), /Accept/);
    assert.match(body, /<h1>Too many requests<\/h1>/);
  }
  for (const [url, accept] of [
    ["/ladder", "application/json"],
    ["/api/bots", "text/html"],
  ] as const) {
    const answer = await open(url, accept);
    assert.deepEqual([answer.statusCode, answer.json().code], [429, "rate_limited"], url);
  }
});

it("T06 addresses that are not served count too", async () => {
  const { get, count } = limitedApi();
  const { 404: missed } = await count(500, () => get(ONE, "/nothing"));
  assert.equal(missed?.length, LIMITS.reads_burst);
});

it("counts writes apart, and before it looks at them", async () => {
  const { clock, get, post, count } = limitedApi();
  const { 400: passed, 429: refused } = await count(100, () => post(ONE));
  assert.deepEqual([passed?.length, refused?.length], [LIMITS.writes_burst, 80]);
  assert.equal(refused![0]!.json().limit, "writes_per_second");
  assert.equal((await get(ONE)).statusCode, 200);
  clock.pass(1000);
  assert.equal((await count(50, () => post(ONE)))[400]?.length, LIMITS.writes_per_second);
});

it("a preflight and a HEAD are reads", async () => {
  const { app, get, count } = limitedApi();
  await count(LIMITS.reads_burst, () => get(ONE));
  for (const method of ["HEAD", "OPTIONS"] as const)
    assert.equal((await app.inject({ method, url: "/api", remoteAddress: ONE })).statusCode, 429);
});

it("requests from inside are not counted", async () => {
  const { get, count } = limitedApi();
  const { 200: passed } = await count(500, () => get("inside"));
  assert.equal(passed?.length, 500);
});
