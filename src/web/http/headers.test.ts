import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { RouteOptions } from "fastify";

import { SAMPLE_MATCH_IDS } from "#testing/fixtures/sample-world.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

async function allRoutes() {
  const api = testApi();
  const routes: RouteOptions[] = [];
  api.app.addHook("onRoute", (route) => void routes.push(route));
  await api.app.ready();
  const requests = routes.flatMap(({ url, method }) =>
    [method].flat().map((item) => ({
      route: url,
      method: item as "GET",
      url: url.replace(/:\w+/g, SAMPLE_MATCH_IDS.nothing).replace("*", "nothing"),
    })),
  );
  return { ...api, requests };
}

const FRAMED_ROUTES = ["GET /view/:id", "HEAD /view/:id"];

describe("the headers of every route", () => {
  it("T70 let any site frame the viewer, but no other page", async () => {
    const { app, requests } = await allRoutes();
    const framed: string[] = [];
    for (const { route, ...request } of requests) {
      const { headers } = await app.inject(request);
      const name = `${request.method} ${route}`;
      const policy = String(headers["content-security-policy"]);
      const [, ancestors] = /frame-ancestors (.*)$/.exec(policy) ?? [];
      if (ancestors === "*" && headers["x-frame-options"] === undefined) framed.push(name);
      else assert.deepEqual([ancestors, headers["x-frame-options"]], ["'none'", "DENY"], name);
      assert.match(policy, /^default-src 'self';/, name);
      assert.ok(!policy.includes("unsafe"), name);
      assert.equal(headers["x-content-type-options"], "nosniff", name);
      assert.equal(headers["referrer-policy"], "no-referrer", name);
      assert.ok(headers["cross-origin-resource-policy"] !== undefined, name);
    }
    assert.deepEqual(framed.toSorted(), FRAMED_ROUTES);
    assert.ok(requests.length > 60, `${requests.length} requests`);
  });

  it("let other sites read public responses, and prevent all other responses from being stored", async () => {
    const { app, requests } = await allRoutes();
    for (const { route, ...request } of requests) {
      const { headers } = await app.inject(request);
      const isOpen = headers["access-control-allow-origin"] === "*";
      const isShared = headers["cross-origin-resource-policy"] === "cross-origin";
      assert.equal(isOpen, isShared, route);
      const isStored = !String(headers["cache-control"]).includes("no-store");
      if (route.startsWith("/api/me") || route === "/api/bots")
        assert.deepEqual([isOpen, isStored], [false, false], route);
      if (route.startsWith("/assets/")) assert.deepEqual([isOpen, isStored], [true, true], route);
    }
  });

  it("allow embedding the viewer in a cross-origin isolated page", async () => {
    const { app } = testApi();
    const { headers } = await app.inject(`/view/${SAMPLE_MATCH_IDS.nothing}`);
    assert.equal(headers["cross-origin-embedder-policy"], "require-corp");
    const ownResponse = await app.inject(`/match/${SAMPLE_MATCH_IDS.nothing}`);
    assert.equal(ownResponse.headers["cross-origin-embedder-policy"], undefined);
  });

  it("set HSTS if the public URL uses https, but never on a local machine", async () => {
    const strictTransport = async ({ app }: Pick<TestApi, "app">, url: string) =>
      (await app.inject(url)).headers["strict-transport-security"];
    const publicApi = testApi({ baseUrl: "https://bout.example" });
    for (const url of ["/api", "/nowhere", "/api/account"])
      assert.equal(await strictTransport(publicApi, url), "max-age=31536000", url);
    const plainUrls = ["http://bout.example", "https://bout.example:8443", "https://localhost"];
    for (const baseUrl of [...plainUrls, "https://127.0.0.1", "https://[::1]"])
      assert.equal(await strictTransport(testApi({ baseUrl }), "/api"), undefined, baseUrl);
  });
});
