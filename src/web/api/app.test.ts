import assert from "node:assert/strict";
import { it } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import { buildRepositories } from "#data/store/store.ts";
import { addTestBot, bearerHeader, testApi, botTokenOf } from "#testing/fixtures/test-api.ts";

const METHODS = ["TRACE", "PUT", "PATCH", "DELETE", "PROPFIND", "QUERY", "POST", "GET"] as const;
const SERVED: [url: string, allow: string][] = [
  ["/api", "GET, HEAD"],
  ["/api/status", "GET, HEAD"],
  ["/api/lobby", "GET, HEAD"],
  ["/api/leaderboard", "GET, HEAD"],
  ["/api/matches", "GET, HEAD"],
  ["/api/matches/some", "GET, HEAD"],
  ["/api/matches/some/stats", "GET, HEAD"],
  ["/api/bots/Rex", "DELETE, GET, HEAD"],
  ["/api/bots", "POST"],
  ["/api/me", "GET, HEAD"],
  ["/api/me/versions", "GET, HEAD, POST"],
  ["/api/me/versions/v1/retire", "POST"],
  ["/api/me/token", "POST"],
  ["/replays/some.jsonl.gz", "GET, HEAD"],
  ["/docs", "GET, HEAD"],
  ["/docs/api", "GET, HEAD"],
  ["/docs/schema/queue.json", "GET, HEAD"],
  ["/docs/limits.md", "GET, HEAD"],
  ["/guide", "GET, HEAD"],
  ["/guide/api", "GET, HEAD"],
  ["/changelog", "GET, HEAD"],
  ["/changelog/all", "GET, HEAD"],
  ["/openapi.json", "GET, HEAD"],
  ["/llms.txt", "GET, HEAD"],
  ["/robots.txt", "GET, HEAD"],
  ["/sitemap.xml", "GET, HEAD"],
  ["/download/bots", "GET, HEAD"],
  ["/download/bots/starter.py", "GET, HEAD"],
  ["/download/simulator/bout-sim.js", "GET, HEAD"],
  ["/api/changelog", "GET, HEAD"],
  ["/api/announcements", "GET, HEAD"],
  ["/api/events", "GET, HEAD"],
  ["/api/users/ada", "GET, HEAD"],
  ["/api/ladders", "GET, HEAD"],
  ["/api/ladders/public/results", "GET, HEAD"],
];

it("T58 responds to a wrong method with 405 and Allow, whatever the body", async () => {
  const { app } = testApi();
  for (const [url, allow] of SERVED)
    for (const method of METHODS) {
      if (allow.split(", ").includes(method)) continue;
      const body = method === "GET" || method === "TRACE" ? {} : { payload: "not JSON" };
      const { statusCode, headers, json } = await app.inject({
        method: method as "GET",
        url,
        ...body,
      });
      assert.deepEqual([statusCode, headers.allow], [405, allow], `${method} ${url}`);
      assert.equal(typeof json().error, "string");
    }
});

it("T58 responds to HEAD in the same way as to GET, but without a body", async () => {
  const api = testApi();
  await addTestBot(api, "Rex");
  const headers = bearerHeader(botTokenOf("Rex"));
  for (const [url, allow] of SERVED) {
    if (!allow.includes("GET")) continue;
    const get = await api.app.inject({ url, headers });
    const head = await api.app.inject({ method: "HEAD", url, headers });
    assert.deepEqual([head.statusCode, head.body], [get.statusCode, ""], url);
    for (const name of ["content-length", "content-type", "etag", "cache-control"])
      assert.equal(head.headers[name], get.headers[name], `${url} ${name}`);
  }
});

it("responds to preflights only for public reads", async () => {
  const { app } = testApi();
  const headers = { origin: "https://elsewhere.example", "access-control-request-method": "GET" };
  const privateOnes = ["/api/me", "/api/bots", "/api/me/versions", "/api/me/token"];
  for (const [url] of SERVED) {
    const isPrivate = privateOnes.some((path) => url === path) || url.endsWith("/retire");
    const preflight = await app.inject({ method: "OPTIONS", url, headers });
    assert.equal(preflight.statusCode, isPrivate ? 405 : 204, url);
    const allowed = isPrivate ? undefined : "*";
    assert.equal(preflight.headers["access-control-allow-origin"], allowed, url);
    const readResponse = await app.inject({ url, headers });
    assert.equal(readResponse.headers["access-control-allow-origin"], allowed, `T70 ${url}`);
  }
});

it("T70 sets the security headers on every kind of response", async () => {
  const { app } = testApi();
  const errorPaths = ["/nowhere", "/api/matches?limit=x", "/api/bots/%zz", "/guide/nothing"];
  const large = { method: "POST", url: "/api/bots", payload: "x".repeat(100_000) } as const;
  const wrongMethod = { method: "PUT", url: "/api" } as const;
  for (const request of [
    ...SERVED.map(([url]) => ({ url })),
    ...errorPaths.map((url) => ({ url })),
    large,
    wrongMethod,
  ]) {
    const { headers } = await app.inject(request);
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /default-src 'self'.*frame-ancestors 'none'/);
    assert.ok(!policy.includes("unsafe"), policy);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["x-frame-options"], "DENY");
    assert.equal(headers["referrer-policy"], "no-referrer");
  }
});

it("responds with 304 to every conditional public read if nothing has changed", async () => {
  const { app } = testApi();
  let revalidatedCount = 0;
  for (const [url] of SERVED) {
    const { statusCode, headers } = await app.inject(url);
    if (statusCode !== 200) continue;
    revalidatedCount += 1;
    const notModifiedResponse = await app.inject({
      url,
      headers: { "if-none-match": String(headers.etag) },
    });
    assert.deepEqual([notModifiedResponse.statusCode, notModifiedResponse.body], [304, ""], url);
    const { etag, "content-length": length } = notModifiedResponse.headers;
    assert.deepEqual([etag, length], [headers.etag, undefined], url);
  }
  assert.ok(revalidatedCount >= 20, `${revalidatedCount} reads`);
});

const KNOWN: [what: string, header: (etag: string) => string, status: number][] = [
  ["the ETag", (etag) => etag, 304],
  ["the weak ETag", (etag) => `W/${etag}`, 304],
  ["a list with the ETag", (etag) => `"x", W/"y,z",${etag}`, 304],
  ["anything", () => "*", 304],
  ["a different ETag", () => '"x"', 200],
  ["a list of different ETags", () => '"x", "y"', 200],
  ["the ETag without quotes", (etag) => etag.slice(1, -1), 200],
  ["nothing", () => "", 200],
];
for (const [description, header, status] of KNOWN)
  it(`responds with ${status} to an If-None-Match of ${description}`, async () => {
    const { app } = testApi();
    for (const url of ["/api", "/docs/api", "/api/leaderboard"]) {
      const fullResponse = await app.inject(url);
      const headers = { "if-none-match": header(String(fullResponse.headers.etag)) };
      for (const method of ["GET", "HEAD"] as const) {
        const notModifiedResponse = await app.inject({ method, url, headers });
        assert.equal(notModifiedResponse.statusCode, status, `${method} ${url}`);
        const length = notModifiedResponse.headers["content-length"];
        if (method === "HEAD") assert.equal(length, fullResponse.headers["content-length"], url);
        else assert.equal(length === undefined, status === 304, url);
      }
    }
  });

it("sends no ETag with uncacheable responses or errors", async () => {
  const api = testApi();
  await addTestBot(api, "Rex");
  const headers = bearerHeader(botTokenOf("Rex"));
  for (const url of ["/api/me", "/api/bots/nobody", "/api/matches?limit=x", "/nowhere"])
    assert.equal((await api.app.inject({ url, headers })).headers.etag, undefined, url);
});

it("responds with 304 if the ETag matches, but never for an error", async () => {
  const { app } = testApi();
  for (const [url, status] of [
    ["/api", 304],
    ["/docs/api", 304],
    ["/api/bots/nobody", 404],
    ["/nowhere", 404],
  ] as const) {
    const { etag } = (await app.inject(url)).headers;
    const notModifiedResponse = await app.inject({
      url,
      headers: { "if-none-match": String(etag) },
    });
    assert.equal(notModifiedResponse.statusCode, status, url);
    assert.equal(notModifiedResponse.body === "", status === 304, url);
  }
});

it("returns 404 as JSON for unknown paths", async () => {
  const { app } = testApi();
  for (const url of ["/api//", "/API", "/api/nope", "/nope", "/.env", "/api/me/x"]) {
    const { statusCode, json } = await app.inject(url);
    assert.deepEqual([statusCode, Object.keys(json())], [404, ["error"]], url);
  }
});

it("T88 returns 404 as a noindex page to clients that prefer HTML", async () => {
  const { app } = testApi();
  const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  for (const url of ["/nope", "/guide/nope", "/nope/", "/bots"]) {
    const response = await app.inject({ url, headers });
    assert.deepEqual(
      [response.statusCode, response.headers["x-robots-tag"]],
      [404, "noindex"],
      url,
    );
    assert.match(String(response.headers["content-type"]), /^text\/html/);
    assert.match(response.body, /<h1>Page not found<\/h1>/);
  }
  for (const url of ["/api/nope", "/api/bots/nobody", "/replays/x.jsonl.gz", "/docs/nope"]) {
    const response = await app.inject({ url, headers });
    assert.deepEqual(
      [response.statusCode, response.headers["x-robots-tag"]],
      [404, "noindex"],
      url,
    );
    assert.equal(typeof response.json().error, "string");
  }
});

const SHORTER: [address: string, location: string][] = [
  ["//", "/"],
  ["/api/", "/api"],
  ["/docs/", "/docs"],
  ["/guide/", "/guide"],
  ["/download/bots/", "/download/bots"],
  ["/api/bots/Rex/?ladder=public", "/api/bots/Rex?ladder=public"],
  ["http://evil.example/api/", "/api"],
];
for (const [address, location] of SHORTER)
  it(`redirects ${address} to ${location}`, async () => {
    const { statusCode, headers } = await testApi().app.inject({ method: "HEAD", url: address });
    assert.deepEqual([statusCode, headers.location], [308, location]);
  });

it("keeps slashes in the query", async () => {
  const { app } = testApi();
  for (const query of ["x=/", "next=https://a.example/", "x=a/?b", "x=/#y/"])
    for (const path of ["/api", "/docs/protocol", "/guide/rules"])
      assert.equal((await app.inject(`${path}?${query}`)).statusCode, 200, query);
  const { headers } = await app.inject("/api/?x=/");
  assert.equal(headers.location, "/api?x=/");
});

it("never redirects to another host", async () => {
  const { app } = testApi();
  for (const url of ["//evil.example/", "//evil.example/api/", "/\\evil.example/", "//api/"])
    assert.equal((await app.inject(url)).headers.location, undefined, url);
});

it("lets any site read public responses and 404s for unknown paths", async () => {
  const { app } = testApi();
  for (const url of ["/api/nope", "/nope", "/api/bots/nobody", "/api/matches?limit=0"]) {
    const { headers } = await app.inject(url);
    assert.equal(headers["access-control-allow-origin"], "*", url);
    assert.equal(headers["access-control-expose-headers"], "ETag, Retry-After", url);
  }
  const wrongMethod = await app.inject({ method: "POST", url: "/api/status" });
  assert.equal(wrongMethod.headers["access-control-allow-origin"], "*");
  const preflightResponse = await app.inject({ method: "OPTIONS", url: "/api/status" });
  const allowed = String(preflightResponse.headers["access-control-allow-headers"]);
  for (const name of ["If-None-Match", "Authorization", "Content-Type"])
    assert.ok(allowed.includes(name), name);
});

it("sends Vary: Accept with negotiated errors", async () => {
  const { app } = testApi();
  for (const accept of ["text/html", "*/*"]) {
    const { headers } = await app.inject({ url: "/nope", headers: { accept } });
    assert.equal(headers.vary, "Accept");
  }
});

it("returns 414 if a path segment is longer than any name", async () => {
  const { app } = testApi();
  for (const url of ["/api/matches", "/docs"])
    assert.equal((await app.inject(`${url}/${"x".repeat(600)}`)).statusCode, 414, url);
});

it("T42 returns 503 while the store is unavailable", async () => {
  const namespaces = buildRepositories(() => async () => {
    throw new StoreError("unavailable", "connect ECONNREFUSED 10.0.0.5:5432");
  });
  const store = { ...namespaces, close: async () => {} };
  const { app } = testApi({}, { store });
  const { statusCode, headers, json } = await app.inject("/api/matches");
  assert.deepEqual([statusCode, headers["retry-after"]], [503, "1"]);
  const { error, code } = json<{ error: string; code: string }>();
  assert.deepEqual([code, error.includes("ECONNREFUSED")], ["store_unavailable", false]);
});

it("fails a test whose response violates its schema", async () => {
  const { app, arena } = testApi();
  arena.capacity = () => ({ running: 1.5, max: 320 });
  assert.equal((await app.inject("/api/status")).statusCode, 500);
  arena.capacity = () =>
    ({ running: 1, max: 320, secret: "x" }) as { running: number; max: number };
  assert.equal((await app.inject("/api/status")).statusCode, 500);
});
