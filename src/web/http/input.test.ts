import assert from "node:assert/strict";
import { it } from "node:test";

import { signUpAccount } from "#testing/fixtures/account-api.ts";
import { ladderApi } from "#testing/fixtures/ladder-api.ts";
import { unknownAddress, listOperations } from "#testing/fixtures/operations.ts";
import { addTestBot, bearerHeader, testApi, botTokenOf } from "#testing/fixtures/test-api.ts";

const JSON_TYPE = { "content-type": "application/json" };
const BODY_ROUTES = ["/api/bots", "/api/me/versions"];

async function poster() {
  const api = testApi();
  await addTestBot(api, "Rex");
  return (url: string, payload: string | Buffer, headers: Record<string, string> = JSON_TYPE) => {
    const credentials = url.startsWith("/api/me") ? bearerHeader(botTokenOf("Rex")) : {};
    return api.app.inject({
      method: "POST",
      url,
      payload,
      headers: { ...headers, ...credentials },
    });
  };
}

it("T53 T60 accepts JSON bodies only if they are uncompressed", async () => {
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
    for (const charset of ["latin1", '"utf-16"', "us-ascii"]) {
      const otherCharset = { "content-type": `application/json; charset=${charset}` };
      assert.equal((await post(url, good, otherCharset)).statusCode, 415, charset);
    }
    const utf8 = { "content-type": "application/json; a=b; Charset=UTF-8" };
    assert.equal((await post(url, good, utf8)).statusCode, 201);
  }
});

it("T61 accepts no raw image on any other route, nor an image in JSON", async () => {
  const post = await poster();
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(1000)]);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="65535" height="65535"/>';
  for (const url of BODY_ROUTES) {
    for (const type of ["image/png", "image/webp", "image/svg+xml"])
      for (const image of [png, svg]) {
        const { statusCode, json } = await post(url, image, { "content-type": type });
        assert.deepEqual([statusCode, typeof json().error], [415, "string"], `${url} ${type}`);
      }
    for (const image of [png, svg]) assert.equal((await post(url, image)).statusCode, 400, url);
    assert.equal((await post(url, Buffer.alloc(20_000_000))).statusCode, 413, url);
  }
});

it("T53 T54 T55 returns 400 unless the body is a JSON object", async () => {
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

it("rejects a null body on account and operator routes", async () => {
  const { api, manageLadders } = await ladderApi();
  const { token } = await signUpAccount(api, "root", "hopper");
  const operations = await listOperations(api);
  const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` };
  let operationCount = 0;
  for (const operation of operations) {
    const isPerson = /Browser|Admin/.test(operation.schemes);
    // Routes for agent keys, apps and files have their own tests.
    if (operation.method === "GET" || !isPerson || operation.path.endsWith("/image")) continue;
    const url = unknownAddress(operation);
    const { statusCode } = await api.app.inject({
      method: operation.method,
      url,
      headers,
      payload: "null",
    });
    assert.equal(statusCode, 400, `${operation.method} ${operation.path}`);
    operationCount += 1;
  }
  assert.ok(operationCount > 40, `${operationCount} operations`);
  assert.equal((await manageLadders("GET", "")).told, "200");
});

const REFUSED_BODIES: [url: string, body: string, text: string][] = [
  ["/api/bots", "{", "The body is not valid JSON: syntax error at line 1, column 2."],
  [
    "/api/bots",
    '{"a":{"__proto__":1}}',
    "The body has a forbidden key: __proto__ or constructor.prototype.",
  ],
  ["/api/bots", "[]", "The body must be a JSON object."],
  ["/api/bots", '{"name":"Neo","owner":5}', "The field 'owner' of the body must be a string."],
  [
    "/api/me/versions",
    JSON.stringify({ label: "v2", notes: "x".repeat(2001) }),
    "The field 'notes' of the body must have at most 2000 characters.",
  ],
  [
    "/api/me/versions",
    '{"label":"v2","notes":["x"]}',
    "The field 'notes' of the body must be a string.",
  ],
  [
    "/api/me/versions",
    '{"label":"v2","notes":"a\\u0000"}',
    "The field 'notes' of the body is malformed.",
  ],
  [
    "/api/me/versions",
    '{"label":"v2","notes":"a\\ud800b"}',
    "The field 'notes' of the body is malformed.",
  ],
];
for (const [url, body, text] of REFUSED_BODIES)
  it(`reports what is wrong with ${body.slice(0, 40)}`, async () => {
    const { statusCode, json } = await (await poster())(url, body);
    assert.deepEqual([statusCode, json().error], [400, text]);
  });

it("T54 ignores deep nesting in unknown fields", async () => {
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

it("accepts a missing or empty body where no field is required", async () => {
  const { app } = testApi();
  const headers = { ...JSON_TYPE, ...bearerHeader("nobody") };
  const { statusCode } = await app.inject({ method: "POST", url: "/api/me/token", headers });
  assert.equal(statusCode, 401);
  const api = testApi();
  await addTestBot(api, "Rex");
  const ownHeaders = { ...JSON_TYPE, ...bearerHeader(botTokenOf("Rex")) };
  const response = await api.app.inject({
    method: "POST",
    url: "/api/me/token",
    headers: ownHeaders,
  });
  assert.equal(response.statusCode, 200);
});

it("returns 400 for a malformed body even if the body is optional", async () => {
  const api = testApi();
  await addTestBot(api, "Rex");
  const headers = { ...JSON_TYPE, ...bearerHeader(botTokenOf("Rex")) };
  for (const url of ["/api/me/token", "/api/me/versions/v1/retire"]) {
    const response = await api.app.inject({ method: "POST", url, headers, payload: "{" });
    assert.equal(response.statusCode, 400);
    assert.match(response.json().error, /^The body is not valid JSON: syntax error at line 1, /);
  }
});

it("T56 returns 400 for malformed or repeated known parameters", async () => {
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
  const invalidQueries = ["stats=0", "stats=yes", "stats=", "stats=TRUE", "stats=1&stats=1"];
  const repeated = [
    "limit=1&limit=9",
    "ladder=public&ladder=public",
    "bot=a&bot=b",
    "before=a&before=b",
  ];
  for (const query of [...limits, ...invalidQueries, ...repeated]) {
    const { statusCode, json } = await app.inject(`/api/matches?${query}`);
    assert.equal(statusCode, 400, query);
    assert.match(json().error, /^The query parameter '\w+' (?:is given|must be) .+\.$/);
  }
  for (const path of ["status", "lobby", "leaderboard", "bots/Rex"])
    assert.equal((await app.inject(`/api/${path}?ladder=a&ladder=b`)).statusCode, 400, path);
});

const MATCHES = "/api/matches";
const MATCHUPS = "/api/seasons/current/matchups";
const REFUSED_QUERIES: [address: string, text: string][] = [
  [`${MATCHES}?limit=501`, "'limit' must be a whole number from 1 to 500"],
  [`${MATCHES}?limit=1&limit=9`, "'limit' is given more than once"],
  [`${MATCHES}?stats=0`, "'stats' must be one of 1, true"],
  [`${MATCHES}?bot=a&bot=b`, "'bot' is given more than once"],
  [MATCHUPS, "'bot' is required"],
  [`${MATCHUPS}?bot=a&all=0`, "'all' must be 1"],
  [`${MATCHUPS}?bot=a&top=21`, "'top' must be a whole number from 0 to 20"],
  ["/api/bots/Rex/ratings?days=0", "'days' must be a plain decimal number above 0"],
];
for (const [address, text] of REFUSED_QUERIES)
  it(`reports what is wrong with ${address}`, async () => {
    const { statusCode, json } = await testApi().app.inject(address);
    assert.deepEqual([statusCode, json()], [400, { error: `The query parameter ${text}.` }]);
  });

it("T56 ignores unknown parameters", async () => {
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

it("returns 400 for a URL that can't be decoded", async () => {
  const { app } = testApi();
  for (const url of ["/api/bots/%zz", "/docs/%ff", "/api/matches/%c0%af"])
    assert.deepEqual([(await app.inject(url)).statusCode], [400], url);
});
