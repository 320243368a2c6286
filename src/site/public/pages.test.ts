import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";

import Fastify from "fastify";
import type { FastifyInstance } from "fastify";
import type { Page } from "playwright-core";

import { openCache } from "#base/cache/cache.ts";
import { openRevisions } from "#base/cache/revisions.ts";
import { axeFindings, excessOf, openPageBrowser } from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";
import { SITE } from "#testing/fixtures/project.ts";
import { textOf } from "#testing/fixtures/sample-bout.ts";
import {
  BOUT_IDS,
  SAMPLE,
  answerOf,
  newWorld,
  rowOf,
  sourcesOf,
  stored,
} from "#testing/fixtures/sample-world.ts";
import type { SampleWorld } from "#testing/fixtures/sample-world.ts";
import { openPages, pageRoutes } from "#web/pages/pages.ts";

const HREF = /(?:href|src)="(\/assets\/[^"]+)"/g;
const CACHE_BYTES = 1_000_000;
const TICKS = SAMPLE.replay.ticks.length;
const FILE = gzipSync(SAMPLE.text);
/** As strict as the real server's. */
const POLICY = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:";

async function sampleServer(world: SampleWorld): Promise<FastifyInstance> {
  const app = Fastify();
  app.addHook("onSend", async (_request, reply) => {
    reply.header("content-security-policy", POLICY);
  });
  const cache = openCache(openRevisions(), CACHE_BYTES);
  await app.register(pageRoutes(SITE, openPages(SITE, sourcesOf(app), cache)));
  app.get("/api/announcements", () => []);
  for (const path of ["/api", "/api/*", "/replays/*"])
    app.get(path, async ({ url }, reply) => {
      if (world.isDown) return reply.code(500).send({ error: "down" });
      const answer = answerOf(world, url);
      if (answer === undefined) return reply.code(404).send({ error: "not found" });
      const isFile = answer instanceof Uint8Array;
      return reply.type(isFile ? "application/gzip" : "application/json").send(answer);
    });
  return app;
}

describe("pages as documents", () => {
  let app: FastifyInstance;
  const world = newWorld(FILE);
  before(async () => {
    app = await sampleServer(world);
  });
  after(() => app.close());

  for (const [path, texts] of [
    ["/", ["second-sight", "Kiter", "tick 57", "curl "]],
    ["/ladder", ["second-sight", "Kiter", "fresh-start", "ranked by score"]],
  ] as const) {
    test(`${path} has the standings in its HTML`, async () => {
      const { statusCode, headers, body } = await app.inject(path);
      assert.equal(statusCode, 200);
      assert.match(headers["content-type"] as string, /^text\/html/);
      for (const text of texts) assert.ok(body.includes(text), text);
    });
  }

  test("the page of a bout has the result in its HTML", async () => {
    const { statusCode, body } = await app.inject(`/match/${BOUT_IDS.bout}`);
    assert.equal(statusCode, 200);
    assert.match(
      body,
      /property="og:description" content="Bob beat Ada on \w+ after \d+ ticks: knockout\."/,
    );
    for (const text of ["Bob won by knockout", "Why Ada lost", "1512"])
      assert.ok(body.includes(text), text);
  });

  for (const path of [`/match/${BOUT_IDS.nothing}`, `/view/${BOUT_IDS.nothing}`]) {
    test(`${path} is not found and not to be indexed`, async () => {
      const { statusCode, headers, body } = await app.inject(path);
      assert.equal(statusCode, 404);
      assert.equal(headers["x-robots-tag"], "noindex");
      assert.match(body, /There is no bout with this number/);
    });
  }

  test("assets have hashed names and may be cached forever", async () => {
    const { body } = await app.inject("/");
    const paths = [...body.matchAll(HREF)].map(([, path]) => path);
    assert.ok(paths.length > 2);
    for (const path of paths) {
      const { statusCode, headers } = await app.inject(path!);
      assert.equal(statusCode, 200);
      assert.match(headers["cache-control"]!, /max-age=31536000, immutable/);
    }
  });

  test("assets were compressed when they were built, for those who take that", async () => {
    const { body } = await app.inject("/");
    const paths = [...body.matchAll(HREF)].map(([, path]) => path!);
    const texts = paths.filter((path) => /\.(?:css|js)$/.test(path));
    assert.ok(texts.length > 2);
    for (const url of texts) {
      const whole = await app.inject(url);
      assert.equal(whole.headers["content-encoding"], undefined);
      for (const [accepted, encoding, unpack] of [
        ["gzip, br", "br", brotliDecompressSync],
        ["gzip", "gzip", gunzipSync],
      ] as const) {
        const { headers, rawPayload } = await app.inject({
          url,
          headers: { "accept-encoding": accepted },
        });
        assert.equal(headers["content-encoding"], encoding);
        assert.equal(headers["content-type"], whole.headers["content-type"]);
        assert.match(String(headers.vary), /accept-encoding/i);
        assert.match(headers["cache-control"]!, /max-age=31536000, immutable/);
        assert.deepEqual(unpack(rawPayload), whole.rawPayload);
      }
    }
  });

  test("there is a favicon under both of its names", async () => {
    for (const path of ["/favicon.svg", "/favicon.ico"]) {
      const { statusCode, headers } = await app.inject(path);
      assert.deepEqual([statusCode, headers["content-type"]], [200, "image/svg+xml"]);
      assert.equal(headers["cache-control"], "public, max-age=86400");
    }
  });

  test("names cannot break out of the page's data", async () => {
    const name = "</script><script>alert(1)</script>";
    world.leaderboard = [rowOf(name, 0)];
    const { body } = await app.inject("/");
    assert.ok(!body.includes("<script>alert"));
    world.leaderboard = [];
  });
});

// The browser in the npm package is built for Linux.
describe("pages in a browser", { skip: process.platform !== "linux" }, () => {
  let app: FastifyInstance;
  let browser: PageBrowser;
  let world: SampleWorld;

  before(async () => {
    world = newWorld(FILE);
    app = await sampleServer(world);
    const base = await app.listen({ port: 0, host: "127.0.0.1" });
    browser = await openPageBrowser(base, { strict: true });
  });
  after(async () => {
    await browser?.close();
    await app?.close();
  });

  const visit: PageBrowser["visit"] = (...given) => browser.visit(...given);

  const tickOf = async (page: Page): Promise<number> =>
    Number(await page.locator(".hud-tick").textContent());
  const waitForTick = (page: Page, tick: number) =>
    page.locator(".hud-tick", { hasText: new RegExp(`^${tick}$`) }).waitFor();

  const hide = (hidden: string): string =>
    `Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true });
     document.dispatchEvent(new Event("visibilitychange"));`;

  test("the standings update themselves", async () => {
    await visit("/", async (page) => {
      await page.getByText("Live, as of").waitFor();
      world.leaderboard = [rowOf("newcomer", 0), ...world.leaderboard];
      world.status.matches[0]!.tick = 58;
      await page.getByRole("rowheader", { name: "newcomer" }).waitFor();
      await page.getByText("tick 58").first().waitFor();
    });
  });

  test("when the server does not answer, the page says so and keeps its data", async () => {
    const look = async (page: Page): Promise<void> => {
      world.isDown = true;
      await page.getByText("The server does not answer").waitFor();
      assert.equal(await page.getByRole("rowheader", { name: "second-sight" }).count(), 1);
      world.isDown = false;
      await page.getByText("Live, as of").waitFor();
    };
    await visit("/", look, { strict: false });
  });

  test("a hidden page asks for nothing until it is seen again", async () => {
    await visit("/", async (page) => {
      await page.getByText("Live, as of").waitFor();
      await page.evaluate(hide("true"));
      let asked = 0;
      page.on("request", () => (asked += 1));
      world.status.matches[0]!.tick = 77;
      await page.waitForTimeout(2500);
      assert.equal(asked, 0);
      await page.evaluate(hide("false"));
      await page.getByText("tick 77").first().waitFor();
    });
  });

  test("a bout plays, pauses, steps and scrubs", async () => {
    await visit(`/match/${BOUT_IDS.bout}`, async (page) => {
      await page.getByRole("button", { name: "Pause" }).click();
      const paused = await tickOf(page);
      await page.getByRole("button", { name: "One tick on" }).click();
      await waitForTick(page, paused + 1);
      await page.getByRole("button", { name: "One tick back" }).click();
      await waitForTick(page, paused);
      await page.getByRole("slider", { name: "Tick" }).fill("40");
      await waitForTick(page, 40);
      await page.getByText("8×", { exact: true }).click();
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await waitForTick(page, TICKS);
      await page
        .getByText(/Ada is down/)
        .first()
        .waitFor();
    });
  });

  test("keys and the list of events lead through a bout", async () => {
    await visit(`/match/${BOUT_IDS.bout}#tick-20`, async (page) => {
      await waitForTick(page, 20);
      await page.keyboard.press("ArrowRight");
      await waitForTick(page, 21);
      await page.keyboard.press("Shift+ArrowLeft");
      await waitForTick(page, 11);
      await page.keyboard.press("End");
      await waitForTick(page, TICKS);
      await page.getByRole("button", { name: "Go to tick 14" }).click();
      await waitForTick(page, 15);
      await page.getByText("Both turns of tick 14").waitFor();
    });
  });

  test("a tick shows both turns, refusals and failures, and shouts stay plain text", async () => {
    await visit(`/match/${BOUT_IDS.bout}#tick-4`, async (page) => {
      await waitForTick(page, 4);
      const turns = page.locator(".turns");
      await turns.getByText("shout “<img src=x onerror=alert(1)> & more”").waitFor();
      assert.equal(await page.locator("img").count(), 0);
      await page.getByRole("button", { name: "Go to tick 11" }).click();
      await turns.getByText("headbutt").waitFor();
      await page.getByText("Bob’s attack is refused: no such attack").first().waitFor();
      await page.goto(new URL("#tick-8", page.url()).href);
      await turns.getByText("no turn: no answer in time").waitFor();
    });
  });

  test("with reduced motion nothing plays by itself and steps jump", async () => {
    const look = async (page: Page): Promise<void> => {
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
      assert.equal(await tickOf(page), 0);
      await page.keyboard.press("ArrowRight");
      assert.equal(await tickOf(page), 1);
    };
    await visit(`/match/${BOUT_IDS.bout}`, look, { reducedMotion: "reduce" });
  });

  test("a replay that does not verify is shown with a warning", async () => {
    const forged = structuredClone(SAMPLE.replay);
    forged.ticks[2]!.turns = [{}, {}];
    world.bouts.set(BOUT_IDS.forged, stored(BOUT_IDS.forged, SAMPLE, gzipSync(textOf(forged))));
    await visit(`/match/${BOUT_IDS.forged}`, async (page) => {
      await page.getByText("This replay does not verify").waitFor();
      await page.locator("canvas").waitFor();
    });
  });

  test("a file that is not a replay is an error in plain words", async () => {
    world.bouts.set(BOUT_IDS.broken, stored(BOUT_IDS.broken, SAMPLE, gzipSync("nonsense\n")));
    await visit(`/match/${BOUT_IDS.broken}`, async (page) => {
      await page.getByText("The replay cannot be shown").waitFor();
    });
  });

  test("a bout that was forfeit before its first tick says so, without any warning", async () => {
    const result = { winner: "A", reason: "forfeit", ticks: 0, hash: "00000000" } as const;
    const replay = { ...SAMPLE.replay, ticks: [], result };
    world.bouts.set(
      BOUT_IDS.forfeit,
      stored(BOUT_IDS.forfeit, { replay }, gzipSync(textOf(replay))),
    );
    await visit(`/match/${BOUT_IDS.forfeit}`, async (page) => {
      await page.getByText("Bob was not ready in time: Ada won by forfeit.").waitFor();
      await page.getByText("No tick was fought").waitFor();
      assert.equal(await page.getByText("does not verify").count(), 0);
    });
  });

  test("a trimmed replay is explained", async () => {
    world.bouts.set(BOUT_IDS.trimmed, stored(BOUT_IDS.trimmed, SAMPLE, null));
    await visit(`/match/${BOUT_IDS.trimmed}`, async (page) => {
      await page.getByText("no longer kept").waitFor();
    });
  });

  test("a running bout is followed to its end and then shown", async () => {
    await visit(`/match/${BOUT_IDS.live}`, async (page) => {
      await page.getByText("This bout is being fought on pinwheel").waitFor();
      world.status.matches[0]!.tick = 99;
      await page.getByText("Tick 99 of at most 300").waitFor();
      world.bouts.set(BOUT_IDS.live, stored(BOUT_IDS.live, SAMPLE, FILE));
      world.status.matches = [];
      await page.locator("canvas").waitFor();
      await page.getByText("Why Ada lost").waitFor();
    });
  });

  for (const path of ["/", `/match/${BOUT_IDS.bout}#tick-40`, `/match/${BOUT_IDS.nothing}`]) {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [390, 1440]) {
        test(`${path} is accessible and fits, ${colorScheme} at ${width} px`, async () => {
          const viewport = { width, height: 900 };
          const strict = !path.includes(BOUT_IDS.nothing);
          await visit(path, (page) => inspect(page, path), { colorScheme, viewport, strict });
        });
      }
    }
  }

  async function inspect(page: Page, path: string): Promise<void> {
    if (path.includes(BOUT_IDS.bout)) await page.locator("canvas").waitFor();
    assert.ok((await excessOf(page)) <= 0);
    assert.deepEqual(await axeFindings(page), []);
  }
});
