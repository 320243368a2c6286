// The picture of an event, and what somebody has earned in it, in the console.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import { DARK, isSound, PHONE, press } from "#testing/fixtures/account-pages.ts";
import { act, dialogOf, openConsolePages, said } from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { sampleEvent } from "#testing/fixtures/sample-event.ts";
import { POSTER } from "#testing/harness/evening.ts";
import { entry } from "#testing/store-cases/store-account-cases.ts";

describe("an event in the console", { skip: process.platform !== "linux" }, () => {
  let opened: ConsolePages;
  before(async () => {
    opened = await openConsolePages();
    const { pages, ask, operator } = opened;
    const { id: accountId } = await ask(await pages.member("ada"), "GET", "/api/account");
    const token = await pages.member("bob");
    await ask(operator, "POST", "/api/admin/events", {
      id: "finals",
      ladder_id: "public",
      name: "Finals",
      opens_at: "2026-01-05T09:00:00.250Z",
      closes_at: "2031-01-05T18:30:00.000Z",
      conditions: sampleEvent().conditions,
    });
    const award = {
      eventId: "finals" as never,
      accountId: accountId ?? assert.fail("no account"),
      achievementId: "warm-up",
      botId: await pages.botOf(token, "Rex"),
      earnedAt: "2026-01-06T10:00:00.000Z",
      evidence: [],
    };
    await pages.site.api.store.awards.add([{ award, audit: entry() }]);
  });
  after(() => opened?.pages.close());

  test("gets a picture with its words, another one, and none again", async () => {
    const { images } = opened.pages.site.api;
    const send = async (page: Page, alt: string) => {
      await page.getByLabel("Description, for people").fill(alt);
      await press(page, "Send the picture");
    };
    const look = async (page: Page) => {
      await send(page, "");
      await page.getByText("Choose a file first.").waitFor();
      const file = { name: "a.png", mimeType: "image/png", buffer: POSTER };
      await page.getByLabel("A picture").setInputFiles({ ...file, mimeType: "image/gif" });
      await send(page, "A cup");
      await page.locator(".form .refusal", { hasText: "image/png" }).waitFor();
      await page.getByLabel("A picture").setInputFiles(file);
      await send(page, "A cup in the snow & <b>fog</b>");
      await said(page, "The picture is there.");
      await page.getByRole("img", { name: "A cup in the snow & <b>fog</b>" }).waitFor();
      assert.equal(images.kept.size, 1);
      await page.getByLabel("Another picture").waitFor();
      await isSound(page);
      await act(page, "Remove the picture", "Remove");
      await said(page, "The picture is gone.");
      assert.equal(await page.locator("#picture img").count(), 0);
      images.failure = "undecodable";
      await page.getByLabel("A picture").setInputFiles(file);
      await send(page, "A cup");
      await page.locator(".form .refusal", { hasText: /\w/ }).waitFor();
      images.failure = null;
    };
    await opened.visit("events&of=finals", look, { ...PHONE, ...DARK });
  });

  test("has an award revoked and restored, each for a reason", async () => {
    const look = async (page: Page) => {
      await page.getByLabel("Handle or id of the account").fill("ada");
      await press(page, "Find");
      const award = page
        .getByRole("table", { name: "Achievements of ada" })
        .getByRole("row", { name: /Warm-up/ });
      await award.getByRole("button", { name: "Revoke Warm-up" }).click();
      await dialogOf(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await dialogOf(page).getByText("Reason: please fill this in.").waitFor();
      await dialogOf(page).getByLabel("Reason").fill("Two accounts.");
      await isSound(page);
      await dialogOf(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await said(page, "Warm-up is revoked.");
      await award.getByText("Two accounts.").waitFor();
      await page.locator(".console-facts div", { hasText: "Revoked" }).getByText("1").waitFor();
      await award.getByRole("button", { name: "Restore Warm-up" }).click();
      await dialogOf(page).getByLabel("Reason").fill("One person after all.");
      await dialogOf(page).getByRole("button", { name: "Restore", exact: true }).click();
      await said(page, "Warm-up is restored.");
      await award.getByRole("button", { name: "Revoke Warm-up" }).waitFor();
      await page.locator(".console-facts div", { hasText: "Revoked" }).getByText("0").waitFor();
      await isSound(page);
    };
    await opened.visit("events&of=finals", look);
    const { operator, ask } = opened;
    const audit = await ask(operator, "GET", "/api/admin/audit?kind=event.");
    assert.match(JSON.stringify(audit), /"event.restored".*One person.*"event.revoked".*Two acc/s);
  });
});
