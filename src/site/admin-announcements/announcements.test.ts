// Operators tell everybody something, in a real browser.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import { HOUR_MS } from "#base/units/time.ts";
import type * as LettersFile from "#site/mail/letters.ts";
import { DARK, isSound, PHONE, press } from "#testing/fixtures/account-pages.ts";
import { siteModule } from "#testing/fixtures/components.ts";
import { act, dialogOf, openConsolePages, rowOf, said } from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { entry } from "#testing/store-cases/store-account-cases.ts";

const { writeNotice } = await siteModule<typeof LettersFile>("mail/letters.ts");

const PLAIN = { title: "Down on Sunday", body: "From 06:00 to 08:00 UTC.\n\nNothing is lost." };
const HOSTILE = {
  title: `<img src=x onerror=alert(1)> \u202egnp.exe 🎉 ${"W".repeat(60)}`,
  body: `<script>alert(1)</script> & "quotes" style="color:red" שלום 👾 ${"x".repeat(400)}`,
};

describe("announcements in the console", { skip: process.platform !== "linux" }, () => {
  let opened: ConsolePages;
  before(async () => {
    opened = await openConsolePages();
    const { site, member } = opened.pages;
    const sender = { baseUrl: site.baseUrl, contact: null };
    site.mail.write = (notice) => writeNotice(notice, sender, null);
    for (const name of ["ada", "bob"]) await member(name);
  });
  after(() => opened?.pages.close());

  const draft = async (changes: object): Promise<string> => {
    const body = { ...PLAIN, in_game: true, email: false, ...changes };
    const made = await opened.ask(
      opened.operator,
      "POST",
      "/api/admin/announcements/preview",
      body,
    );
    return String(made["id" as never]);
  };
  const fact = (page: Page, title: string) =>
    page.locator(".console-facts div").filter({ has: page.getByText(title, { exact: true }) });

  test("are written as a draft that shows what goes out, and to how many", async () => {
    const look = async (page: Page) => {
      await page.getByText("There is no announcement.").waitFor();
      await press(page, "Write an announcement");
      await dialogOf(page).getByLabel("Title").fill(PLAIN.title);
      await dialogOf(page).getByLabel("Text").fill(PLAIN.body);
      await dialogOf(page).getByLabel("as a notice on every page").uncheck();
      await dialogOf(page).getByRole("button", { name: "Make the draft" }).click();
      await dialogOf(page).getByText("An announcement needs a channel").waitFor();
      await dialogOf(page).getByLabel("as a notice on every page").check();
      await dialogOf(page).getByLabel("by mail").check();
      await isSound(page);
      await dialogOf(page).getByRole("button", { name: "Make the draft" }).click();
      await said(page, "The draft is made.");
      await page.getByRole("heading", { name: PLAIN.title, level: 2 }).first().waitFor();
      await fact(page, "Accounts that want such mail").getByText("3").waitFor();
      const notice = page.locator(".announcement-preview");
      await notice.getByText("Nothing is lost.").waitFor();
      const letter = page.frameLocator(`iframe[title*="${PLAIN.title}"]`);
      await letter.getByRole("heading", { name: PLAIN.title }).waitFor();
      await letter.getByRole("link", { name: "Go to the ladder" }).waitFor();
      await page.getByText("The same as text").click();
      await page.locator("pre", { hasText: "06:00 to 08:00 UTC" }).waitFor();
      await isSound(page);
    };
    await opened.visit("announcements", look);
    assert.deepEqual(await opened.ask(opened.operator, "GET", "/api/announcements"), []);
  });

  test("T86 are text, whatever they hold, in the list, the notice and the letter", async () => {
    const id = await draft({ ...HOSTILE, email: true });
    for (const options of [{}, { ...PHONE, ...DARK }]) {
      const look = async (page: Page) => {
        page.on("dialog", () => assert.fail("a script ran"));
        await page.locator(".announcement-preview h2").waitFor();
        for (const [place, text] of [
          [".announcement-preview h2", HOSTILE.title],
          [".announcement-preview p", HOSTILE.body],
          [".console-detail-head h2", HOSTILE.title],
        ] as const)
          assert.equal(await page.locator(place).textContent(), text);
        const letter = page.frameLocator("iframe");
        await letter.getByText("<script>alert(1)</script>").waitFor();
        const { length } = await letter.locator("img, script, [data-look], template").all();
        assert.equal(length, 0);
        assert.equal(await page.locator(".console img, .console script").count(), 0);
        const family = await letter
          .locator("h1")
          .evaluate((node) => node.ownerDocument.defaultView?.getComputedStyle(node).fontSize);
        assert.notEqual(family, "32px", "the letter has its own looks");
        await isSound(page);
        await page.getByRole("link", { name: "All announcements" }).click();
        await rowOf(page, "onerror").waitFor();
        await isSound(page);
      };
      await opened.visit(`announcements&of=${id}`, look, options);
    }
  });

  test("are published for good, once it is said to how many; letters move as they go", async () => {
    const id = await draft({ email: true });
    const { store } = opened.pages.site.api;
    const send = async (state: "accepted" | "failed") => {
      const at = new Date(Date.now() + HOUR_MS).toISOString();
      const begun = await store.deliveries.begin(at, "ladder.example");
      assert.ok(begun !== null && "to" in begun);
      const response = { responseCode: 250, error: null, refused: null };
      await store.deliveries.end(begun.id, { at, state, ...response }, entry());
    };
    const look = async (page: Page) => {
      await press(page, "Publish");
      await dialogOf(page).getByText("3 people get an email").waitFor();
      await dialogOf(page).getByText("This cannot be taken back").waitFor();
      await isSound(page);
      await dialogOf(page).getByRole("button", { name: "Leave it as it is" }).click();
      await fact(page, "State").getByText("draft").waitFor();
      await act(page, "Publish", "Publish for good");
      await said(page, "It is published.");
      await page.getByText("0 of 3 emails sent.").waitFor();
      await send("accepted");
      await page.getByText("1 of 3 emails sent.").waitFor();
      await send("failed");
      await fact(page, "Failed").getByText("1").waitFor();
      await isSound(page);
      await act(page, "Send failed letters again", "Send again");
      await said(page, "One letter goes out again.");
      await fact(page, "Failed").getByText("0").waitFor();
      await fact(page, "Waiting").getByText("2").waitFor();
      await act(page, "Archive", "Archive");
      await said(page, "The notice is off the pages.");
      assert.equal(await page.getByRole("button", { name: "Change the words" }).count(), 0);
      await press(page, "Delete");
      await dialogOf(page).getByText("2 letters that wait do not go out.").waitFor();
      await dialogOf(page).getByRole("button", { name: "Delete for good" }).click();
      await dialogOf(page).getByText("please fill this in").waitFor();
      await dialogOf(page).getByLabel("Type delete to go on").fill("delete");
      await dialogOf(page).getByRole("button", { name: "Delete for good" }).click();
      await page.getByRole("table", { name: "Announcements" }).waitFor();
    };
    await opened.visit(`announcements&of=${id}`, look, { ...PHONE, ...DARK });
    const all = await opened.ask(opened.operator, "GET", "/api/admin/announcements");
    assert.doesNotMatch(JSON.stringify(all), new RegExp(id));
  });

  test("change in words, are discarded, and are drafted again once an hour has passed", async () => {
    const id = await draft({ title: "Nwe maps" });
    const look = async (page: Page) => {
      await press(page, "Change the words");
      await dialogOf(page).getByLabel("Title").fill("New maps");
      await dialogOf(page).getByRole("button", { name: "Save" }).click();
      await said(page, "The words are changed.");
      await page.locator(".announcement-preview h2", { hasText: "New maps" }).waitFor();
      assert.equal(await page.locator("iframe").count(), 0);
      opened.pages.site.pass(HOUR_MS + 1000);
      await press(page, "Publish");
      await dialogOf(page).getByText("No emails will be sent").waitFor();
      await dialogOf(page).getByRole("button", { name: "Publish for good" }).click();
      await dialogOf(page).getByRole("alert").filter({ hasText: /hour/ }).waitFor();
      await dialogOf(page).getByRole("button", { name: "Leave it as it is" }).click();
      await act(page, "Draft it again", "Make the draft");
      await said(page, "The draft is made.");
      await page.waitForURL((url) => !url.href.includes(id));
      await act(page, "Discard", "Discard");
      await said(page, "The draft is discarded.");
      await fact(page, "State").getByText("archived").waitFor();
      assert.equal(await page.getByRole("button", { name: "Publish", exact: true }).count(), 0);
    };
    await opened.visit(`announcements&of=${id}`, look);
  });
});
