import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import type { MatchStats } from "#core/engine/types.ts";
import type { VersionRecord } from "#data/store/version.ts";
import {
  axeViolations,
  horizontalOverflow,
  openPageBrowser,
  layoutShifts,
} from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";
import {
  addTestBot,
  addMatch,
  addTestVersion,
  setRating,
  emptyMatchStats,
  testApi,
} from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

/** uPlot needs a valid language tag, which browsers in a POSIX locale don't have. */
const AS_READER = { locale: "en-GB" };
const MARKUP = "<img src=x onerror=alert(1)>";
const NOTES = `${MARKUP} \u202egnitseretni 👾 ${"long".repeat(120)}`;
const GAMES = 12;

type World = { api: TestApi; rex: VersionRecord; opponent: VersionRecord };

/** Returns a ladder on which Rex lost to bolts. Some of its text contains markup. */
async function world(): Promise<World> {
  const api = testApi();
  const bot = await addTestBot(api, "Rex", { owner: MARKUP, avatar: "sage" });
  const rex = await addTestVersion(api, bot, "v1");
  const second = { id: api.newId(), botId: bot.id, label: MARKUP, created: api.nextMinute() };
  await api.store.versions.add({ ...second, notes: NOTES, retired: false }, null);
  const opponent = await addTestVersion(
    api,
    await addTestBot(api, "a-name-of-24-characters-"),
    "v1",
  );
  const stats = JSON.stringify(lostByBolt());
  for (let game = 0; game < GAMES; game += 1) {
    const won = game % 3 === 0;
    const map = game % 2 === 0 ? "keep" : "halls";
    await addMatch(api, [rex, opponent], {
      map,
      stats,
      winnerBotId: won ? bot.id : opponent.botId,
    });
  }
  setRating(api, rex, 1500, [4, 8, 30], 30);
  setRating(api, { ...second, notes: "", retired: false }, 1531, [20, 3, 0], 20);
  for (const status of ["suspended", "banned", "retired"] as const)
    await addTestBot(api, status, { status });
  await addTestBot(api, "Newborn");
  return { api, rex, opponent };
}

/** Returns match statistics in which fighter A took 80 HP from bolts and dealt no damage. */
function lostByBolt(): MatchStats {
  const stats = emptyMatchStats();
  const [first] = stats.fighters;
  first!.taken_by_source.bolt = 80;
  first!.taken_by_source.zone = 20;
  return stats;
}

// The npm package bundles a browser for Linux only.
describe("a bot's page", { skip: process.platform !== "linux" }, () => {
  let scene: World;
  let browser: PageBrowser;
  const see = (path: string, checkPage: (page: Page) => Promise<void>, options = {}) =>
    browser.visit(path, checkPage, { ...AS_READER, ...options });

  before(async () => {
    scene = await world();
    browser = await openPageBrowser(await scene.api.app.listen({ port: 0, host: "127.0.0.1" }));
  });
  after(async () => {
    await browser?.close();
    await scene?.api.app.close();
  });

  test("shows the bot, its standing and a readable rating chart", async () => {
    await see("/bot/Rex", async (page) => {
      await page.getByRole("heading", { name: "Rex", level: 1 }).waitFor();
      await page.locator(".figure", { hasText: "Rank" }).getByText("1", { exact: true }).waitFor();
      await page.locator(".rating-chart.live canvas").waitFor();
      await page.locator(".u-over").hover();
      await page.getByText(/^Game \d+: v1 at 1[45]\d\d/).waitFor();
      assert.equal(await page.locator(".map-records li").count(), 2);
      assert.equal(await page.locator(".bot-matches tbody tr").count(), GAMES);
    });
  });

  test("shows the tabs on one line on a phone", async () => {
    const checkPage = async (page: Page) => {
      const tops = await page
        .locator(".bot-parts a")
        .evaluateAll((all) => all.map((part) => part.getBoundingClientRect().top));
      assert.equal(new Set(tops).size, 1);
      assert.ok((await horizontalOverflow(page)) <= 0);
    };
    await see("/bot/Rex", checkPage, { viewport: { width: 320, height: 640 } });
  });

  test("shows a static chart and a table of points without JavaScript", async () => {
    const checkPage = async (page: Page) => {
      assert.match((await page.locator(".rating-chart-line").getAttribute("d")) ?? "", /^M0 /);
      await page.getByText("View as table").click();
      assert.equal(await page.locator(".rating-chart-table tbody tr").count(), GAMES);
    };
    await see("/bot/Rex", checkPage, { javaScriptEnabled: false });
  });

  test("filters matches by a form and has a shareable URL", async () => {
    await see("/bot/Rex?part=matches", async (page) => {
      await page.getByLabel("Map").selectOption("keep");
      await page.getByLabel("Result").selectOption("W");
      await page.getByRole("button", { name: "Filter" }).click();
      await page.waitForURL(/map=keep/);
      assert.match(page.url(), /part=matches.*map=keep.*result=W/);
      assert.equal(await page.locator(".bot-matches tbody tr").count(), 2);
      assert.equal(await page.getByLabel("Map").inputValue(), "keep");
      await page.getByLabel("Opponent").fill("nobody");
      await page.getByRole("button", { name: "Filter" }).click();
      await page.getByText("No such version, opponent, map or match.").waitFor();
    });
  });

  test("lists one version's opponents without JavaScript", async () => {
    const checkPage = async (page: Page) => {
      await page.getByLabel("Version").fill("v1");
      await page.getByRole("button", { name: "Filter" }).click();
      await page.waitForURL(/part=opponents&version=v1/);
      await page.getByText("Opponents of one version, most frequent first").waitFor();
      const games = page.getByRole("link", { name: `${GAMES} games against a-name-of` });
      assert.match((await games.getAttribute("href")) ?? "", /version=v1/);
      await page.getByLabel("Version").fill("v9");
      await page.getByRole("button", { name: "Filter" }).click();
      await page.getByText("No such version.").waitFor();
    };
    await see("/bot/Rex?part=opponents", checkPage, { javaScriptEnabled: false });
  });

  test("shows the version that is qualifying", async () => {
    await see("/bot/Rex", async (page) => {
      const metric = page.locator(".figure", { hasText: "Version" });
      assert.equal(await metric.locator(".bot-version").textContent(), "v1");
      await metric.getByText(`${MARKUP} qualifying, 23 of 30`).waitFor();
    });
  });

  test("compares two versions", async () => {
    await see("/bot/Rex?part=versions", async (page) => {
      await page.getByLabel("Version", { exact: true }).fill(MARKUP);
      await page.getByLabel("against").fill("v1");
      await page.getByRole("button", { name: "Compare" }).click();
      await page.getByText(`${MARKUP} is likely better than v1, by 31 ± 36 points`).waitFor();
      await page.getByText("From 23 and 42 rated games").waitFor();
    });
  });

  test("says why a version loses", async () => {
    await see("/bot/Rex?part=losses&version=v1", async (page) => {
      await page.getByText("In these 8 losses, 80 % of damage taken came from bolt").waitFor();
      await page.getByText("100 % of losses were against a-name-of-24-characters-").waitFor();
      await page.getByRole("row", { name: /bolt 80\.0/ }).waitFor();
    });
  });

  test("updates the bot's activity without layout shifts", async () => {
    const { api, rex } = scene;
    await see("/bot/Rex", async (page) => {
      await page.locator(".rating-chart.live").waitFor();
      await page.getByText("Not connected").waitFor();
      const onlineBot = {
        botId: rex.botId,
        name: "Rex",
        house: false,
        versionId: rex.id,
        version: "v1",
      };
      const session = { ...onlineBot, online: true, ladderId: "public", matchId: "m1" } as const;
      api.arena.bots.push({ ...session, state: "playing" });
      const match = {
        id: "m1",
        ladderId: "public",
        map: "keep",
        tick: 1,
        started: api.nextMinute(),
      };
      api.arena.matches.push({ ...match, botIds: [rex.botId, "x"], names: ["Rex", "x"] });
      await page.getByText("Playing now with v1").waitFor();
      await page.getByRole("link", { name: "Watch on keep" }).waitFor();
      assert.deepEqual(await layoutShifts(page), []);
      api.arena.bots.length = 0;
      api.arena.matches.length = 0;
    });
  });

  test("T86 T26 escapes owners, labels and notes", async () => {
    await see("/bot/Rex?part=versions", async (page) => {
      await page.getByText(`by ${MARKUP}`).waitFor();
      await page.getByRole("heading", { name: MARKUP }).waitFor();
      assert.equal(await page.locator(".version-notes").textContent(), NOTES);
      assert.equal(await page.locator("img").count(), 0);
    });
  });

  const STANDINGS: [name: string, words: RegExp][] = [
    ["suspended", /suspended this bot/],
    ["banned", /banned this bot/],
    ["retired", /has retired/],
    ["Newborn", /hasn't played yet/],
  ];
  for (const [name, text] of STANDINGS)
    test(`has a text for ${name}`, async () => {
      await see(`/bot/${name}`, async (page) => page.getByText(text).first().waitFor());
    });

  test("returns 404 and noindex for an unknown bot", async () => {
    const { statusCode, headers } = await scene.api.app.inject("/bot/nobody");
    assert.deepEqual([statusCode, headers["x-robots-tag"]], [404, "noindex"]);
  });

  test("redirects to the canonical letter case", async () => {
    const { statusCode, headers } = await scene.api.app.inject("/bot/REX?part=losses");
    assert.deepEqual([statusCode, headers.location], [302, "/bot/Rex?part=losses"]);
  });

  const PARTS = ["overview", "opponents", "versions", "losses", "matches"];
  const COMPARED = `a=v1&b=${encodeURIComponent(MARKUP)}`;
  const VIEWS = [
    ...PARTS.map((part) => `/bot/Rex?part=${part}`),
    `/bot/Rex?${COMPARED}`,
    "/bot/retired",
  ];
  for (const [index, path] of VIEWS.entries())
    for (const width of [320, 1440])
      test(`${path} is accessible and fits at ${width} px`, async () => {
        const colorScheme = index % 2 === 0 ? "dark" : "light";
        const checkPage = async (page: Page) => {
          if (path.includes("overview")) await page.locator(".rating-chart.live").waitFor();
          for (const summary of await page.locator("summary").all()) await summary.click();
          assert.deepEqual(await axeViolations(page), []);
          assert.ok((await horizontalOverflow(page)) <= 0);
        };
        await see(path, checkPage, { colorScheme, viewport: { width, height: 900 } });
      });
});
