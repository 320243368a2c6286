import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import { fastify } from "fastify";

import { openCache } from "#base/cache/cache.ts";
import { openRevisions } from "#base/cache/revisions.ts";
import { PROJECT } from "#server/composition/project.ts";
import { BOUT_IDS, answerOf, newWorld, sourcesOf } from "#testing/fixtures/sample-world.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { packedText } from "#web/http/compression.ts";

import { openPages, pageRoutes } from "./pages.ts";
import type { Site } from "./site.ts";
import { PAGES } from "./table.ts";

const CACHE_BYTES = 1_000_000;

/** A site that reports which views it rendered, and how often. */
function watchedSite() {
  const shown: string[] = [];
  const render: Site["render"] = async ({ page: { view, head } }) => {
    shown.push(view);
    const body = Buffer.from(`${view}: ${head.title}`);
    return { ...(await packedText(body, `"${view}"`)), ms: 0 };
  };
  const site: Site = { render, favicon: "<svg/>", assets: [join(PROJECT, "docs")] };
  return { site, shown };
}

describe("the table of pages", () => {
  it("names files of the site", () => {
    for (const { view } of Object.values(PAGES))
      assert.ok(existsSync(join(PROJECT, "src", "site", `${view}.tsx`)), view);
  });

  it("has each address once", () => {
    const paths = Object.values(PAGES).flatMap((row): readonly string[] => row.paths);
    assert.deepEqual(paths, [...new Set(paths)]);
  });
});

describe("the page about adding a page", () => {
  const read = (path: string) => readFileSync(join(PROJECT, path), "utf8");
  const text = read("docs/development/adding-a-page.md");

  it("shows a row of the table as it is", () => {
    const [, row] = /^```ts\n(.*?)^```$/ms.exec(text) ?? [];
    assert.ok(row !== undefined && read("src/web/pages/table.ts").includes(row));
  });

  it("explains each column", () => {
    const named = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, column]) => column);
    for (const row of Object.values(PAGES)) assert.deepEqual(Object.keys(row), named);
  });
});

type Row = [path: string, status: number, html: string];
const ROWS: Row[] = [
  ["/", 200, "standings/home: Bout: a ladder for fighter bots"],
  ["/ladder", 200, "standings/ladder: Standings of January 2026 · Bout"],
  ["/ladder?season=2020-01", 404, "public/missing: Not found · Bout"],
  ["/ladder?ladder=none", 404, "public/missing: Not found · Bout"],
  ["/ladders", 200, "events/ladders: Ladders · Bout"],
  ["/results", 200, "standings/results: Results of January 2026 · Bout"],
  ["/results?season=2020-01", 404, "public/missing: Not found · Bout"],
  [`/match/${BOUT_IDS.nothing}`, 404, "public/missing: Not found · Bout"],
  ["/view/none", 404, "public/missing: Not found · Bout"],
  ["/create-bot", 200, "create/page: Create a bot · Bout"],
  ["/play", 200, "play/page: Fight a house bot · Bout"],
  ["/guide", 200, "guide/list: Guides · Bout"],
  ["/guide/rules", 200, "guide/text: Rules · Bout"],
  ["/guide/none", 404, "public/missing: Not found · Bout"],
  ["/changelog", 200, "guide/text: Changelog · Bout"],
  ["/nowhere", 404, "public/missing: Not found · Bout"],
  ["/docs", 200, "guide/list: Guides · Bout"],
];

describe("a page", () => {
  for (const [url, status, html] of ROWS)
    it(`at ${url} is ${status} and shown by one view`, async () => {
      const { app } = testApi({}, { site: watchedSite().site });
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

describe("a page that cannot be shown", () => {
  const HTML = { accept: "text/html,*/*;q=0.5" };
  const broken: Site["render"] = async ({ page: { view, data } }) => {
    if (view !== "public/missing") throw new Error("no such luck");
    const body = Buffer.from(JSON.stringify(data));
    return { ...(await packedText(body, '"none"')), ms: 0 };
  };

  it("says so as a page to people, and as JSON to programs", async () => {
    const { app } = testApi({}, { site: { ...watchedSite().site, render: broken } });
    for (const [url, status, what, error] of [
      ["/bot/%E0%A4%A", 400, "address", "The address is not well encoded."],
      ["/guide", 500, "fault", "Internal Server Error."],
    ] as const) {
      const page = await app.inject({ url, headers: HTML });
      assert.deepEqual([page.statusCode, page.json()], [status, { what }]);
      assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
      assert.equal(page.headers.vary, "Accept");
      assert.ok(!("etag" in page.headers) && page.headers["cache-control"] !== "public");
      const plain = await app.inject({ url });
      assert.deepEqual([plain.statusCode, plain.json()], [status, { error }]);
    }
    const api = await app.inject({ url: "/api/bots/%E0%A4%A", headers: HTML });
    assert.deepEqual([api.statusCode, api.json<{ error: string }>().error.length > 0], [400, true]);
  });

  it("is JSON where not even that page can be made", async () => {
    const render = () => Promise.reject(new Error("the thread is gone"));
    const { app } = testApi({}, { site: { ...watchedSite().site, render } });
    const { statusCode, json } = await app.inject({ url: "/guide", headers: HTML });
    assert.deepEqual([statusCode, json()], [500, { error: "Internal Server Error." }]);
  });
});

it("an address that asks for many new pages waits for itself, and then is refused", async () => {
  const { site } = watchedSite();
  const done: string[] = [];
  const render: Site["render"] = async (sheet) => {
    await nextTurn();
    done.push(sheet.place.path ?? "");
    return site.render(sheet);
  };
  const callerOf = ({ headers }: IncomingMessage) => String(headers["x-from"]);
  const { app } = testApi({}, { site: { ...site, render }, callerOf });
  const ask = (from: string, q: string) =>
    app.inject({ url: `/ladder?q=${q}`, headers: { "x-from": from } });
  const many = Array.from({ length: 60 }, (_, at) => ask("one", `many${at}`));
  const other = ask("other", "single");
  // Some of these are refused to the crowd that asked for them first.
  const shared = ["many50", "many55", "many59"].map((q) => ask("other", q));
  const answers = await Promise.all(many);
  for (const { statusCode } of await Promise.all([other, ...shared])) assert.equal(statusCode, 200);
  const place = done.indexOf("/ladder?q=single");
  assert.ok(place >= 0 && place < 10, `${place} pages were made before it`);
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  assert.ok(refused.length > 0 && refused.length < 60);
  const { code, limit } = refused[0]!.json<{ code: string; limit: string }>();
  assert.deepEqual([code, limit], ["rate_limited", "pages_waiting"]);
  assert.equal(refused[0]!.headers["retry-after"], "1");
  assert.equal((await ask("one", "later")).statusCode, 200);
});

/** Addresses of the table, with parts that other letters would change. */
const PLACES = Object.values(PAGES).flatMap(({ paths }) =>
  paths.map((path) => path.replace(":id", BOUT_IDS.bout).replace(":name", "Some-Name")),
);

describe("the address of a page in another letter case", () => {
  const swapped = (path: string) =>
    path.replace(/^\/[^/]*/, (part) => part.charAt(0) + part.slice(1).toUpperCase());
  for (const path of PLACES.filter((one) => one !== "/"))
    for (const method of ["GET", "HEAD"] as const)
      it(`leads ${method} ${swapped(path)} to its own, with its query`, async () => {
        const { app } = testApi({}, { site: watchedSite().site });
        const ask = (url: string) => app.inject({ method, url });
        for (const url of [swapped(path), `${swapped(path)}/`]) {
          const { statusCode, headers } = await ask(`${url}?Q=A%26b`);
          assert.deepEqual([statusCode, headers.location], [308, `${path}?Q=A%26b`], url);
        }
      });

  it("is followed for the name of a guide", async () => {
    const { app } = testApi({}, { site: watchedSite().site });
    const { statusCode, headers } = await app.inject("/guide/Rules");
    assert.deepEqual([statusCode, headers.location], [302, "/guide/rules"]);
    assert.equal((await app.inject("/guide/Nothing")).statusCode, 404);
  });

  it("is not followed for what is no page, or for what changes something", async () => {
    const { app } = testApi({}, { site: watchedSite().site });
    for (const url of ["/API", "/Nowhere", "/bot//", "/MATCH/", "//LADDER"])
      assert.equal((await app.inject(url)).statusCode, 404, url);
    assert.equal((await app.inject({ method: "POST", url: "/LADDER" })).statusCode, 404);
  });
});

it("a page asked for with a value that its parameter does not have is elsewhere", async () => {
  const { app } = testApi({}, { site: watchedSite().site });
  for (const [url, place] of [
    ["/play?opponent=nobody", "/play"],
    ["/ladder?show=foo&q=a", "/ladder?q=a"],
  ] as const) {
    const { statusCode, headers } = await app.inject(url);
    assert.deepEqual([statusCode, headers.location], [302, place]);
  }
  assert.equal((await app.inject("/play?opponent=kiter")).statusCode, 200);
});

it("says how long a file is of which it has not the part that is asked for", async () => {
  const { app } = testApi({}, { site: watchedSite().site });
  const url = "/assets/rules.md";
  const whole = await app.inject(url);
  const range = `bytes=${whole.rawPayload.length}-`;
  const { statusCode, headers } = await app.inject({ url, headers: { range } });
  assert.equal(statusCode, 416);
  assert.equal(headers["content-range"], `bytes */${whole.rawPayload.length}`);
});

it("a file that is not there is a 404 like any other", async () => {
  const { app } = testApi({}, { site: watchedSite().site });
  const ask = async (accept: string) => {
    const { statusCode, body } = await app.inject({ url: "/assets/nope.js", headers: { accept } });
    return [statusCode, body];
  };
  assert.deepEqual(await ask("text/html"), [404, "public/missing: Not found · Bout"]);
  assert.deepEqual(await ask("application/json"), [
    404,
    '{"error":"Nothing is served at this address."}',
  ]);
});

const KEPT: [path: string, what: string, asked: number[], made: number][] = [
  ["/", "once for all who ask within a moment", [0, 1, 999], 1],
  ["/", "anew when the moment is over", [0, 60_000], 2],
  ["/", "anew when the clock was set back", [60_000, 0], 2],
  ["/guide/rules", "once", [0, 60_000, 86_400_000], 1],
  [`/match/${BOUT_IDS.bout}`, "once for all who ask within a moment", [0, 1, 999], 1],
];

describe("a page is made", () => {
  for (const [path, what, asked, made] of KEPT)
    it(`${what}: ${path}`, async () => {
      const { site, shown } = watchedSite();
      let at = 0;
      const sources = { ...sourcesOf(sampleApi()), now: () => at };
      const cache = openCache(openRevisions(), CACHE_BYTES);
      const app = fastify();
      await app.register(pageRoutes(site, openPages(site, sources, cache)));
      shown.length = 0;
      for (at of asked) assert.equal((await app.inject(path)).statusCode, 200);
      assert.equal(shown.length, made);
    });
});

it("tells caches how long each kind of page is good for", async () => {
  const { app } = testApi({}, { site: watchedSite().site });
  const rows: [url: string, expected: string][] = [
    ["/guide/rules", "public, no-cache"],
    ["/ladder", "public, max-age=1"],
    ["/guide/none", "no-cache"],
    [`/match/${BOUT_IDS.nothing}`, "no-cache"],
  ];
  for (const [url, expected] of rows)
    assert.equal((await app.inject(url)).headers["cache-control"], expected, url);
});

/** The public API of a sample ladder. */
function sampleApi() {
  const world = newWorld(new Uint8Array());
  const app = fastify();
  for (const path of ["/api", "/api/*"]) app.get(path, async ({ url }) => answerOf(world, url));
  return app;
}

it("keeps a page for the query parameters it reads, and follows it to its address", async () => {
  const { site, shown } = watchedSite();
  assert.deepEqual(PAGES.guide.query, []);
  const cache = openCache(openRevisions(), CACHE_BYTES);
  const app = fastify();
  await app.register(pageRoutes(site, openPages(site, sourcesOf(sampleApi()), cache)));
  shown.length = 0;
  for (const url of ["/guide/rules", "/guide/rules?utm=1", "/guide/rules?utm=2&x[]=1"])
    assert.equal((await app.inject(url)).statusCode, 200);
  assert.equal(shown.length, 1, "what a page does not read makes no other page");
});

describe("a page that is being rendered", () => {
  it("holds up no page that is kept, and nobody who is led elsewhere", async () => {
    const { site } = watchedSite();
    const never = Promise.withResolvers<never>();
    const render: Site["render"] = (sheet) =>
      sheet.place.path === "/changelog" ? never.promise : site.render(sheet);
    const { app } = testApi({}, { site: { ...site, render } });
    await app.inject("/guide/rules");
    const held = app.inject("/changelog");
    assert.equal((await app.inject("/guide/rules")).statusCode, 200);
    assert.equal((await app.inject("/play?opponent=nobody")).statusCode, 302);
    never.reject(new Error("the thread has ended"));
    assert.equal((await held).statusCode, 500);
    assert.equal((await app.inject("/changelog")).statusCode, 500);
  });

  it("is missing with the same headers for GET and HEAD", async () => {
    const { app } = testApi({}, { site: watchedSite().site });
    const ask = (method: "GET" | "HEAD") =>
      app.inject({ method, url: "/nowhere", headers: { accept: "text/html" } });
    const [got, headed] = [await ask("GET"), await ask("HEAD")];
    assert.equal(headed.headers["content-type"], got.headers["content-type"]);
    assert.deepEqual([headed.statusCode, headed.body], [404, ""]);
  });
});
