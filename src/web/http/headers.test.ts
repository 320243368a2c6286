import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { RouteOptions } from "fastify";

import { BOUT_IDS } from "#testing/fixtures/sample-world.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

/** Every route of the app, and a request for each of its methods. */
async function allRoutes() {
  const api = testApi();
  const routes: RouteOptions[] = [];
  api.app.addHook("onRoute", (route) => void routes.push(route));
  await api.app.ready();
  const requests = routes.flatMap(({ url, method }) =>
    [method].flat().map((one) => ({
      route: url,
      method: one as "GET",
      url: url.replace(/:\w+/g, BOUT_IDS.nothing).replace("*", "nothing"),
    })),
  );
  return { ...api, requests };
}

const FRAMED = ["GET /view/:id", "HEAD /view/:id"];

describe("the headers of every route", () => {
  it("T70 let any site frame the viewer alone, and nobody anything else", async () => {
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
    assert.deepEqual(framed.toSorted(), FRAMED);
    assert.ok(requests.length > 60, `${requests.length} requests`);
  });

  it("let other sites read what is public, and store nothing of the rest", async () => {
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

  it("let a framed page be part of one that demands the same of all its parts", async () => {
    const { app } = testApi();
    const { headers } = await app.inject(`/view/${BOUT_IDS.nothing}`);
    assert.equal(headers["cross-origin-embedder-policy"], "require-corp");
    const own = await app.inject(`/match/${BOUT_IDS.nothing}`);
    assert.equal(own.headers["cross-origin-embedder-policy"], undefined);
  });

  it("promise TLS for a year where people come by https, and on this machine never", async () => {
    const promised = async ({ app }: Pick<TestApi, "app">, url: string) =>
      (await app.inject(url)).headers["strict-transport-security"];
    const open = testApi({ baseUrl: "https://bout.example" });
    for (const url of ["/api", "/nowhere", "/api/account"])
      assert.equal(await promised(open, url), "max-age=31536000", url);
    const others = ["http://bout.example", "https://bout.example:8443", "https://localhost"];
    for (const baseUrl of [...others, "https://127.0.0.1", "https://[::1]"])
      assert.equal(await promised(testApi({ baseUrl }), "/api"), undefined, baseUrl);
  });
});
