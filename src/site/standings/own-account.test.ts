import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { Page } from "playwright-core";

import {
  DARK_OPTIONS,
  assertPageIsValid,
  openAccountPages,
  PHONE_OPTIONS,
} from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import { layoutShifts } from "#testing/fixtures/page-browser.ts";
import {
  addTestBot,
  addMatch,
  addTestVersion,
  bearerHeader,
  setRating,
  emptyMatchStats,
} from "#testing/fixtures/test-api.ts";

/** Maximum gap between the form and the terminal command, in pixels. */
const MOST_EMPTY_PX = 60;
/** For a signed-in visitor, the terminal command is longer and its text takes another line. */
const MOST_SHIFT = 0.1;

describe("public pages for a signed-in visitor", { skip: process.platform !== "linux" }, () => {
  let pages: AccountPages;
  let token = "";
  let matchId = "";
  before(async () => {
    pages = await openAccountPages();
    const { api } = pages.site;
    token = await pages.addMember("ada");
    const bots = [];
    for (const name of ["climber", "novice"]) {
      await pages.createBot(token, name);
      const bot = (await api.store.bots.byName(name)) ?? assert.fail(name);
      bots.push(await addTestVersion(api, bot, "v1"));
    }
    const rival = await addTestVersion(api, await addTestBot(api, "rival"), "v1");
    const [climber, novice] = bots;
    setRating(api, climber!, 1700, [40, 20, 0]);
    setRating(api, rival, 1500, [30, 20, 0]);
    setRating(api, novice!, 1400, [2, 5, 0]);
    matchId = (await addMatch(api, [climber!, rival], { stats: JSON.stringify(emptyMatchStats()) }))
      .id;
    await addMatch(api, [rival, climber!]);
  });
  after(() => pages?.close());

  const open = (page: Page, path: string) => page.goto(pages.site.baseUrl + path);
  const account = (page: Page) => page.locator(".masthead .own");

  for (const view of [PHONE_OPTIONS, DARK_OPTIONS])
    it(`show the account and its bots ${view === PHONE_OPTIONS ? "on a phone" : "in the dark"}`, () =>
      pages.visitAsMember(
        "ada",
        async (page) => {
          await account(page).getByText("ada", { exact: true }).waitFor();
          await open(page, "/");
          await account(page).getByText("ada", { exact: true }).waitFor();
          const own = page.locator(".own-panel");
          await own.locator(".own-bot", { hasText: "Rank 1" }).getByText("climber").waitFor();
          await own.getByText("7 of 30 placement matches").waitFor();
          assert.deepEqual(await own.locator(".own-result").allInnerTexts(), [
            "L\nLost to rival",
            "W\nWon against rival",
          ]);
          await assertPageIsValid(page);
          await open(page, "/ladder");
          await page.locator("tr.own", { hasText: "climber" }).waitFor();
          assert.equal(await page.locator("tr.own").count(), 1);
          assert.equal(await page.getByText("Star your bot").count(), 0);
          await assertPageIsValid(page);
          await open(page, "/create-bot");
          await page.getByText("so that you own the bot").waitFor();
          await page.locator(".own-form-who").waitFor();
          assert.ok((await emptyBelowForm(page)) < MOST_EMPTY_PX);
          const layoutShift = (await layoutShifts(page)).reduce((sum, { value }) => sum + value, 0);
          assert.ok(layoutShift < MOST_SHIFT, String(layoutShift));
          await open(page, "/guide");
          await account(page).getByText("ada", { exact: true }).waitFor();
        },
        view,
      ));

  it("can star a match to keep its replay", () =>
    pages.visitAsMember("ada", async (page) => {
      await open(page, `/match/${matchId}`);
      await page.getByText("one of the latest 200 of either bot").waitFor();
      await page.getByRole("button", { name: "Star this match" }).click();
      await page.getByRole("button", { name: "Starred", pressed: true }).waitFor();
      await assertPageIsValid(page);
      await page.reload();
      await page.getByRole("button", { name: "Starred", pressed: true }).click();
      await page.getByRole("button", { name: "Star this match", pressed: false }).waitFor();
    }));

  it("hide the account after signing out", () =>
    pages.visitAsMember("ada", async (page) => {
      await page.getByRole("button", { name: "Sign out" }).first().click();
      await account(page).getByText("Account", { exact: true }).waitFor();
      await open(page, "/");
      await page.getByText("Write a bot").waitFor();
      assert.equal(await page.locator(".own-panel").count(), 0);
    }));

  it("are served identically to all visitors", async () => {
    for (const url of ["/", "/ladder", "/create-bot"]) {
      const { app } = pages.site.api;
      const personal = await app.inject({ url, headers: bearerHeader(token) });
      assert.match(String(personal.headers["cache-control"]), /^public/);
      assert.match(personal.body, /<a class="own"[^>]*>Account<\/a>/);
      assert.equal(personal.body, (await app.inject({ url })).body);
    }
  });

  it("load nothing from the identity provider for signed-out visitors", () =>
    pages.visit("/", async (page) => {
      await page.getByText("Live, as of").waitFor();
      const loaded = "performance.getEntriesByType('resource').map(({ name }) => name).join()";
      assert.doesNotMatch(await page.evaluate<string>(loaded), /identity|api.account/);
    }));
});

const emptyBelowForm = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const [button, command] = [".registrant button", ".by-hand"].map((selector) =>
      document.querySelector(selector)?.getBoundingClientRect(),
    );
    return (command?.top ?? Infinity) - (button?.bottom ?? 0);
  });
