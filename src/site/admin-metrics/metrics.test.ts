import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import {
  DARK_OPTIONS,
  assertPageIsValid,
  PHONE_OPTIONS,
  clickButton,
} from "#testing/fixtures/account-pages.ts";
import { openConsolePages, rowWith } from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { layoutShifts as shiftsOf } from "#testing/fixtures/page-browser.ts";
import { addMatch, addTestVersion } from "#testing/fixtures/test-api.ts";
import { pollFor } from "#testing/harness/polling.ts";

const POLL_INTERVAL_MS = 5000;
/** Polls per minute while the server responds, excluding the first poll. */
const POLL_COUNT = 11;
const ROUTE = "**/api/admin/health";

describe("metrics in the console", { skip: process.platform !== "linux" }, () => {
  let consolePages: ConsolePages;
  before(async () => {
    consolePages = await openConsolePages();
  });
  after(() => consolePages?.pages.close());

  const beat = (latenessMs: number): void => {
    for (let count = 0; count < 50; count += 1)
      consolePages.pages.site.api.health.recordBeat(latenessMs * 1000);
  };
  /** Reloads the page with a fake clock and waits for the charts. */
  const watch = async (page: Page): Promise<void> => {
    await page.locator(".plot").first().waitFor();
    await page.clock.install();
    await page.reload();
    await page.locator(".plot canvas").first().waitFor();
  };
  const pass = async (page: Page): Promise<void> => {
    consolePages.pages.site.advanceClock(POLL_INTERVAL_MS);
    await page.clock.runFor(POLL_INTERVAL_MS);
  };
  const drawnPlots = (page: Page): Promise<string> =>
    page.evaluate("document.querySelector('.plot canvas').toDataURL()");
  const hasMoved = (page: Page, previousText: string): Promise<boolean> =>
    pollFor(async () => (await drawnPlots(page)) !== previousText);

  test("shows a health verdict, metrics with their budgets, and charts", async () => {
    const step = async (page: Page) => {
      await page.getByText("No data yet.").waitFor();
      beat(4);
      await watch(page);
      await page.getByText("The server is keeping up.").waitFor();
      const loop = page.getByRole("row", { name: /Event loop/ });
      await loop.filter({ hasText: /50.*4(\.\d+)?.*4(\.\d+)?/ }).waitFor();
      await page.getByText("0 of 320", { exact: true }).waitFor();
      await assertPageIsValid(page);
      const previousText = await drawnPlots(page);
      beat(400);
      await pass(page);
      await page.getByText("The server is overloaded.").waitFor();
      await page.getByText("The event loop is stalling").waitFor();
      await loop.filter({ hasText: /50 \(50\.0 %\)/ }).waitFor();
      await hasMoved(page, previousText);
      await assertPageIsValid(page);
      await page.locator(".plot-place").first().hover();
      await page.locator(".plot-reading", { hasText: /budget 50 ms/ }).waitFor();
    };
    await consolePages.visitPanel("health", step);
  });

  test("draws charts in a browser whose locale isn't a valid language tag", async () => {
    const step = async (page: Page) => {
      await page.locator(".console-part table").first().waitFor();
      await page.evaluate(
        `Object.defineProperty(navigator, "language", { value: "en-US@posix", configurable: true })`,
      );
      await page.getByRole("link", { name: "Health", exact: true }).click();
      await page.locator(".plot canvas").first().waitFor();
    };
    await consolePages.visitPanel("audit", step);
  });

  test("marks stale health data, backs off while the server is down, and recovers", async () => {
    const look = async (page: Page) => {
      await watch(page);
      let requestCount = 0;
      await page.route(ROUTE, async (route) => {
        requestCount += 1;
        await route.abort();
      });
      await pass(page);
      await page.getByRole("alert").filter({ hasText: "didn't respond" }).waitFor();
      await page.getByText("Last known state").waitFor();
      await assertPageIsValid(page);
      for (let step = 0; step < POLL_COUNT; step += 1) {
        await page.clock.runFor(POLL_INTERVAL_MS);
        await pollFor(() => page.evaluate<boolean>("document.readyState === 'complete'"));
      }
      // One five-second interval, then a backoff that starts at one second and at least doubles
      // after each failure.
      assert.ok(requestCount > 2 && requestCount <= 7, `${requestCount} of ${POLL_COUNT} polls`);
      await page.unroute(ROUTE);
      await pollFor(async () => {
        // Triggers an immediate poll. Advancing the clock further would expire the session.
        await page.evaluate("dispatchEvent(new Event('online'))");
        await page.clock.runFor(1);
        return (await page.getByText("Last known state").count()) === 0;
      });
      assert.equal(await page.getByRole("alert").filter({ hasText: "answer" }).count(), 0);
    };
    await consolePages.visitPanel("health", look, { ...PHONE_OPTIONS, ...DARK_OPTIONS });
  });

  test("stops polling health while the page is hidden", async () => {
    const step = async (page: Page) => {
      await watch(page);
      const setVisibility = (isHidden: boolean) =>
        page.evaluate(`
          Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        `);
      await setVisibility(true);
      let requestCount = 0;
      page.on("request", (request) => {
        if (request.url().endsWith("/api/admin/health")) requestCount += 1;
      });
      await page.clock.runFor(12 * POLL_INTERVAL_MS);
      assert.equal(requestCount, 0);
      const [repeatedPoll] = await Promise.all([
        page.waitForRequest(ROUTE),
        setVisibility(false).then(() => pass(page)),
      ]);
      assert.equal(repeatedPoll.method(), "GET");
    };
    await consolePages.visitPanel("health", step);
  });

  for (const [reducedMotion, name] of [
    ["no-preference", "health-beat"],
    ["reduce", "none"],
  ] as const)
    test(`animates the health indicator: ${reducedMotion} → ${name}`, async () => {
      const step = async (page: Page) => {
        await page.locator(".health-dot").waitFor();
        const layoutShifts =
          "getComputedStyle(document.querySelector('.health-dot')).animationName";
        assert.equal(await page.evaluate(layoutShifts), name);
      };
      await consolePages.visitPanel("health", step, { reducedMotion });
    });

  test("shows analytics for the requested days as figures and charts", async () => {
    const { pages } = consolePages;
    const { api } = pages.site;
    const owner = await pages.addMember("ada");
    const bots = [];
    for (const name of ["Rex", "Old"]) {
      const bot = await api.store.bots.byId(await pages.createBot(owner, name));
      assert.ok(bot !== null);
      bots.push(await addTestVersion(api, bot, "v1"));
    }
    const pair = [bots[0]!, bots[1]!] as const;
    for (const ended of [
      "2026-02-03T10:00:00.000Z",
      "2026-02-03T11:00:00.000Z",
      "2026-02-05T11:00:00.000Z",
    ])
      await addMatch(api, [...pair], { ended, map: "keep" });
    const step = async (page: Page) => {
      await page.getByRole("heading", { name: /\d to \d/ }).waitFor();
      await page.getByLabel("From").fill("2026-02-06");
      await page.getByLabel("To (UTC)").fill("2026-02-01");
      await clickButton(page, "Show days");
      await page.getByText("from must not be after to.").waitFor();
      await page.getByLabel("From").fill("2026-02-01");
      await page.getByLabel("To (UTC)").fill("2026-02-06");
      await clickButton(page, "Show days");
      await page.getByRole("heading", { name: "2026-02-01 to 2026-02-06" }).waitFor();
      assert.match(page.url(), /of=2026-02-01\.\.2026-02-06$/);
      await page.getByText("Peak on 2026-02-03: 2 matches, 2 ranked.").waitFor();
      const days = page.getByRole("table", { name: "By day" });
      assert.equal(await days.locator("tbody tr").count(), 6);
      await days
        .getByRole("row", { name: /2026-02-05/ })
        .getByText("1")
        .first()
        .waitFor();
      const top = page.getByRole("table", { name: "Most active bots" });
      await top.getByRole("link", { name: "Rex" }).waitFor();
      await rowWith(page, "keep").getByRole("img", { name: "3 games on keep" }).waitFor();
      await page.locator(".plot canvas").nth(4).waitFor();
      await assertPageIsValid(page);
      assert.deepEqual(await shiftsOf(page), []);
      await clickButton(page, "Latest days");
      await page.getByText("30 days, in UTC.").waitFor();
    };
    for (const options of [{}, { ...PHONE_OPTIONS, ...DARK_OPTIONS }])
      await consolePages.visitPanel("analytics", step, options);
  });
});
