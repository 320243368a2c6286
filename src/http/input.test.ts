// Bad input over all routes.
import assert from "node:assert/strict";
import { it } from "node:test";

import { addBot, bearer, testApi, tokenOf } from "#testing/test-api.ts";

const JSON_TYPE = { "content-type": "application/json" };
const BODY_ROUTES = ["/api/bots", "/api/me/versions"];

async function poster() {
  const api = testApi();
  await addBot(api, "Rex");
  return (url: string, payload: string | Buffer, headers: Record<string, string> = JSON_TYPE) => {
    const credentials = url.startsWith("/api/me") ? bearer(tokenOf("Rex")) : {};
    return api.app.inject({
      method: "POST",
      url,
      payload,
      headers: { ...headers, ...credentials },
    });
  };
}

it("T53 T60 accepts no body but JSON, uncompressed", async () => {
  const post = await poster();
  const good = JSON.stringify({ name: "Neo", label: "v1" });
  const types = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "text/json",
    "x",
  ];
  for (const url of BODY_ROUTES) {
    for (const type of types)
      assert.equal((await post(url, good, { "content-type": type })).statusCode, 415, type);
    assert.equal((await post(url, good, {})).statusCode, 415);
    const gzip = { ...JSON_TYPE, "content-encoding": "gzip" };
    assert.equal((await post(url, good, gzip)).statusCode, 415);
    const charset = { "content-type": "application/json; charset=utf-8" };
    assert.equal((await post(url, good, charset)).statusCode, 201);
  }
});

it("T53 T54 T55 is 400 for what is no JSON object", async () => {
  const post = await poster();
  const roots = ["[]", "null", "5", '"x"', "true", "", "[".repeat(30_000) + "]".repeat(30_000)];
  const malformed = ["{", "{'a':1}", '{"a":1}x', "NaN", "\u0000", '{"name":"\\ud8"}'];
  const poisoned = ['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}'];
  const invalidUtf8 = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
  for (const url of BODY_ROUTES)
    for (const body of [...roots, ...malformed, ...poisoned, invalidUtf8]) {
      const { statusCode, json } = await post(url, body);
      assert.equal(statusCode, 400, `${url} ${String(body).slice(0, 40)}`);
      assert.equal(typeof json().error, "string");
    }
  assert.equal(({} as { admin?: boolean }).admin, undefined);
});

it("T54 is not troubled by depth inside a field that nobody reads", async () => {
  const post = await poster();
  const deep = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
  assert.equal((await post("/api/bots", `{"name":"Neo","more":${deep}}`)).statusCode, 201);
  assert.equal((await post("/api/bots", `{"name":${deep}}`)).statusCode, 400);
});

it("limits bodies to 64 KiB", async () => {
  const post = await poster();
  const padded = (length: number, name: string) => JSON.stringify({ name }).padEnd(length);
  assert.equal((await post("/api/bots", padded(65_536, "Fits"))).statusCode, 201);
  const { statusCode, json } = await post("/api/bots", padded(65_537, "Big"));
  assert.deepEqual([statusCode, json()], [413, { error: "The body is too large." }]);
});

it("needs no body where none is asked for, and takes an empty one", async () => {
  const { app } = testApi();
  const headers = { ...JSON_TYPE, ...bearer("nobody") };
  const { statusCode } = await app.inject({ method: "POST", url: "/api/me/token", headers });
  assert.equal(statusCode, 401);
  const api = testApi();
  await addBot(api, "Rex");
  const own = { ...JSON_TYPE, ...bearer(tokenOf("Rex")) };
  const answer = await api.app.inject({ method: "POST", url: "/api/me/token", headers: own });
  assert.equal(answer.statusCode, 200);
});

it("T56 is 400 for malformed or repeated values of known parameters", async () => {
  const { app } = testApi();
  const numbers = [
    "0",
    "501",
    "-1",
    "1e3",
    "0x10",
    "５",
    "NaN",
    "Infinity",
    "1.5",
    "",
    "+5",
    "05",
    "5 ",
  ];
  const huge = ["1e309", "99999999999999999999", "9007199254740993", "1_0", "null", "%00", "[]"];
  const limits = [...numbers, ...huge].map((value) => `limit=${encodeURIComponent(value)}`);
  const others = ["stats=0", "stats=yes", "stats=", "stats=TRUE", "stats=1&stats=1"];
  const repeated = [
    "limit=1&limit=9",
    "ladder=public&ladder=public",
    "bot=a&bot=b",
    "before=a&before=b",
  ];
  for (const query of [...limits, ...others, ...repeated]) {
    const { statusCode, json } = await app.inject(`/api/matches?${query}`);
    assert.equal(statusCode, 400, query);
    assert.match(json().error, /^The query parameter '\w+' is malformed\.$/);
  }
  for (const path of ["status", "lobby", "leaderboard", "bots/Rex"])
    assert.equal((await app.inject(`/api/${path}?ladder=a&ladder=b`)).statusCode, 400, path);
});

it("T56 ignores parameters that it does not know", async () => {
  const { app } = testApi();
  const queries = [
    "x=1&x=2",
    "__proto__=1",
    "constructor=1",
    "limit[]=5",
    "&&==",
    "%zz=1",
    "a.b.c",
  ];
  for (const query of queries)
    assert.equal((await app.inject(`/api/matches?${query}`)).statusCode, 200, query);
  assert.equal((await app.inject("/api/matches?limit=500&x=%00")).statusCode, 200);
});

it("is 400 for an address that cannot be decoded", async () => {
  const { app } = testApi();
  for (const url of ["/api/bots/%zz", "/docs/%ff", "/api/matches/%c0%af"])
    assert.deepEqual([(await app.inject(url)).statusCode], [400], url);
});
