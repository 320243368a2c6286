import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";

import Fastify from "fastify";
import type { FastifyInstance } from "fastify";
import type { Page } from "playwright-core";

import { openCache } from "#base/cache/cache.ts";
import { openRevisions } from "#base/cache/revisions.ts";
import {
  axeViolations,
  horizontalOverflow,
  openPageBrowser,
} from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";
import { TEST_SITE } from "#testing/fixtures/project.ts";
import { replayText } from "#testing/fixtures/sample-match.ts";
import {
  SAMPLE_MATCH_IDS,
  WORLD_SAMPLE_MATCH,
  apiAnswerFor,
  createSampleWorld,
  leaderboardRow,
  pageSourcesOf,
  storedSampleMatch,
} from "#testing/fixtures/sample-world.ts";
import type { SampleWorld } from "#testing/fixtures/sample-world.ts";
import { refuseWatchers } from "#testing/fixtures/watch-route.ts";
import { openPages, pageRoutes } from "#web/pages/pages.ts";

const HREF = /(?:href|src)="(\/assets\/[^"]+)"/g;
const CACHE_BYTES = 1_000_000;
const TICKS = WORLD_SAMPLE_MATCH.replay.ticks.length;
const FILE = gzipSync(WORLD_SAMPLE_MATCH.text);
const POLICY = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:";

async function sampleServer(world: SampleWorld): Promise<FastifyInstance> {
  const app = Fastify();
  app.addHook("onSend", async (_request, reply) => {
    reply.header("content-security-policy", POLICY);
  });
  const cache = openCache(openRevisions(), CACHE_BYTES);
  await app.register(pageRoutes(TEST_SITE, openPages(TEST_SITE, pageSourcesOf(app), cache)));
  app.get("/api/announcements", () => []);
  for (const path of ["/api", "/api/*", "/replays/*"])
    app.get(path, async ({ url }, reply) => {
      if (world.isDown) return reply.code(500).send({ error: "down" });
      const response = apiAnswerFor(world, url);
      if (response === undefined) return reply.code(404).send({ error: "not found" });
      const isFile = response instanceof Uint8Array;
      return reply.type(isFile ? "application/gzip" : "application/json").send(response);
    });
  return app;
}

describe("page documents", () => {
  let app: FastifyInstance;
  const world = createSampleWorld(FILE);
  before(async () => {
    app = await sampleServer(world);
  });
  after(() => app.close());

  for (const [path, texts] of [
    ["/", ["second-sight", "Kiter", "tick 57", "curl "]],
    ["/ladder", ["second-sight", "Kiter", "fresh-start", "ranked by score"]],
  ] as const) {
    test(`contain the standings for ${path}`, async () => {
      const { statusCode, headers, body } = await app.inject(path);
      assert.equal(statusCode, 200);
      assert.match(headers["content-type"] as string, /^text\/html/);
      for (const text of texts) assert.ok(body.includes(text), text);
    });
  }

  test("contain the result of a match", async () => {
    const { statusCode, body } = await app.inject(`/match/${SAMPLE_MATCH_IDS.bout}`);
    assert.equal(statusCode, 200);
    assert.match(
      body,
      /property="og:description" content="Bob beat Ada on \w+ after \d+ ticks: knockout\."/,
    );
    for (const text of ["Bob won by knockout", "Why Ada lost", "1512"])
      assert.ok(body.includes(text), text);
  });

  for (const path of [`/match/${SAMPLE_MATCH_IDS.nothing}`, `/view/${SAMPLE_MATCH_IDS.nothing}`]) {
    test(`return 404 and noindex for ${path}`, async () => {
      const { statusCode, headers, body } = await app.inject(path);
      assert.equal(statusCode, 404);
      assert.equal(headers["x-robots-tag"], "noindex");
      assert.match(body, /There's no match with this ID/);
    });
  }

  test("serve assets with hashed names and immutable caching", async () => {
    const { body } = await app.inject("/");
    const paths = [...body.matchAll(HREF)].map(([, path]) => path);
    assert.ok(paths.length > 2);
    for (const path of paths) {
      const { statusCode, headers } = await app.inject(path!);
      assert.equal(statusCode, 200);
      assert.match(headers["cache-control"]!, /max-age=31536000, immutable/);
    }
  });

  test("serve precompressed assets to clients that accept them", async () => {
    const { body } = await app.inject("/");
    const paths = [...body.matchAll(HREF)].map(([, path]) => path!);
    const texts = paths.filter((path) => /\.(?:css|js)$/.test(path));
    assert.ok(texts.length > 2);
    for (const url of texts) {
      const getResponse = await app.inject(url);
      assert.equal(getResponse.headers["content-encoding"], undefined);
      for (const [accepted, encoding, unpack] of [
        ["gzip, br", "br", brotliDecompressSync],
        ["gzip", "gzip", gunzipSync],
      ] as const) {
        const { headers, rawPayload } = await app.inject({
          url,
          headers: { "accept-encoding": accepted },
        });
        assert.equal(headers["content-encoding"], encoding);
        assert.equal(headers["content-type"], getResponse.headers["content-type"]);
        assert.match(String(headers.vary), /accept-encoding/i);
        assert.match(headers["cache-control"]!, /max-age=31536000, immutable/);
        assert.deepEqual(unpack(rawPayload), getResponse.rawPayload);
      }
    }
  });

  test("serve the favicon under both names", async () => {
    for (const path of ["/favicon.svg", "/favicon.ico"]) {
      const { statusCode, headers } = await app.inject(path);
      assert.deepEqual([statusCode, headers["content-type"]], [200, "image/svg+xml"]);
      assert.equal(headers["cache-control"], "public, max-age=86400");
    }
  });

  test("escape names in the embedded data", async () => {
    const name = "</script><script>alert(1)</script>";
    world.leaderboard = [leaderboardRow(name, 0)];
    const { body } = await app.inject("/");
    assert.ok(!body.includes("<script>alert"));
    world.leaderboard = [];
  });
});

// The npm package bundles a browser for Linux only.
describe("pages in a browser", { skip: process.platform !== "linux" }, () => {
  let app: FastifyInstance;
  let browser: PageBrowser;
  let world: SampleWorld;

  before(async () => {
    world = createSampleWorld(FILE);
    app = await sampleServer(world);
    const base = await app.listen({ port: 0, host: "127.0.0.1" });
    browser = await openPageBrowser(base, { failsOnLoadErrors: true, prepare: refuseWatchers });
  });
  after(async () => {
    await browser?.close();
    await app?.close();
  });

  const visitPage: PageBrowser["visit"] = (...visitArgs) => browser.visit(...visitArgs);

  const tickOf = async (page: Page): Promise<number> =>
    Number(await page.locator(".hud-tick").textContent());
  const waitForTick = (page: Page, tick: number) =>
    page.locator(".hud-tick", { hasText: new RegExp(`^${tick}$`) }).waitFor();

  const hide = (hidden: string): string =>
    `Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true });
     document.dispatchEvent(new Event("visibilitychange"));`;

  test("update the standings automatically", async () => {
    await visitPage("/", async (page) => {
      await page.getByText("Live, as of").waitFor();
      world.leaderboard = [leaderboardRow("newcomer", 0), ...world.leaderboard];
      world.status.matches[0]!.tick = 58;
      await page.getByRole("rowheader", { name: "newcomer" }).waitFor();
      await page.getByText("tick 58").first().waitFor();
    });
  });

  test("say that the server isn't responding, and keep their data", async () => {
    const checkPage = async (page: Page): Promise<void> => {
      world.isDown = true;
      await page.getByText("The server isn't responding").waitFor();
      assert.equal(await page.getByRole("rowheader", { name: "second-sight" }).count(), 1);
      world.isDown = false;
      await page.getByText("Live, as of").waitFor();
    };
    await visitPage("/", checkPage, { failsOnLoadErrors: false });
  });

  test("don't poll while hidden", async () => {
    await visitPage("/", async (page) => {
      await page.getByText("Live, as of").waitFor();
      await page.evaluate(hide("true"));
      let requestCount = 0;
      page.on("request", () => (requestCount += 1));
      world.status.matches[0]!.tick = 77;
      await page.waitForTimeout(2500);
      assert.equal(requestCount, 0);
      await page.evaluate(hide("false"));
      await page.getByText("tick 77").first().waitFor();
    });
  });

  test("play, pause, step through and scrub a replay", async () => {
    await visitPage(`/match/${SAMPLE_MATCH_IDS.bout}`, async (page) => {
      await page.getByRole("button", { name: "Pause" }).click();
      const paused = await tickOf(page);
      await page.getByRole("button", { name: "Next tick" }).click();
      await waitForTick(page, paused + 1);
      await page.getByRole("button", { name: "Previous tick" }).click();
      await waitForTick(page, paused);
      await page.getByRole("slider", { name: "Tick" }).fill("40");
      await waitForTick(page, 40);
      await page.getByRole("combobox", { name: "Speed" }).selectOption("8×");
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await waitForTick(page, TICKS);
      await page
        .getByText(/Ada is down/)
        .first()
        .waitFor();
    });
  });

  test("navigate a replay by shortcuts and the event log", async () => {
    await visitPage(`/match/${SAMPLE_MATCH_IDS.bout}#tick-20`, async (page) => {
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

  test("show both of a tick's turns, its rejections and failures, with shouts escaped", async () => {
    await visitPage(`/match/${SAMPLE_MATCH_IDS.bout}#tick-4`, async (page) => {
      await waitForTick(page, 4);
      const turns = page.locator(".turns");
      await turns.getByText("shout “<img src=x onerror=alert(1)> & more”").waitFor();
      assert.equal(await page.locator("img").count(), 0);
      await page.getByRole("button", { name: "Show result" }).click();
      await page.getByRole("button", { name: "Go to tick 11" }).click();
      await turns.getByText("headbutt").waitFor();
      await page.getByText("Bob’s attack is rejected: no such attack").first().waitFor();
      await page.goto(new URL("#tick-8", page.url()).href);
      await turns.getByText("no turn: no answer in time").waitFor();
    });
  });

  test("neither autoplay nor animate steps with reduced motion", async () => {
    const checkPage = async (page: Page): Promise<void> => {
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
      assert.equal(await tickOf(page), 0);
      await page.keyboard.press("ArrowRight");
      assert.equal(await tickOf(page), 1);
    };
    await visitPage(`/match/${SAMPLE_MATCH_IDS.bout}`, checkPage, { reducedMotion: "reduce" });
  });

  test("show a replay that doesn't verify with a warning", async () => {
    const forgedReplay = structuredClone(WORLD_SAMPLE_MATCH.replay);
    forgedReplay.ticks[2]!.turns = [{}, {}];
    world.storedMatches.set(
      SAMPLE_MATCH_IDS.forged,
      storedSampleMatch(
        SAMPLE_MATCH_IDS.forged,
        WORLD_SAMPLE_MATCH,
        gzipSync(replayText(forgedReplay)),
      ),
    );
    await visitPage(`/match/${SAMPLE_MATCH_IDS.forged}`, async (page) => {
      await page.getByText("This replay doesn't verify").waitFor();
      await page.locator("canvas").waitFor();
    });
  });

  test("show an error for an invalid replay file", async () => {
    world.storedMatches.set(
      SAMPLE_MATCH_IDS.broken,
      storedSampleMatch(SAMPLE_MATCH_IDS.broken, WORLD_SAMPLE_MATCH, gzipSync("nonsense\n")),
    );
    await visitPage(`/match/${SAMPLE_MATCH_IDS.broken}`, async (page) => {
      await page.getByText("Couldn't show the replay").waitFor();
    });
  });

  test("explain a forfeit before the first tick without a warning", async () => {
    const result = { winner: "A", reason: "forfeit", ticks: 0, hash: "00000000" } as const;
    const replay = { ...WORLD_SAMPLE_MATCH.replay, ticks: [], result };
    world.storedMatches.set(
      SAMPLE_MATCH_IDS.forfeit,
      storedSampleMatch(SAMPLE_MATCH_IDS.forfeit, { replay }, gzipSync(replayText(replay))),
    );
    await visitPage(`/match/${SAMPLE_MATCH_IDS.forfeit}`, async (page) => {
      await page.getByText("Bob was not ready in time: Ada won by forfeit.").waitFor();
      await page.getByText("No ticks were played").waitFor();
      assert.equal(await page.getByText("doesn't verify").count(), 0);
    });
  });

  test("explain that a replay was deleted", async () => {
    world.storedMatches.set(
      SAMPLE_MATCH_IDS.trimmed,
      storedSampleMatch(SAMPLE_MATCH_IDS.trimmed, WORLD_SAMPLE_MATCH, null),
    );
    await visitPage(`/match/${SAMPLE_MATCH_IDS.trimmed}`, async (page) => {
      await page.getByText("has been deleted").waitFor();
    });
  });

  test("follow a running match to its end, then show the match", async () => {
    await visitPage(`/match/${SAMPLE_MATCH_IDS.live}`, async (page) => {
      await page.getByText("This match is running on pinwheel").waitFor();
      world.status.matches[0]!.tick = 99;
      await page.getByText("Tick 99 of max 300").waitFor();
      world.storedMatches.set(
        SAMPLE_MATCH_IDS.live,
        storedSampleMatch(SAMPLE_MATCH_IDS.live, WORLD_SAMPLE_MATCH, FILE),
      );
      world.status.matches = [];
      await page.locator("canvas").waitFor();
      await page.getByRole("button", { name: "Show result" }).click();
      await page.getByText("Why Ada lost").waitFor();
    });
  });

  for (const path of [
    "/",
    `/match/${SAMPLE_MATCH_IDS.bout}#tick-40`,
    `/match/${SAMPLE_MATCH_IDS.nothing}`,
  ]) {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [390, 1440]) {
        test(`${path} is accessible and fits, ${colorScheme} at ${width} px`, async () => {
          const viewport = { width, height: 900 };
          const strict = !path.includes(SAMPLE_MATCH_IDS.nothing);
          await visitPage(path, (page) => inspect(page, path), {
            colorScheme,
            viewport,
            failsOnLoadErrors: strict,
          });
        });
      }
    }
  }

  async function inspect(page: Page, path: string): Promise<void> {
    if (path.includes(SAMPLE_MATCH_IDS.bout)) await page.locator("canvas").waitFor();
    assert.ok((await horizontalOverflow(page)) <= 0);
    assert.deepEqual(await axeViolations(page), []);
  }
});
