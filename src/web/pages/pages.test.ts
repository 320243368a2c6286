import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import { fastify } from "fastify";

import { openCache } from "#base/cache/cache.ts";
import { openRevisions } from "#base/cache/revisions.ts";
import { PROJECT_ROOT } from "#server/composition/project-paths.ts";
import {
  SAMPLE_MATCH_IDS,
  apiAnswerFor,
  createSampleWorld,
  pageSourcesOf,
} from "#testing/fixtures/sample-world.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { compressText } from "#web/http/compression.ts";

import { PAGES } from "./page-table.ts";
import { openPages, pageRoutes } from "./pages.ts";
import type { Site } from "./site.ts";

const CACHE_BYTES = 1_000_000;

function recordingSite() {
  const renderedPaths: string[] = [];
  const render: Site["render"] = async ({ page: { view, head } }) => {
    renderedPaths.push(view);
    const body = Buffer.from(`${view}: ${head.title}`);
    return { ...(await compressText(body, `"${view}"`)), ms: 0 };
  };
  const site: Site = { render, favicon: "<svg/>", assets: [join(PROJECT_ROOT, "docs")] };
  return { site, shown: renderedPaths };
}

describe("the page table", () => {
  it("names existing files of the site", () => {
    for (const { view } of Object.values(PAGES))
      assert.ok(existsSync(join(PROJECT_ROOT, "src", "site", `${view}.tsx`)), view);
  });

  it("has unique paths", () => {
    const paths = Object.values(PAGES).flatMap((row): readonly string[] => row.paths);
    assert.deepEqual(paths, [...new Set(paths)]);
  });
});

describe("the guide on adding a page", () => {
  const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), "utf8");
  const text = read("docs/development/adding-a-page.md");

  it("quotes a row of the table verbatim", () => {
    const [, row] = /^```ts\n(.*?)^```$/ms.exec(text) ?? [];
    assert.ok(row !== undefined && read("src/web/pages/page-table.ts").includes(row));
  });

  it("explains each column", () => {
    const columns = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, column]) => column);
    for (const row of Object.values(PAGES)) assert.deepEqual(Object.keys(row), columns);
  });
});

type Row = [path: string, status: number, html: string];
const ROWS: Row[] = [
  ["/", 200, "standings/home: Bout: a ladder for fighter bots"],
  ["/ladder", 200, "standings/ladder: Standings of January 2026 · Bout"],
  ["/ladder?season=2020-01", 404, "shell/not-found: Not found · Bout"],
  ["/ladder?ladder=none", 404, "shell/not-found: Not found · Bout"],
  ["/ladders", 200, "events/ladders: Ladders · Bout"],
  ["/results", 200, "standings/results: Results of January 2026 · Bout"],
  ["/results?season=2020-01", 404, "shell/not-found: Not found · Bout"],
  [`/match/${SAMPLE_MATCH_IDS.nothing}`, 404, "shell/not-found: Not found · Bout"],
  ["/view/none", 404, "shell/not-found: Not found · Bout"],
  ["/create-bot", 200, "create/page: Create a bot · Bout"],
  ["/play", 200, "play/page: Play a house bot · Bout"],
  ["/guide", 200, "guide/list: Guides · Bout"],
  ["/guide/rules", 200, "guide/text: Rules · Bout"],
  ["/guide/none", 404, "shell/not-found: Not found · Bout"],
  ["/changelog", 200, "guide/text: Changelog · Bout"],
  ["/changelog/all", 200, "guide/text: Changelog: all releases · Bout"],
  ["/nowhere", 404, "shell/not-found: Not found · Bout"],
  ["/docs", 200, "guide/list: Guides · Bout"],
];

describe("a page", () => {
  for (const [url, status, html] of ROWS)
    it(`at ${url} returns ${status} and renders one view`, async () => {
      const { app } = testApi({}, { site: recordingSite().site });
      const { statusCode, headers, body } = await app.inject({
        url,
        headers: { accept: "text/html" },
      });
      assert.deepEqual([statusCode, body], [status, html]);
      assert.equal(headers["content-type"], "text/html; charset=utf-8");
      assert.equal(headers["x-robots-tag"], status === 404 ? "noindex" : undefined);
      assert.equal(headers.etag === undefined, status === 404);
    });
});

describe("a page that can't be rendered", () => {
  const HTML = { accept: "text/html,*/*;q=0.5" };
  const broken: Site["render"] = async ({ page: { view, data } }) => {
    if (view !== "shell/not-found") throw new Error("no such luck");
    const body = Buffer.from(JSON.stringify(data));
    return { ...(await compressText(body, '"none"')), ms: 0 };
  };

  it("returns an error page to browsers and JSON to programs", async () => {
    const { app } = testApi({}, { site: { ...recordingSite().site, render: broken } });
    for (const [url, status, pageError, error] of [
      ["/bot/%E0%A4%A", 400, "address", "The URL isn't encoded correctly."],
      ["/guide", 500, "fault", "Internal Server Error."],
    ] as const) {
      const page = await app.inject({ url, headers: HTML });
      assert.deepEqual([page.statusCode, page.json()], [status, { what: pageError }]);
      assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
      assert.equal(page.headers.vary, "Accept");
      assert.ok(!("etag" in page.headers) && page.headers["cache-control"] !== "public");
      const plain = await app.inject({ url });
      assert.deepEqual([plain.statusCode, plain.json()], [status, { error }]);
    }
    const api = await app.inject({ url: "/api/bots/%E0%A4%A", headers: HTML });
    assert.deepEqual([api.statusCode, api.json<{ error: string }>().error.length > 0], [400, true]);
  });

  it("returns JSON if the error page also fails", async () => {
    const render = () => Promise.reject(new Error("the thread is gone"));
    const { app } = testApi({}, { site: { ...recordingSite().site, render } });
    const { statusCode, json } = await app.inject({ url: "/guide", headers: HTML });
    assert.deepEqual([statusCode, json()], [500, { error: "Internal Server Error." }]);
  });
});

it("requests for many new pages wait in the address's own queue and are then refused", async () => {
  const { site } = recordingSite();
  const done: string[] = [];
  const render: Site["render"] = async (sheet) => {
    await nextTurn();
    done.push(sheet.place.path ?? "");
    return site.render(sheet);
  };
  const callerOf = ({ headers }: IncomingMessage) => String(headers["x-from"]);
  const { app } = testApi({}, { site: { ...site, render }, callerOf });
  const ask = (time: string, q: string) =>
    app.inject({ url: `/ladder?q=${q}`, headers: { "x-from": time } });
  const manyRequests = Array.from({ length: 60 }, (_, at) => ask("one", `many${at}`));
  const otherRequest = ask("other", "single");
  // Some of these pages were first refused to the address that requested too many pages.
  const shared = ["many50", "many55", "many59"].map((q) => ask("other", q));
  const responses = await Promise.all(manyRequests);
  for (const { statusCode } of await Promise.all([otherRequest, ...shared]))
    assert.equal(statusCode, 200);
  const position = done.indexOf("/ladder?q=single");
  assert.ok(position >= 0 && position < 10, `${position} pages rendered before it`);
  const refusal = responses.filter(({ statusCode }) => statusCode === 429);
  assert.ok(refusal.length > 0 && refusal.length < 60);
  const { code, limit } = refusal[0]!.json<{ code: string; limit: string }>();
  assert.deepEqual([code, limit], ["rate_limited", "pages_waiting"]);
  assert.equal(refusal[0]!.headers["retry-after"], "1");
  assert.equal((await ask("one", "later")).statusCode, 200);
});

/** URLs of the table, with parameters in mixed case. */
const PLACES = Object.values(PAGES).flatMap(({ paths }) =>
  paths.map((path) => path.replace(":id", SAMPLE_MATCH_IDS.bout).replace(":name", "Some-Name")),
);

describe("a page address in another letter case", () => {
  const swappedQuery = (path: string) =>
    path.replace(/^\/[^/]*/, (part) => part.charAt(0) + part.slice(1).toUpperCase());
  for (const path of PLACES.filter((item) => item !== "/"))
    for (const method of ["GET", "HEAD"] as const)
      it(`redirects ${method} ${swappedQuery(path)} to the canonical URL, with its query`, async () => {
        const { app } = testApi({}, { site: recordingSite().site });
        const ask = (url: string) => app.inject({ method, url });
        for (const url of [swappedQuery(path), `${swappedQuery(path)}/`]) {
          const { statusCode, headers } = await ask(`${url}?Q=A%26b`);
          assert.deepEqual([statusCode, headers.location], [308, `${path}?Q=A%26b`], url);
        }
      });

  it("redirects for guide names", async () => {
    const { app } = testApi({}, { site: recordingSite().site });
    const { statusCode, headers } = await app.inject("/guide/Rules");
    assert.deepEqual([statusCode, headers.location], [302, "/guide/rules"]);
    assert.equal((await app.inject("/guide/Nothing")).statusCode, 404);
  });

  it("doesn't redirect other resources or requests that change something", async () => {
    const { app } = testApi({}, { site: recordingSite().site });
    for (const url of ["/API", "/Nowhere", "/bot//", "/MATCH/", "//LADDER"])
      assert.equal((await app.inject(url)).statusCode, 404, url);
    assert.equal((await app.inject({ method: "POST", url: "/LADDER" })).statusCode, 404);
  });
});

it("a page with an invalid enumerated parameter redirects to the page without it", async () => {
  const { app } = testApi({}, { site: recordingSite().site });
  for (const [url, position] of [
    ["/play?opponent=nobody", "/play"],
    ["/ladder?show=foo&q=a", "/ladder?q=a"],
  ] as const) {
    const { statusCode, headers } = await app.inject(url);
    assert.deepEqual([statusCode, headers.location], [302, position]);
  }
  assert.equal((await app.inject("/play?opponent=kiter")).statusCode, 200);
});

it("returns the file length if the requested range is invalid", async () => {
  const { app } = testApi({}, { site: recordingSite().site });
  const url = "/assets/rules.md";
  const fullResponse = await app.inject(url);
  const range = `bytes=${fullResponse.rawPayload.length}-`;
  const { statusCode, headers } = await app.inject({ url, headers: { range } });
  assert.equal(statusCode, 416);
  assert.equal(headers["content-range"], `bytes */${fullResponse.rawPayload.length}`);
});

it("a missing file returns the usual 404", async () => {
  const { app } = testApi({}, { site: recordingSite().site });
  const ask = async (accept: string) => {
    const { statusCode, body } = await app.inject({ url: "/assets/nope.js", headers: { accept } });
    return [statusCode, body];
  };
  assert.deepEqual(await ask("text/html"), [404, "shell/not-found: Not found · Bout"]);
  assert.deepEqual(await ask("application/json"), [
    404,
    '{"error":"Nothing is served at this address."}',
  ]);
});

const CACHE_CASES: [path: string, what: string, asked: number[], made: number][] = [
  ["/", "once for all requests within a short interval", [0, 1, 999], 1],
  ["/", "again after the interval", [0, 60_000], 2],
  ["/", "again when the clock was set back", [60_000, 0], 2],
  ["/guide/rules", "once", [0, 60_000, 86_400_000], 1],
  [
    `/match/${SAMPLE_MATCH_IDS.bout}`,
    "once for all requests within a short interval",
    [0, 1, 999],
    1,
  ],
];

describe("a page is rendered", () => {
  for (const [path, pageError, timesMs, renderCount] of CACHE_CASES)
    it(`${pageError}: ${path}`, async () => {
      const { site, shown: renderedPaths } = recordingSite();
      let at = 0;
      const sources = { ...pageSourcesOf(sampleApi()), now: () => at };
      const cache = openCache(openRevisions(), CACHE_BYTES);
      const app = fastify();
      await app.register(pageRoutes(site, openPages(site, sources, cache)));
      renderedPaths.length = 0;
      for (at of timesMs) assert.equal((await app.inject(path)).statusCode, 200);
      assert.equal(renderedPaths.length, renderCount);
    });
});

it("tells caches how long each kind of page is valid", async () => {
  const { app } = testApi({}, { site: recordingSite().site });
  const rows: [url: string, expected: string][] = [
    ["/guide/rules", "public, no-cache"],
    ["/ladder", "public, max-age=1"],
    ["/guide/none", "no-cache"],
    [`/match/${SAMPLE_MATCH_IDS.nothing}`, "no-cache"],
  ];
  for (const [url, expected] of rows)
    assert.equal((await app.inject(url)).headers["cache-control"], expected, url);
});

function sampleApi() {
  const world = createSampleWorld(new Uint8Array());
  const app = fastify();
  for (const path of ["/api", "/api/*"]) app.get(path, async ({ url }) => apiAnswerFor(world, url));
  return app;
}

it("is cached for each combination of the query parameters that it reads, as are its redirects", async () => {
  const { site, shown: renderedPaths } = recordingSite();
  assert.deepEqual(PAGES.guide.query, []);
  const cache = openCache(openRevisions(), CACHE_BYTES);
  const app = fastify();
  await app.register(pageRoutes(site, openPages(site, pageSourcesOf(sampleApi()), cache)));
  renderedPaths.length = 0;
  for (const url of ["/guide/rules", "/guide/rules?utm=1", "/guide/rules?utm=2&x[]=1"])
    assert.equal((await app.inject(url)).statusCode, 200);
  assert.equal(renderedPaths.length, 1, "unread parameters share one cached page");
});

describe("a page that is being rendered", () => {
  it("doesn't delay cached pages or redirects", async () => {
    const { site } = recordingSite();
    const pending = Promise.withResolvers<never>();
    const render: Site["render"] = (sheet) =>
      sheet.place.path === "/changelog" ? pending.promise : site.render(sheet);
    const { app } = testApi({}, { site: { ...site, render } });
    await app.inject("/guide/rules");
    const slowRequest = app.inject("/changelog");
    assert.equal((await app.inject("/guide/rules")).statusCode, 200);
    assert.equal((await app.inject("/play?opponent=nobody")).statusCode, 302);
    pending.reject(new Error("the thread has ended"));
    assert.equal((await slowRequest).statusCode, 500);
    assert.equal((await app.inject("/changelog")).statusCode, 500);
  });

  it("has the same headers for GET and HEAD when rendering fails", async () => {
    const { app } = testApi({}, { site: recordingSite().site });
    const ask = (method: "GET" | "HEAD") =>
      app.inject({ method, url: "/nowhere", headers: { accept: "text/html" } });
    const [getResponse, headResponse] = [await ask("GET"), await ask("HEAD")];
    assert.equal(headResponse.headers["content-type"], getResponse.headers["content-type"]);
    assert.deepEqual([headResponse.statusCode, headResponse.body], [404, ""]);
  });
});
