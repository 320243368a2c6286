import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { Page } from "playwright-core";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { windowOfMonth } from "#core/ladder/season.ts";
import type { FinalStanding } from "#data/store/season.ts";
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
  testApi,
} from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

/** Enough for two pages of standings. */
const BOTS = 60;
/** Owner names can contain any text. */
const OWNER = "</td><b>x</b>\u202egnirts 👩‍🚀 wwwwwwwwww";
/** Maximum layout shift caused by an update. Browsers rate values up to 0.1 as good. */
const MOST_SHIFT = 0.005;
const LABEL = "<i>v</i>\u202e1";

type Rated = { version: VersionRecord; name: string };

/**
 * Returns a ladder in its second month, with ranked bots, a newcomer, a running match and an
 * archived month.
 */
async function world(): Promise<{ api: TestApi; bots: Rated[] }> {
  const api = testApi();
  const bots: Rated[] = [];
  for (let number = 0; number < BOTS; number += 1) {
    const name = number === 1 ? "a-name-of-24-characters-" : `bot-${number}`;
    const botOverrides = number === 0 ? { owner: OWNER, avatar: "ronin" as const } : {};
    const bot = await addTestBot(api, name, botOverrides);
    bots.push({ name, version: await addTestVersion(api, bot, number === 0 ? LABEL : "v1") });
  }
  const [first, second] = bots.map(({ version }) => version) as [VersionRecord, VersionRecord];
  await addMatch(api, [first, second], { map: "keep" });
  await api.store.seasons.open([{ ...windowOfMonth("2026-02"), archivedAt: null }]);
  await api.store.seasons.archive("2026-01", "2026-02-01T00:00:03.000Z", [
    finalPlace(1, first),
    finalPlace(2, second),
  ]);
  api.arena.liveSeason = "2026-02";
  for (const [at, { version }] of bots.entries())
    setRating(api, version, 1900 - at * 5, [40, 3, 2]);
  const cup = { ...PUBLIC_LADDER, id: "cup", name: "<b>Cup</b>", access: "invite" as const };
  api.ladders.upsert({ ...cup, opensAt: "2027-01-01T00:00:00.000Z", closesAt: null });
  const session = { house: false, online: true, ladderId: "public", state: "playing" as const };
  for (const { botId, label, id } of [first, second])
    api.arena.bots.push({
      ...session,
      botId,
      name: "x",
      version: label,
      versionId: id,
      matchId: MATCH,
    });
  api.arena.matches.push({
    id: MATCH,
    ladderId: "public",
    map: "pinwheel",
    tick: 57,
    started: "2026-01-05T12:00:00.000Z",
    botIds: [first.botId, second.botId],
    names: ["bot-0", "a-name-of-24-characters-"],
  });
  return { api, bots };
}

const MATCH = "01900000-0000-7000-8000-00000000ffff";

function finalPlace(rank: number, { id, botId, label }: VersionRecord): FinalStanding {
  const rowStats = { rating: 1700 - rank, deviation: 30, wins: 30, losses: 2, draws: 1 };
  const names = { name: rank === 1 ? "bot-0" : "old-name", owner: OWNER, house: false };
  return { rank, botId, versionId: id, label, ...names, ...rowStats };
}

describe("home page of a new ladder", () => {
  const textOf = async (api: TestApi) =>
    (await api.app.inject("/")).body.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

  it("has an empty ring until the first match", async () => {
    const text = await textOf(testApi());
    assert.match(text, /No match running.*No ranked bots yet/);
    assert.doesNotMatch(text, /Ranks? \d+ .*free\./);
  });

  it("lists the free ranks and the unranked bots", async () => {
    const api = testApi();
    for (const [at, name] of ["Rex", "Foe", "Newcomer"].entries()) {
      const { id, botId, label } = await addTestVersion(api, await addTestBot(api, name), "v1");
      const record = { id, botId, label, notes: "", created: api.nextMinute(), retired: false };
      if (at < 2) setRating(api, record, 1500, [30, 3, 0]);
      const session = { name, house: false, version: label, versionId: id, online: true } as const;
      api.arena.bots.push({
        ...session,
        botId,
        ladderId: "public",
        state: "waiting",
        matchId: null,
      });
    }
    assert.match(await textOf(api), /Ranks 3 to 10 are free\..*Unranked bots.*Newcomer.*0 of 30/);
  });

  it("has the full layout once ten bots are ranked", async () => {
    const text = await textOf((await world()).api);
    assert.doesNotMatch(text, /free\.|Unranked bots/);
  });
});

// The npm package bundles a browser for Linux only.
describe("ladder pages", { skip: process.platform !== "linux" }, () => {
  let api: TestApi;
  let bots: Rated[];
  let browser: PageBrowser;

  before(async () => {
    ({ api, bots } = await world());
    const base = await api.app.listen({ port: 0, host: "127.0.0.1" });
    browser = await openPageBrowser(base, { failsOnLoadErrors: true });
  });
  after(async () => {
    await browser?.close();
    await api?.app.close();
  });

  const visitPage: PageBrowser["visit"] = (...visitArgs) => browser.visit(...visitArgs);

  it("show the top ranks, the running match and next steps on the home page", async () => {
    await visitPage("/", async (page) => {
      assert.equal(await page.locator(".places tbody tr").count(), 10);
      await page.getByText("Tick 57 of max 300").waitFor();
      await page.getByText("$BOUT/docs/rules.md").waitFor();
      assert.equal(await page.getByRole("link", { name: "/llms.txt" }).count(), 1);
      api.arena.matches[0]!.tick = 58;
      await page.getByText("Tick 58 of max 300").waitFor();
    });
  });

  it("show a page of all bots and link to the other pages", async () => {
    await visitPage("/ladder", async (page) => {
      assert.equal(await page.locator(".places tbody tr").count(), 50);
      await page.getByRole("link", { name: "Page 2" }).click();
      await page.getByRole("rowheader", { name: "bot-59" }).waitFor();
      assert.equal(await page.locator(".places tbody tr").count(), 10);
    });
  });

  it("search for bots without JavaScript", async () => {
    const checkPage = async (page: Page) => {
      await page.getByRole("searchbox").fill("BOT-5");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("rowheader", { name: "bot-59" }).waitFor();
      assert.equal(await page.locator(".places tbody tr").count(), 11);
    };
    await visitPage("/ladder", checkPage, { javaScriptEnabled: false });
  });

  it("remember and star a visitor's own bot, and find it on any page", async () => {
    await visitPage("/ladder?page=2", async (page) => {
      await page.getByRole("button", { name: "bot-59 is mine" }).click();
      assert.equal(await page.locator("tr.own").count(), 1);
      await page.goto(new URL("/ladder", page.url()).href);
      await page.locator(".own-bots").getByRole("link", { name: "bot-59" }).click();
      await page.waitForURL(/bot=bot-59#bot-bot-59$/);
      await page.locator("tr.own#bot-bot-59").waitFor();
      await page.getByRole("button", { name: "bot-59 is mine" }).click();
      assert.equal(await page.locator("tr.own").count(), 0);
    });
  });

  for (const [path, width] of [
    ["/", 1440],
    ["/", 390],
    ["/ladder", 1440],
    ["/ladder", 390],
  ] as const)
    it(`update ${path} at ${width} px without layout shifts`, async () => {
      const checkPage = async (page: Page) => {
        await page.getByText("Live, as of").waitFor();
        const first = await page.locator(".places tbody th").first().textContent();
        await page.evaluate("globalThis.shifts.length = 0");
        for (const news of [2100, 1890]) {
          setRating(api, bots[7]!.version, news, [41, 3, 2]);
          const has = news === 2100 ? "bot-7" : first!;
          await page
            .locator(".places tbody tr:first-child", { hasText: has.slice(0, 5) })
            .waitFor();
        }
        const shifts = await layoutShifts(page);
        const layoutShift = shifts.reduce((sum, { value }) => sum + value, 0);
        assert.ok(layoutShift < MOST_SHIFT, `${layoutShift} in ${shifts.length} shifts`);
      };
      await visitPage(path, checkPage, { viewport: { width, height: 900 } });
    });

  it("show an archived month as final and don't poll it", async () => {
    await visitPage("/ladder?season=2026-01", async (page) => {
      await page.getByText("Final standings: 2 ranked bots").waitFor();
      assert.equal(await page.getByText("Live, as of").count(), 0);
      assert.equal(await page.locator(".doing").count(), 0);
    });
  });

  it("show results with a podium, avatars, highlights and champions", async () => {
    await visitPage("/results", async (page) => {
      await page.getByRole("heading", { name: "January 2026" }).waitFor();
      assert.equal(await page.locator(".podium-steps .avatar").count(), 2);
      assert.ok((await page.locator(".highlight .map-picture").count()) > 0);
      await page.locator(".champions").getByText("bot-0").waitFor();
    });
  });

  it("list open and upcoming ladders and how to join them", async () => {
    await visitPage("/ladders", async (page) => {
      const open = page.locator("#open");
      await open.getByText("Anyone can register one, without an account").waitFor();
      const coming = page.locator("#upcoming");
      await coming.getByText("<b>Cup</b>").waitFor();
      await coming.getByText("with an invitation").waitFor();
    });
  });

  it("T26 T86 escape names, owners and labels everywhere", async () => {
    for (const path of ["/", "/ladder", "/ladder?season=2026-01", "/results", "/ladders"])
      await visitPage(path, async (page) => {
        assert.equal(await page.locator("#app b, #app i").count(), 0, path);
      });
    await visitPage("/ladder", async (page) => {
      const row = page.locator("#bot-bot-0");
      assert.ok((await row.textContent())?.includes(OWNER));
      assert.ok((await row.textContent())?.includes(LABEL));
    });
  });

  it("treat markup in searches as text", async () => {
    await visitPage(`/ladder?q=${encodeURIComponent("<img src=x>")}`, async (page) => {
      await page.getByText("No results for these filters").waitFor();
      assert.equal(await page.locator("img").count(), 0);
    });
  });

  const PATHS = [
    "/",
    "/ladder",
    "/ladder?ladder=cup",
    "/ladders",
    "/results",
    "/results?ladder=cup",
  ];
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [320, 1440])
      it(`are accessible and fit, ${colorScheme} at ${width} px`, async () => {
        const viewport = { width, height: 900 };
        for (const path of PATHS) await visitPage(path, inspect(path), { colorScheme, viewport });
      });

  const inspect = (path: string) => async (page: Page) => {
    assert.ok((await horizontalOverflow(page)) <= 0, path);
    assert.deepEqual(await axeViolations(page), [], path);
  };
});
