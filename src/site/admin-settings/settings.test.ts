import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import { LIMIT_TABLE, SETTING_NAMES } from "#core/limits/limits.ts";
import {
  DARK_OPTIONS,
  assertPageIsValid,
  PHONE_OPTIONS,
  clickButton,
} from "#testing/fixtures/account-pages.ts";
import {
  openDialog,
  openConsolePages,
  rowWith,
  waitForStatus,
} from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { pollFor } from "#testing/harness/polling.ts";

import { formatSettingNumber } from "./draft.ts";

const ROUTE = "/api/admin/settings";
const IS_IN_SIGHT = `(() => {
  const { top, bottom } = document.querySelector(".settings-clash h2").getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
})()`;

describe("settings in the console", { skip: process.platform !== "linux" }, () => {
  let consolePages: ConsolePages;
  before(async () => {
    consolePages = await openConsolePages();
  });
  after(() => consolePages?.pages.close());

  const field = (page: Page, name: string) => page.locator(`[id="setting-${name}"]`);
  const current = async () => {
    const view = await consolePages.adminRequest(consolePages.adminToken, "GET", ROUTE);
    return view as unknown as { revision: number; overrides: object; ladders: object };
  };
  const change = async (overrides: object, ladders: object = {}): Promise<void> => {
    const { revision } = await current();
    await consolePages.adminRequest(consolePages.adminToken, "PUT", ROUTE, {
      revision,
      overrides,
      ladders,
    });
  };
  const save = async (page: Page, reason = ""): Promise<void> => {
    await clickButton(page, "Review changes");
    await openDialog(page).getByRole("table", { name: "Changes" }).waitFor();
    await openDialog(page).getByLabel("Reason").fill(reason);
    await openDialog(page).getByRole("button", { name: "Save" }).click();
  };
  const bar = (page: Page) => page.getByRole("region", { name: "Unsaved changes" });

  test("shows each setting's limits and unit, and when a change applies", async () => {
    const checkPage = async (page: Page) => {
      await field(page, "tick_s").waitFor();
      for (const name of SETTING_NAMES) {
        const own = page.locator(".setting").filter({ has: field(page, name) });
        const text = (await own.textContent()) ?? "";
        const row = LIMIT_TABLE[name];
        assert.ok(text.includes(row.about.replaceAll("`", "")), name);
        if (row.type !== "boolean")
          assert.ok(
            text.includes(
              `from ${formatSettingNumber(row.least)} to ${formatSettingNumber(row.most)}`,
            ),
            `${name}: ${text}`,
          );
      }
      await page.getByText("0 of 320 running, 40 max per owner").waitFor();
      await page.getByText("No changes yet.").waitFor();
    };
    await consolePages.visitPanel("settings", checkPage);
  });

  test("saves all changes together with a reason, after a preview", async () => {
    const checkPage = async (page: Page) => {
      await field(page, "tick_s").fill("2.5");
      await field(page, "signup_open").selectOption("no");
      await field(page, "public-max_concurrent").fill("12");
      await bar(page).getByText("3 changes, not saved").waitFor();
      await field(page, "hourly_quota").fill("1.5");
      await page.getByText("Must be a whole number from 1 to 1,000,000.").waitFor();
      await bar(page).getByRole("link", { name: "hourly_quota is not valid" }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Review changes" }).count(), 0);
      await assertPageIsValid(page);
      await page.getByRole("button", { name: "Undo hourly_quota" }).click();
      await clickButton(page, "Review changes");
      const dialogRows = openDialog(page).getByRole("row");
      await dialogRows.filter({ hasText: /tick_s.*1.*2\.5/ }).waitFor();
      await dialogRows.filter({ hasText: /max_concurrent of public.*not set.*12/ }).waitFor();
      await openDialog(page).getByText("Applies to matches that start afterwards.").waitFor();
      await assertPageIsValid(page);
      await openDialog(page).getByLabel("Reason").fill("For slow bots.");
      await openDialog(page).getByRole("button", { name: "Save" }).click();
      await waitForStatus(page, "Settings saved.");
      assert.equal(await bar(page).count(), 0);
      await rowWith(page, "For slow bots.").getByText("tick_s: 1 → 2.5").waitFor();
      await assertPageIsValid(page);
    };
    await consolePages.visitPanel("settings", checkPage);
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

  test("T79 shows the other operator's changes on an edit conflict, and resolves it", async () => {
    const checkPage = async (page: Page) => {
      await field(page, "hourly_quota").fill("500");
      await field(page, "budget_s").fill("60");
      const { overrides, ladders } = await current();
      await change({ ...overrides, hourly_quota: 700, ping_interval_s: 9 }, ladders);
      await clickButton(page, "Review changes");
      await page.getByRole("heading", { name: "Someone else changed" }).waitFor();
      await page.locator("h2:focus", { hasText: "Someone else" }).waitFor();
      await pollFor(() => page.evaluate<boolean>(IS_IN_SIGHT));
      await rowWith(page, "hourly_quota")
        .filter({ hasText: /10,000.*700.*500/ })
        .waitFor();
      assert.equal(await field(page, "ping_interval_s").inputValue(), "9");
      await assertPageIsValid(page);
      await clickButton(page, "Use theirs");
      assert.equal(await field(page, "hourly_quota").inputValue(), "700");
      await save(page);
      await waitForStatus(page, "Settings saved.");
    };
    await consolePages.visitPanel("settings", checkPage, { ...PHONE_OPTIONS, ...DARK_OPTIONS });
    const { overrides } = await current();
    const expectedSettings = {
      tick_s: 2.5,
      signup_open: false,
      hourly_quota: 700,
      ping_interval_s: 9,
    };
    assert.deepEqual(overrides, { ...expectedSettings, budget_s: 60 });
  });

  test("T79 keeps changes after a conflict between preview and save", async () => {
    const checkPage = async (page: Page) => {
      await field(page, "hourly_quota").fill("800");
      await clickButton(page, "Review changes");
      await openDialog(page).getByRole("table", { name: "Changes" }).waitFor();
      const { overrides, ladders } = await current();
      await change({ ...overrides, hourly_quota: 900 }, ladders);
      await openDialog(page).getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "Someone else changed" }).waitFor();
      await page.locator("h2:focus", { hasText: "Someone else" }).waitFor();
      assert.equal(await openDialog(page).count(), 0);
      await clickButton(page, "Keep my changes");
      await save(page);
      await waitForStatus(page, "Settings saved.");
    };
    await consolePages.visitPanel("settings", checkPage);
    assert.equal((await current()).overrides["hourly_quota" as never], 800);
  });

  test("reverts to a revision, saves a preset and restores from the preset", async () => {
    await change({ tick_s: 3 }, {});
    const { revision } = await current();
    const checkPage = async (page: Page) => {
      await clickButton(page, "Save as preset");
      await openDialog(page).getByLabel("Name").fill("Slow");
      await openDialog(page).getByRole("button", { name: "Save preset", exact: true }).click();
      await waitForStatus(page, "Saved the preset Slow.");
      await rowWith(page, "Slow").getByText("tick_s: 3").waitFor();
      await clickButton(page, "Revert to 1");
      assert.equal(await field(page, "tick_s").inputValue(), "2.5");
      assert.equal(await field(page, "public-max_concurrent").inputValue(), "12");
      await save(page, "Back.");
      await rowWith(page, "Back.").waitFor();
      await clickButton(page, "Use Slow");
      assert.equal(await field(page, "tick_s").inputValue(), "3");
      assert.equal(await field(page, "signup_open").inputValue(), "yes");
      await bar(page).getByRole("button", { name: "Discard" }).click();
      assert.equal(await field(page, "tick_s").inputValue(), "2.5");
      await clickButton(page, "Delete Slow");
      await openDialog(page).getByRole("button", { name: "Delete" }).click();
      await page.getByText("No presets yet.").waitFor();
      await assertPageIsValid(page);
    };
    await consolePages.visitPanel("settings", checkPage, { ...PHONE_OPTIONS, ...DARK_OPTIONS });
    const after = await current();
    assert.equal(after.revision, revision + 1);
    assert.deepEqual(after.overrides, { tick_s: 2.5, signup_open: false });
    assert.deepEqual(after.ladders, { public: { max_concurrent: 12 } });
  });

  test("shows, overrides and resets a ladder's own limit", async () => {
    const newLadder = { id: "cup", name: "Cup", max_concurrent: 8 };
    await consolePages.adminRequest(
      consolePages.adminToken,
      "POST",
      "/api/admin/ladders",
      newLadder,
    );
    const { overrides, ladders } = await current();
    const checkPage = async (page: Page) => {
      const own = field(page, "cup-max_concurrent");
      await own.waitFor();
      assert.equal(await own.getAttribute("placeholder"), "8");
      const cup = page.locator("#settings-of-cup");
      await cup.getByLabel("max_concurrent concurrent").waitFor();
      await cup.getByText("Leave empty to use 8, the limit it was created with.").waitFor();
      await cup.getByText("Leave empty to use the server's limit.").waitFor();
      await assertPageIsValid(page);
      await own.fill("5");
      await save(page, "Less room.");
      await cup.getByText("0 of 5 running").waitFor();
      await rowWith(page, "Less room.").getByText("max_concurrent of cup: not set → 5").waitFor();
      await clickButton(page, "Reset to 8 for max_concurrent of cup");
      assert.equal(await own.inputValue(), "");
      await save(page);
      await cup.getByText("0 of 8 running").waitFor();
    };
    await consolePages.visitPanel("settings", checkPage, { ...PHONE_OPTIONS, ...DARK_OPTIONS });
    const after = await current();
    assert.deepEqual([after.overrides, after.ladders], [overrides, ladders]);
  });

  test("asks before unsaved changes are lost by following a link, going back or closing the page", async () => {
    const leaving = (page: Page) => page.getByRole("dialog", { name: "Unsaved changes" });
    const checkPage = async (page: Page) => {
      await page.getByRole("link", { name: "Audit", exact: true }).click();
      await page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
      await page.getByRole("link", { name: "Settings" }).click();
      await field(page, "tick_s").fill("4");
      await page.getByRole("link", { name: "Usage" }).click();
      await leaving(page).getByText("You have 1 unsaved change").waitFor();
      await assertPageIsValid(page);
      await clickButton(page, "Stay");
      assert.equal(await field(page, "tick_s").inputValue(), "4");
      await page.goBack();
      await leaving(page).waitFor();
      await page.keyboard.press("Escape");
      await leaving(page).waitFor({ state: "detached" });
      assert.match(page.url(), /part=settings/);
      assert.equal(await field(page, "tick_s").inputValue(), "4");
      // A link within the page keeps the current part open.
      await field(page, "hourly_quota").fill("x");
      await bar(page).getByRole("link", { name: "hourly_quota is not valid" }).click();
      await page.locator("[id='setting-hourly_quota']:focus").waitFor();
      const requestCount = new Promise<string>((resolve) => {
        page.once("dialog", (dialog) => {
          resolve(dialog.type());
          void dialog.dismiss();
        });
      });
      await page.getByRole("link", { name: "Results" }).first().click({ noWaitAfter: true });
      assert.equal(await requestCount, "beforeunload");
      // Going back once leaves the anchor. Going back again leaves the part.
      await page.goBack();
      await page.goBack();
      await clickButton(page, "Leave without saving");
      await page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
      await page.getByRole("link", { name: "Settings" }).click();
      await field(page, "tick_s").waitFor();
      assert.notEqual(await field(page, "tick_s").inputValue(), "4");
      await page.getByRole("link", { name: "Usage" }).click();
      await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    };
    await consolePages.visitPanel("overview", checkPage);
  });

  test("requires confirmation for settings that delete replays", async () => {
    Object.assign(consolePages.pages.site.api.trimState, { removed: 4, bytes: 2_600_000 });
    const checkPage = async (page: Page) => {
      await field(page, "replays_per_bot").fill("1");
      await clickButton(page, "Review changes");
      await openDialog(page).getByText("The next cleanup removes 4 replays").waitFor();
      await clickButton(page, "Cancel");
      await field(page, "max_concurrent").fill("0");
      await clickButton(page, "Review changes");
      await openDialog(page).getByText("no new match starts on this server").waitFor();
      await clickButton(page, "Cancel");
      await page.getByRole("link", { name: "Usage" }).click();
      await clickButton(page, "Leave without saving");
      await clickButton(page, "Remove old replays now");
      await openDialog(page).getByText("4 replays are old enough to be removed.").waitFor();
      await assertPageIsValid(page);
      await openDialog(page).getByRole("button", { name: "Remove permanently" }).click();
      await waitForStatus(page, "Removed 4 replays, 2.6 MB.");
    };
    await consolePages.visitPanel("settings", checkPage);
    assert.equal(consolePages.pages.site.api.trimState.runCount, 1);
  });

  test("shows usage by bot and owner against quotas", async () => {
    const { pages, adminToken } = consolePages;
    const bot = await pages.createBot(adminToken, "Mill");
    const { id } = (await consolePages.adminRequest(
      adminToken,
      "GET",
      "/api/account",
    )) as unknown as { id: string };
    const played = { running: 2, hour: 70, day: 500 };
    pages.site.api.arena.playUsage = {
      bots: [{ botId: bot, ...played }],
      owners: [{ ownerId: id as never, ...played }],
    };
    const checkPage = async (page: Page) => {
      const bots = page.getByRole("table", { name: "Games by bot" });
      await bots.getByRole("row", { name: /Mill/ }).getByText("70", { exact: true }).waitFor();
      const owners = page.getByRole("table", { name: "Games by owner" });
      await owners.getByRole("link", { name: "grace" }).click();
      await page.getByRole("heading", { name: "grace" }).waitFor();
    };
    await consolePages.visitPanel("usage", checkPage);
  });
});
