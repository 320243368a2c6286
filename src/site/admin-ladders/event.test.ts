import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import type { AdminEvent } from "#core/api/event.ts";
import {
  DARK_OPTIONS,
  assertPageIsValid,
  PHONE_OPTIONS,
  clickButton,
} from "#testing/fixtures/account-pages.ts";
import {
  runDialogAction,
  openDialog,
  openConsolePages,
  rowWith,
  waitForStatus,
} from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { sampleEvent } from "#testing/fixtures/sample-event.ts";
import { ONE_PIXEL_PNG } from "#testing/harness/polling.ts";
import { sampleEntry } from "#testing/store-contract/store-account-cases.ts";

describe("events and members in the console", { skip: process.platform !== "linux" }, () => {
  let openedAt: ConsolePages;
  before(async () => {
    openedAt = await openConsolePages();
    const { pages, adminRequest, adminToken } = openedAt;
    const { id: accountId } = await adminRequest(
      await pages.addMember("ada"),
      "GET",
      "/api/account",
    );
    const token = await pages.addMember("bob");
    await adminRequest(adminToken, "POST", "/api/admin/events", {
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
      botId: await pages.createBot(token, "Rex"),
      earnedAt: "2026-01-06T10:00:00.000Z",
      evidence: [],
    };
    await pages.site.api.store.awards.add([{ award, audit: sampleEntry() }]);
  });
  after(() => openedAt?.pages.close());

  test("uploads, replaces and removes an image with alt text", async () => {
    const { images } = openedAt.pages.site.api;
    const sendFile = async (page: Page, alt: string) => {
      await page.getByLabel("Alt text").fill(alt);
      await clickButton(page, "Upload image");
    };
    const checkPage = async (page: Page) => {
      await sendFile(page, "");
      await page.getByText("Choose a file first.").waitFor();
      const file = { name: "a.png", mimeType: "image/png", buffer: ONE_PIXEL_PNG };
      await page.getByLabel("A picture").setInputFiles({ ...file, mimeType: "image/gif" });
      await sendFile(page, "A cup");
      await page.locator(".form .refusal", { hasText: "image/png" }).waitFor();
      await page.getByLabel("A picture").setInputFiles(file);
      await sendFile(page, "A cup in the snow & <b>fog</b>");
      await waitForStatus(page, "Image uploaded.");
      await page.getByRole("img", { name: "A cup in the snow & <b>fog</b>" }).waitFor();
      assert.equal(images.storedImages.size, 1);
      await page.getByLabel("Replace image").waitFor();
      await assertPageIsValid(page);
      await runDialogAction(page, "Remove image", "Remove");
      await waitForStatus(page, "Image removed.");
      assert.equal(await page.locator("#picture img").count(), 0);
      images.failure = "undecodable";
      await page.getByLabel("A picture").setInputFiles(file);
      await sendFile(page, "A cup");
      await page.locator(".form .refusal", { hasText: /\w/ }).waitFor();
      images.failure = null;
    };
    await openedAt.visitPanel("events&of=finals", checkPage, { ...PHONE_OPTIONS, ...DARK_OPTIONS });
  });

  test("revokes and restores an award with a reason", async () => {
    const checkPage = async (page: Page) => {
      await page.getByLabel("Account handle or ID").fill("ada");
      await clickButton(page, "Find");
      const award = page
        .getByRole("table", { name: "Achievements of ada" })
        .getByRole("row", { name: /Warm-up/ });
      await award.getByRole("button", { name: "Revoke Warm-up" }).click();
      await openDialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await openDialog(page).getByText("Reason: please fill this in.").waitFor();
      await openDialog(page).getByLabel("Reason").fill("Two accounts.");
      await assertPageIsValid(page);
      await openDialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await waitForStatus(page, "Warm-up is revoked.");
      await award.getByText("Two accounts.").waitFor();
      await page.locator(".console-facts div", { hasText: "Revoked" }).getByText("1").waitFor();
      await award.getByRole("button", { name: "Restore Warm-up" }).click();
      await openDialog(page).getByLabel("Reason").fill("One person after all.");
      await openDialog(page).getByRole("button", { name: "Restore", exact: true }).click();
      await waitForStatus(page, "Warm-up is restored.");
      await award.getByRole("button", { name: "Revoke Warm-up" }).waitFor();
      await page.locator(".console-facts div", { hasText: "Revoked" }).getByText("0").waitFor();
      await assertPageIsValid(page);
    };
    await openedAt.visitPanel("events&of=finals", checkPage);
    const { adminToken, adminRequest } = openedAt;
    const audit = await adminRequest(adminToken, "GET", "/api/admin/audit?kind=event.");
    assert.match(JSON.stringify(audit), /"event.restored".*One person.*"event.revoked".*Two acc/s);
  });

  test("creates an event with a ladder and achievements, then edits it", async () => {
    const { adminRequest, adminToken } = openedAt;
    await adminRequest(adminToken, "POST", "/api/admin/ladders", { id: "night", name: "Night" });
    const achievement = (page: Page, number: number) =>
      openDialog(page).getByRole("group", { name: `Achievement ${number}` });
    const checkPage = async (page: Page) => {
      await clickButton(page, "New event");
      const dialog = openDialog(page);
      await dialog.getByLabel("Id", { exact: true }).first().fill("spring");
      await dialog.getByLabel("Ladder").selectOption("night");
      await dialog.getByLabel("Name", { exact: true }).first().fill("Spring");
      await dialog.getByLabel("Opens").fill("2031-03-05T18:00:00");
      await dialog.getByLabel("Closes").fill("2031-03-05T22:00:00");
      const first = achievement(page, 1);
      assert.equal(await first.getByLabel("House bot").count(), 0);
      await first.getByLabel("Condition").selectOption("defeat");
      await first.getByLabel("House bot").selectOption("brawler");
      await first.getByLabel("Wins").fill("many");
      await clickButton(page, "Create event");
      await first.getByText("Enter a whole number.").waitFor();
      await first.getByLabel("Wins").fill("3");
      await first.getByLabel("Different maps").fill("2");
      await assertPageIsValid(page);
      await clickButton(page, "Create event");
      await waitForStatus(page, "Event created.");
      await clickButton(page, "Achievements");
      await achievement(page, 2).getByLabel("Condition").selectOption("score");
      await achievement(page, 2).getByLabel("Minimum score").fill("1200");
      await openDialog(page).getByRole("button", { name: "Save" }).click();
      await waitForStatus(page, "The achievements for Spring are saved.");
    };
    await openedAt.visitPanel("events", checkPage, PHONE_OPTIONS);
    const events = (await adminRequest(
      adminToken,
      "GET",
      "/api/admin/events",
    )) as unknown as AdminEvent[];
    const createdEvent = events.find(({ id }) => id === "spring");
    assert.equal(createdEvent?.ladder_id, "night");
    const [first, second, third] = createdEvent.conditions.map(({ condition }) => condition);
    assert.deepEqual(first, { kind: "defeat", opponent: "brawler", wins: 3, maps: 2 });
    assert.deepEqual(second, { kind: "score", least: 1200 });
    assert.deepEqual(third, sampleEvent().conditions[2]?.condition);
  });

  test("approves all of a ladder's pending members together", async () => {
    const { pages, adminRequest, adminToken, visitPanel } = openedAt;
    await adminRequest(adminToken, "POST", "/api/admin/ladders", {
      id: "crowd",
      name: "Crowd",
      access: "approval",
    });
    for (const name of ["cleo", "dora", "emil"]) {
      const token = await pages.addMember(name);
      await adminRequest(token, "POST", "/api/account/ladders/crowd/enrollment", {});
    }
    const checkPage = async (page: Page) => {
      await runDialogAction(page, "Approve all 3", "Approve all");
      await waitForStatus(page, "3 members approved.");
      await rowWith(page, "emil").getByText("active").waitFor();
      assert.equal(await page.getByRole("button", { name: /^Approve/ }).count(), 0);
    };
    await visitPanel("ladders&of=crowd", checkPage, PHONE_OPTIONS);
  });
});
