// Operators change the settings in the console, in a real browser.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import { LIMIT_TABLE, SETTING_NAMES } from "#core/words/limits.ts";
import { DARK, isSound, PHONE, press } from "#testing/fixtures/account-pages.ts";
import { dialogOf, openConsolePages, rowOf, said } from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { until } from "#testing/harness/evening.ts";

import { numberWords } from "./draft.ts";

const ROUTE = "/api/admin/settings";
const IS_IN_SIGHT = `(() => {
  const { top, bottom } = document.querySelector(".settings-clash h2").getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
})()`;

describe("the settings in the console", { skip: process.platform !== "linux" }, () => {
  let opened: ConsolePages;
  before(async () => {
    opened = await openConsolePages();
  });
  after(() => opened?.pages.close());

  const field = (page: Page, name: string) => page.locator(`[id="setting-${name}"]`);
  const current = async () => {
    const view = await opened.ask(opened.operator, "GET", ROUTE);
    return view as unknown as { revision: number; overrides: object; ladders: object };
  };
  const change = async (overrides: object, ladders: object = {}): Promise<void> => {
    const { revision } = await current();
    await opened.ask(opened.operator, "PUT", ROUTE, { revision, overrides, ladders });
  };
  const save = async (page: Page, reason = ""): Promise<void> => {
    await press(page, "See what changes");
    await dialogOf(page).getByRole("table", { name: "What changes" }).waitFor();
    await dialogOf(page).getByLabel("Reason").fill(reason);
    await dialogOf(page).getByRole("button", { name: "Save" }).click();
  };
  const bar = (page: Page) => page.getByRole("region", { name: "Changes that are not saved" });

  test("have a field each, with bounds, unit and when a change applies", async () => {
    const look = async (page: Page) => {
      await field(page, "tick_s").waitFor();
      for (const name of SETTING_NAMES) {
        const own = page.locator(".setting").filter({ has: field(page, name) });
        const text = (await own.textContent()) ?? "";
        const row = LIMIT_TABLE[name];
        assert.ok(text.includes(row.about.replaceAll("`", "")), name);
        if (row.type !== "boolean")
          assert.ok(
            text.includes(`from ${numberWords(row.least)} to ${numberWords(row.most)}`),
            `${name}: ${text}`,
          );
      }
      await page.getByText("0 of 320 run now, 40 at most of an owner").waitFor();
      await page.getByText("Nobody has changed a setting.").waitFor();
    };
    await opened.visit("settings", look);
  });

  test("are saved together for a reason, after what they change was shown", async () => {
    const look = async (page: Page) => {
      await field(page, "tick_s").fill("2.5");
      await field(page, "signup_open").selectOption("no");
      await field(page, "public-max_concurrent").fill("12");
      await bar(page).getByText("3 changes, not saved").waitFor();
      await field(page, "hourly_quota").fill("1.5");
      await page.getByText("Takes a whole number from 1 to 1,000,000.").waitFor();
      await bar(page).getByRole("link", { name: "hourly_quota is not valid" }).waitFor();
      assert.equal(await page.getByRole("button", { name: "See what changes" }).count(), 0);
      await isSound(page);
      await page.getByRole("button", { name: "Undo hourly_quota" }).click();
      await press(page, "See what changes");
      const told = dialogOf(page).getByRole("row");
      await told.filter({ hasText: /tick_s.*1.*2\.5/ }).waitFor();
      await told.filter({ hasText: /max_concurrent of public.*not set.*12/ }).waitFor();
      await dialogOf(page).getByText("Applies to matches that begin afterwards.").waitFor();
      await isSound(page);
      await dialogOf(page).getByLabel("Reason").fill("For slow bots.");
      await dialogOf(page).getByRole("button", { name: "Save" }).click();
      await said(page, "The settings are saved.");
      assert.equal(await bar(page).count(), 0);
      await rowOf(page, "For slow bots.").getByText("tick_s: 1 → 2.5").waitFor();
      await isSound(page);
    };
    await opened.visit("settings", look);
    const { revision, overrides, ladders } = await current();
    assert.deepEqual(
      { revision, overrides, ladders },
      {
        revision: 1,
        overrides: { tick_s: 2.5, signup_open: false },
        ladders: { public: { max_concurrent: 12 } },
      },
    );
  });

  test("T79 show what somebody else changed meanwhile, and lead on from there", async () => {
    const look = async (page: Page) => {
      await field(page, "hourly_quota").fill("500");
      await field(page, "budget_s").fill("60");
      const { overrides, ladders } = await current();
      await change({ ...overrides, hourly_quota: 700, ping_interval_s: 9 }, ladders);
      await press(page, "See what changes");
      await page.getByRole("heading", { name: "Somebody else changed" }).waitFor();
      await page.locator("h2:focus", { hasText: "Somebody else" }).waitFor();
      await until(() => page.evaluate<boolean>(IS_IN_SIGHT));
      await rowOf(page, "hourly_quota")
        .filter({ hasText: /10,000.*700.*500/ })
        .waitFor();
      assert.equal(await field(page, "ping_interval_s").inputValue(), "9");
      await isSound(page);
      await press(page, "Leave theirs as they are");
      assert.equal(await field(page, "hourly_quota").inputValue(), "700");
      await save(page);
      await said(page, "The settings are saved.");
    };
    await opened.visit("settings", look, { ...PHONE, ...DARK });
    const { overrides } = await current();
    const wanted = { tick_s: 2.5, signup_open: false, hourly_quota: 700, ping_interval_s: 9 };
    assert.deepEqual(overrides, { ...wanted, budget_s: 60 });
  });

  test("T79 are not lost when somebody is faster between a look and the save", async () => {
    const look = async (page: Page) => {
      await field(page, "hourly_quota").fill("800");
      await press(page, "See what changes");
      await dialogOf(page).getByRole("table", { name: "What changes" }).waitFor();
      const { overrides, ladders } = await current();
      await change({ ...overrides, hourly_quota: 900 }, ladders);
      await dialogOf(page).getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "Somebody else changed" }).waitFor();
      await page.locator("h2:focus", { hasText: "Somebody else" }).waitFor();
      assert.equal(await dialogOf(page).count(), 0);
      await press(page, "Go on with mine");
      await save(page);
      await said(page, "The settings are saved.");
    };
    await opened.visit("settings", look);
    assert.equal((await current()).overrides["hourly_quota" as never], 800);
  });

  test("are set back to a revision, kept under a name, and taken from there", async () => {
    await change({ tick_s: 3 }, {});
    const { revision } = await current();
    const look = async (page: Page) => {
      await press(page, "Keep the settings under a name");
      await dialogOf(page).getByLabel("Name").fill("Slow");
      await dialogOf(page).getByRole("button", { name: "Keep", exact: true }).click();
      await said(page, "Slow is kept.");
      await rowOf(page, "Slow").getByText("tick_s: 3").waitFor();
      await press(page, "Set back to 1");
      assert.equal(await field(page, "tick_s").inputValue(), "2.5");
      assert.equal(await field(page, "public-max_concurrent").inputValue(), "12");
      await save(page, "Back.");
      await rowOf(page, "Back.").waitFor();
      await press(page, "Use Slow");
      assert.equal(await field(page, "tick_s").inputValue(), "3");
      assert.equal(await field(page, "signup_open").inputValue(), "yes");
      await bar(page).getByRole("button", { name: "Throw away" }).click();
      assert.equal(await field(page, "tick_s").inputValue(), "2.5");
      await press(page, "Delete Slow");
      await dialogOf(page).getByRole("button", { name: "Delete" }).click();
      await page.getByText("There is no preset.").waitFor();
      await isSound(page);
    };
    await opened.visit("settings", look, { ...PHONE, ...DARK });
    const after = await current();
    assert.equal(after.revision, revision + 1);
    assert.deepEqual(after.overrides, { tick_s: 2.5, signup_open: false });
    assert.deepEqual(after.ladders, { public: { max_concurrent: 12 } });
  });

  test("show what a ladder was made with, take its place, and give it back", async () => {
    const made = { id: "cup", name: "Cup", max_concurrent: 8 };
    await opened.ask(opened.operator, "POST", "/api/admin/ladders", made);
    const { overrides, ladders } = await current();
    const look = async (page: Page) => {
      const own = field(page, "cup-max_concurrent");
      await own.waitFor();
      assert.equal(await own.getAttribute("placeholder"), "8");
      const cup = page.locator("#settings-of-cup");
      await cup.getByLabel("Matches at once").waitFor();
      await cup.getByText("Left empty, it is 8, with which the ladder was made.").waitFor();
      await cup.getByText("Left empty, the server's bound alone holds.").waitFor();
      await isSound(page);
      await own.fill("5");
      await save(page, "Less room.");
      await cup.getByText("0 of 5 run now").waitFor();
      await rowOf(page, "Less room.").getByText("max_concurrent of cup: not set → 5").waitFor();
      await press(page, "Back to 8 for max_concurrent of cup");
      assert.equal(await own.inputValue(), "");
      await save(page);
      await cup.getByText("0 of 8 run now").waitFor();
    };
    await opened.visit("settings", look, { ...PHONE, ...DARK });
    const after = await current();
    assert.deepEqual([after.overrides, after.ladders], [overrides, ladders]);
  });

  test("are not lost unasked: by a link, by the way back, by leaving the page", async () => {
    const leaving = (page: Page) => page.getByRole("dialog", { name: "Leave this part" });
    const look = async (page: Page) => {
      await page.getByRole("link", { name: "Audit", exact: true }).click();
      await page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
      await page.getByRole("link", { name: "Settings" }).click();
      await field(page, "tick_s").fill("4");
      await page.getByRole("link", { name: "Usage" }).click();
      await leaving(page).getByText("One change of the settings is typed").waitFor();
      await isSound(page);
      await press(page, "Stay here");
      assert.equal(await field(page, "tick_s").inputValue(), "4");
      await page.goBack();
      await leaving(page).waitFor();
      await page.keyboard.press("Escape");
      await leaving(page).waitFor({ state: "detached" });
      assert.match(page.url(), /part=settings/);
      assert.equal(await field(page, "tick_s").inputValue(), "4");
      // A place on the page is no other part.
      await field(page, "hourly_quota").fill("x");
      await bar(page).getByRole("link", { name: "hourly_quota is not valid" }).click();
      await page.locator("[id='setting-hourly_quota']:focus").waitFor();
      const asked = new Promise<string>((resolve) => {
        page.once("dialog", (dialog) => {
          resolve(dialog.type());
          void dialog.dismiss();
        });
      });
      await page.getByRole("link", { name: "Results" }).first().click({ noWaitAfter: true });
      assert.equal(await asked, "beforeunload");
      // Back from the place on the page, then from the part.
      await page.goBack();
      await page.goBack();
      await press(page, "Leave and lose it");
      await page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
      await page.getByRole("link", { name: "Settings" }).click();
      await field(page, "tick_s").waitFor();
      assert.notEqual(await field(page, "tick_s").inputValue(), "4");
      await page.getByRole("link", { name: "Usage" }).click();
      await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    };
    await opened.visit("overview", look);
  });

  test("keep less for good only after it is said", async () => {
    Object.assign(opened.pages.site.api.trims, { removed: 4, bytes: 2_600_000 });
    const look = async (page: Page) => {
      await field(page, "replays_per_bot").fill("1");
      await press(page, "See what changes");
      await dialogOf(page).getByText("The next cleanup removes 4 replays").waitFor();
      await press(page, "Leave it as it is");
      await field(page, "max_concurrent").fill("0");
      await press(page, "See what changes");
      await dialogOf(page).getByText("no new match starts on this server").waitFor();
      await press(page, "Leave it as it is");
      await page.getByRole("link", { name: "Usage" }).click();
      await press(page, "Leave and lose it");
      await press(page, "Remove old replays now");
      await dialogOf(page).getByText("4 replays are too old to keep.").waitFor();
      await isSound(page);
      await dialogOf(page).getByRole("button", { name: "Remove them for good" }).click();
      await said(page, "4 replays are removed, 2.6 MB.");
    };
    await opened.visit("settings", look);
    assert.equal(opened.pages.site.api.trims.ran, 1);
  });

  test("usage says who plays how much, of what may be played", async () => {
    const { pages, operator } = opened;
    const bot = await pages.botOf(operator, "Mill");
    const { id } = (await opened.ask(operator, "GET", "/api/account")) as unknown as { id: string };
    const played = { running: 2, hour: 70, day: 500 };
    pages.site.api.arena.played = {
      bots: [{ botId: bot, ...played }],
      owners: [{ ownerId: id as never, ...played }],
    };
    const look = async (page: Page) => {
      const bots = page.getByRole("table", { name: "What bots play" });
      await bots.getByRole("row", { name: /Mill/ }).getByText("70", { exact: true }).waitFor();
      const owners = page.getByRole("table", { name: "What owners play" });
      await owners.getByRole("link", { name: "grace" }).click();
      await page.getByRole("heading", { name: "grace" }).waitFor();
    };
    await opened.visit("usage", look);
  });
});
