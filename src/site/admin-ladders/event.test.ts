// Events and members of ladders, in the console.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import type { AdminEvent } from "#core/resources/event.ts";
import { DARK, isSound, PHONE, press } from "#testing/fixtures/account-pages.ts";
import { act, dialogOf, openConsolePages, rowOf, said } from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { sampleEvent } from "#testing/fixtures/sample-event.ts";
import { POSTER } from "#testing/harness/evening.ts";
import { entry } from "#testing/store-cases/store-account-cases.ts";

describe("events and members in the console", { skip: process.platform !== "linux" }, () => {
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

  test("is made in a form, with its ladder and achievements, and edited", async () => {
    const { ask, operator } = opened;
    await ask(operator, "POST", "/api/admin/ladders", { id: "night", name: "Night" });
    const achievement = (page: Page, number: number) =>
      dialogOf(page).getByRole("group", { name: `Achievement ${number}` });
    const look = async (page: Page) => {
      await press(page, "Make an event");
      const dialog = dialogOf(page);
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
      await press(page, "Make the event");
      await first.getByText("Enter a whole number.").waitFor();
      await first.getByLabel("Wins").fill("3");
      await first.getByLabel("On how many maps").fill("2");
      await isSound(page);
      await press(page, "Make the event");
      await said(page, "The event is there.");
      await press(page, "Achievements");
      await achievement(page, 2).getByLabel("Condition").selectOption("score");
      await achievement(page, 2).getByLabel("Lowest score").fill("1200");
      await dialogOf(page).getByRole("button", { name: "Save" }).click();
      await said(page, "The achievements of Spring are saved.");
    };
    await opened.visit("events", look, PHONE);
    const events = (await ask(operator, "GET", "/api/admin/events")) as unknown as AdminEvent[];
    const made = events.find(({ id }) => id === "spring");
    assert.equal(made?.ladder_id, "night");
    const [first, second, third] = made.conditions.map(({ condition }) => condition);
    assert.deepEqual(first, { kind: "defeat", opponent: "brawler", wins: 3, maps: 2 });
    assert.deepEqual(second, { kind: "score", least: 1200 });
    assert.deepEqual(third, sampleEvent().conditions[2]?.condition);
  });

  test("approves all pending members of a ladder at once", async () => {
    const { pages, ask, operator, visit } = opened;
    await ask(operator, "POST", "/api/admin/ladders", {
      id: "crowd",
      name: "Crowd",
      access: "approval",
    });
    for (const name of ["cleo", "dora", "emil"]) {
      const token = await pages.member(name);
      await ask(token, "POST", "/api/account/ladders/crowd/enrollment", {});
    }
    const look = async (page: Page) => {
      await act(page, "Approve all 3", "Approve all");
      await said(page, "3 members approved.");
      await rowOf(page, "emil").getByText("active").waitFor();
      assert.equal(await page.getByRole("button", { name: /^Approve/ }).count(), 0);
    };
    await visit("ladders&of=crowd", look, PHONE);
  });
});
