// Health and analytics in the console, in a real browser.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import { DARK, isSound, PHONE, press } from "#testing/fixtures/account-pages.ts";
import { openConsolePages, rowOf } from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { shiftsOf } from "#testing/fixtures/page-browser.ts";
import { addMatch, addVersion } from "#testing/fixtures/test-api.ts";
import { until } from "#testing/harness/evening.ts";

const EVERY_MS = 5000;
/** As many as a minute has while the server answers, the first one aside. */
const LOOKS = 11;
const ROUTE = "**/api/admin/health";

describe("figures in the console", { skip: process.platform !== "linux" }, () => {
  let opened: ConsolePages;
  before(async () => {
    opened = await openConsolePages();
  });
  after(() => opened?.pages.close());

  /** Heartbeats that were so late. */
  const beat = (latenessMs: number): void => {
    for (let count = 0; count < 50; count += 1)
      opened.pages.site.api.health.beat(latenessMs * 1000);
  };
  /** Opens the part again, in a browser whose time the test moves. */
  const watch = async (page: Page): Promise<void> => {
    await page.locator(".plot").first().waitFor();
    await page.clock.install();
    await page.reload();
    await page.locator(".plot canvas").first().waitFor();
  };
  /** As long as until the next look of the page. */
  const pass = async (page: Page): Promise<void> => {
    opened.pages.site.pass(EVERY_MS);
    await page.clock.runFor(EVERY_MS);
  };
  const drawn = (page: Page): Promise<string> =>
    page.evaluate("document.querySelector('.plot canvas').toDataURL()");
  const hasMoved = (page: Page, before: string): Promise<boolean> =>
    until(async () => (await drawn(page)) !== before);

  test("health follows the server: words, figures against their budgets, drawings", async () => {
    const look = async (page: Page) => {
      await page.getByText("Nothing has been timed yet.").waitFor();
      beat(4);
      await watch(page);
      await page.getByText("The server keeps up.").waitFor();
      const loop = page.getByRole("row", { name: /Event loop/ });
      await loop.filter({ hasText: /50.*4(\.\d+)?.*4(\.\d+)?/ }).waitFor();
      await page.getByText("0 of 320", { exact: true }).waitFor();
      await isSound(page);
      const before = await drawn(page);
      beat(400);
      await pass(page);
      await page.getByText("The server does not keep up.").waitFor();
      await page.getByText("The event loop is late").waitFor();
      await loop.filter({ hasText: /50 \(50\.0 %\)/ }).waitFor();
      await hasMoved(page, before);
      await isSound(page);
      await page.locator(".plot-place").first().hover();
      await page.locator(".plot-reading", { hasText: /budget 50 ms/ }).waitFor();
    };
    await opened.visit("health", look);
  });

  test("charts draw where the browser's locale is no language tag", async () => {
    const look = async (page: Page) => {
      await page.locator(".console-part table").first().waitFor();
      await page.evaluate(
        `Object.defineProperty(navigator, "language", { value: "en-US@posix", configurable: true })`,
      );
      await page.getByRole("link", { name: "Health", exact: true }).click();
      await page.locator(".plot canvas").first().waitFor();
    };
    // No chart of this part has loaded uPlot yet.
    await opened.visit("audit", look);
  });

  test("health says when it is old, asks less often then, and goes on by itself", async () => {
    const look = async (page: Page) => {
      await watch(page);
      let asked = 0;
      await page.route(ROUTE, async (route) => {
        asked += 1;
        await route.abort();
      });
      await pass(page);
      await page.getByRole("alert").filter({ hasText: "did not answer" }).waitFor();
      await page.getByText("As it was when it last answered").waitFor();
      await isSound(page);
      for (let look = 0; look < LOOKS; look += 1) {
        await page.clock.runFor(EVERY_MS);
        await until(() => page.evaluate<boolean>("document.readyState === 'complete'"));
      }
      // Five seconds, then after each failure one at least, and twice as many after the next.
      assert.ok(asked > 2 && asked <= 7, `${asked} of ${LOOKS} looks`);
      await page.unroute(ROUTE);
      await until(async () => {
        // The network is back. No long time passes, so that the session does not end meanwhile.
        await page.evaluate("dispatchEvent(new Event('online'))");
        await page.clock.runFor(1);
        return (await page.getByText("As it was when it last answered").count()) === 0;
      });
      assert.equal(await page.getByRole("alert").filter({ hasText: "answer" }).count(), 0);
    };
    await opened.visit("health", look, { ...PHONE, ...DARK });
  });

  test("health asks nothing while nobody sees it", async () => {
    const look = async (page: Page) => {
      await watch(page);
      const see = (isHidden: boolean) =>
        page.evaluate(`
          Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        `);
      await see(true);
      let asked = 0;
      page.on("request", (request) => {
        if (request.url().endsWith("/api/admin/health")) asked += 1;
      });
      await page.clock.runFor(12 * EVERY_MS);
      assert.equal(asked, 0);
      const [again] = await Promise.all([
        page.waitForRequest(ROUTE),
        see(false).then(() => pass(page)),
      ]);
      assert.equal(again.method(), "GET");
    };
    await opened.visit("health", look);
  });

  for (const [reducedMotion, name] of [
    ["no-preference", "health-beat"],
    ["reduce", "none"],
  ] as const)
    test(`the mark of health moves: ${reducedMotion} → ${name}`, async () => {
      const look = async (page: Page) => {
        await page.locator(".health-dot").waitFor();
        const moves = "getComputedStyle(document.querySelector('.health-dot')).animationName";
        assert.equal(await page.evaluate(moves), name);
      };
      await opened.visit("health", look, { reducedMotion });
    });

  test("analytics are about the days that are asked for, as figures and as drawings", async () => {
    const { pages } = opened;
    const { api } = pages.site;
    const owner = await pages.member("ada");
    const bots = [];
    for (const name of ["Rex", "Old"]) {
      const bot = await api.store.bots.byId(await pages.botOf(owner, name));
      assert.ok(bot !== null);
      bots.push(await addVersion(api, bot, "v1"));
    }
    const pair = [bots[0]!, bots[1]!] as const;
    for (const ended of [
      "2026-02-03T10:00:00.000Z",
      "2026-02-03T11:00:00.000Z",
      "2026-02-05T11:00:00.000Z",
    ])
      await addMatch(api, [...pair], { ended, map: "keep" });
    const look = async (page: Page) => {
      await page.getByRole("heading", { name: /\d to \d/ }).waitFor();
      await page.getByLabel("From").fill("2026-02-06");
      await page.getByLabel("To, in UTC").fill("2026-02-01");
      await press(page, "Show these days");
      await page.getByText("from must not be after to.").waitFor();
      await page.getByLabel("From").fill("2026-02-01");
      await page.getByLabel("To, in UTC").fill("2026-02-06");
      await press(page, "Show these days");
      await page.getByRole("heading", { name: "2026-02-01 to 2026-02-06" }).waitFor();
      assert.match(page.url(), /of=2026-02-01\.\.2026-02-06$/);
      await page.getByText("Most on 2026-02-03: 2 matches, 2 ranked.").waitFor();
      const days = page.getByRole("table", { name: "Day by day" });
      assert.equal(await days.locator("tbody tr").count(), 6);
      await days
        .getByRole("row", { name: /2026-02-05/ })
        .getByText("1")
        .first()
        .waitFor();
      const top = page.getByRole("table", { name: "Bots that played most" });
      await top.getByRole("link", { name: "Rex" }).waitFor();
      await rowOf(page, "keep").getByRole("img", { name: "3 games on keep" }).waitFor();
      await page.locator(".plot canvas").nth(4).waitFor();
      await isSound(page);
      assert.deepEqual(await shiftsOf(page), []);
      await press(page, "Latest days");
      await page.getByText("30 days, in UTC.").waitFor();
    };
    for (const options of [{}, { ...PHONE, ...DARK }])
      await opened.visit("analytics", look, options);
  });
});
