import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import type { MatchStats } from "#core/engine/types.ts";
import type { VersionRecord } from "#data/store/version.ts";
import {
  axeFindings,
  excessOf,
  openPageBrowser,
  shiftsOf,
} from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";
import {
  addBot,
  addMatch,
  addVersion,
  rate,
  sampleStats,
  testApi,
} from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

/** uPlot needs a language tag, which browsers in a POSIX locale do not have. */
const AS_READER = { locale: "en-GB" };
const MARKUP = "<img src=x onerror=alert(1)>";
const NOTES = `${MARKUP} \u202egnitseretni 👾 ${"long".repeat(120)}`;
const GAMES = 12;

type World = { api: TestApi; rex: VersionRecord; foe: VersionRecord };

/** A ladder on which Rex has lost by bolts, with texts that would like to be more than texts. */
async function world(): Promise<World> {
  const api = testApi();
  const bot = await addBot(api, "Rex", { owner: MARKUP, avatar: "sage" });
  const rex = await addVersion(api, bot, "v1");
  const second = { id: api.newId(), botId: bot.id, label: MARKUP, created: api.tick() };
  await api.store.versions.add({ ...second, notes: NOTES, retired: false }, null);
  const foe = await addVersion(api, await addBot(api, "a-name-of-24-characters-"), "v1");
  const stats = JSON.stringify(lostByBolt());
  for (let game = 0; game < GAMES; game += 1) {
    const won = game % 3 === 0;
    const map = game % 2 === 0 ? "keep" : "halls";
    await addMatch(api, [rex, foe], { map, stats, winnerBotId: won ? bot.id : foe.botId });
  }
  rate(api, rex, 1500, [4, 8, 30], 30);
  rate(api, { ...second, notes: "", retired: false }, 1531, [20, 3, 0], 20);
  for (const status of ["suspended", "banned", "retired"] as const)
    await addBot(api, status, { status });
  await addBot(api, "Newborn");
  return { api, rex, foe };
}

/** Fighter A took 80 hp by bolts and dealt none. */
function lostByBolt(): MatchStats {
  const stats = sampleStats();
  const [first] = stats.fighters;
  first!.taken_by_source.bolt = 80;
  first!.taken_by_source.zone = 20;
  return stats;
}

// The browser in the npm package is built for Linux.
describe("a bot's page", { skip: process.platform !== "linux" }, () => {
  let scene: World;
  let browser: PageBrowser;
  const see = (path: string, look: (page: Page) => Promise<void>, options = {}) =>
    browser.visit(path, look, { ...AS_READER, ...options });

  before(async () => {
    scene = await world();
    browser = await openPageBrowser(await scene.api.app.listen({ port: 0, host: "127.0.0.1" }));
  });
  after(async () => {
    await browser?.close();
    await scene?.api.app.close();
  });

  test("shows who it is, where it stands, and its rating as a drawing that can be read", async () => {
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

  test("is readable without a script: the drawing, and the points as a table", async () => {
    const look = async (page: Page) => {
      assert.match((await page.locator(".rating-chart-line").getAttribute("d")) ?? "", /^M0 /);
      await page.getByText("As a table").click();
      assert.equal(await page.locator(".rating-chart-table tbody tr").count(), GAMES);
    };
    // Nothing is measured there, so it is no visit of the others' kind.
    await see("/bot/Rex", look, { javaScriptEnabled: false });
  });

  test("narrows its matches down by a form, to an address that can be shared", async () => {
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
      await page.getByText("There is no such version, opponent, map or match.").waitFor();
    });
  });

  test("counts the opponents of one version, without a script", async () => {
    const look = async (page: Page) => {
      await page.getByLabel("Version").fill("v1");
      await page.getByRole("button", { name: "Filter" }).click();
      await page.waitForURL(/part=opponents&version=v1/);
      await page.getByText("Those of one version, the one that was met most first").waitFor();
      const games = page.getByRole("link", { name: `${GAMES} games against a-name-of` });
      assert.match((await games.getAttribute("href")) ?? "", /version=v1/);
      await page.getByLabel("Version").fill("v9");
      await page.getByRole("button", { name: "Filter" }).click();
      await page.getByText("There is no such version.").waitFor();
    };
    await see("/bot/Rex?part=opponents", look, { javaScriptEnabled: false });
  });

  test("names the version that is on its way to a rank", async () => {
    await see("/bot/Rex", async (page) => {
      const figure = page.locator(".figure", { hasText: "Version" });
      assert.equal(await figure.locator(".bot-version").textContent(), "v1");
      await figure.getByText(`${MARKUP} qualifying, 23 of 30`).waitFor();
    });
  });

  test("compares two versions in words", async () => {
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
      await page.getByText("80 % of the damage it took in these 8 losses came from bolt").waitFor();
      await page.getByText("100 % of the losses were against a-name-of-24-characters-").waitFor();
      await page.getByRole("row", { name: /bolt 80\.0/ }).waitFor();
    });
  });

  test("follows what the bot does, and nothing moves", async () => {
    const { api, rex } = scene;
    await see("/bot/Rex", async (page) => {
      await page.locator(".rating-chart.live").waitFor();
      await page.getByText("Not connected").waitFor();
      const at = { botId: rex.botId, name: "Rex", house: false, versionId: rex.id, version: "v1" };
      const session = { ...at, online: true, ladderId: "public", matchId: "m1" } as const;
      api.arena.bots.push({ ...session, state: "playing" });
      const match = { id: "m1", ladderId: "public", map: "keep", tick: 1, started: api.tick() };
      api.arena.matches.push({ ...match, botIds: [rex.botId, "x"], names: ["Rex", "x"] });
      await page.getByText("Fighting now with v1").waitFor();
      await page.getByRole("link", { name: "Watch on keep" }).waitFor();
      assert.deepEqual(await shiftsOf(page), []);
      api.arena.bots.length = 0;
      api.arena.matches.length = 0;
    });
  });

  test("T86 T26 has owners, labels and notes as text", async () => {
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
    ["Newborn", /has not fought yet/],
  ];
  for (const [name, words] of STANDINGS)
    test(`has words for ${name}`, async () => {
      await see(`/bot/${name}`, async (page) => page.getByText(words).first().waitFor());
    });

  test("of nobody is not found and not to be indexed", async () => {
    const { statusCode, headers } = await scene.api.app.inject("/bot/nobody");
    assert.deepEqual([statusCode, headers["x-robots-tag"]], [404, "noindex"]);
  });

  test("in another letter case is at its own address", async () => {
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
        const look = async (page: Page) => {
          if (path.includes("overview")) await page.locator(".rating-chart.live").waitFor();
          for (const summary of await page.locator("summary").all()) await summary.click();
          assert.deepEqual(await axeFindings(page), []);
          assert.ok((await excessOf(page)) <= 0);
        };
        await see(path, look, { colorScheme, viewport: { width, height: 900 } });
      });
});
