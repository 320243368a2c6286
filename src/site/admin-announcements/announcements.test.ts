import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import { HOUR_MS } from "#base/util/time.ts";
import type * as LettersFile from "#site/mail/render-email.ts";
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
import { importSiteModule } from "#testing/fixtures/site-components.ts";
import { sampleEntry } from "#testing/store-contract/store-account-cases.ts";

const { renderNotificationEmail } =
  await importSiteModule<typeof LettersFile>("mail/render-email.ts");

const PLAIN = { title: "Down on Sunday", body: "From 06:00 to 08:00 UTC.\n\nNothing is lost." };
const HOSTILE = {
  title: `<img src=x onerror=alert(1)> \u202egnp.exe 🎉 ${"W".repeat(60)}`,
  body: `<script>alert(1)</script> & "quotes" style="color:red" שלום 👾 ${"x".repeat(400)}`,
};

describe("announcements in the console", { skip: process.platform !== "linux" }, () => {
  let consolePages: ConsolePages;
  before(async () => {
    consolePages = await openConsolePages();
    const { site, addMember } = consolePages.pages;
    const sender = { baseUrl: site.baseUrl, contact: null };
    site.mail.render = (notice) => renderNotificationEmail(notice, sender, null);
    for (const name of ["ada", "bob"]) await addMember(name);
  });
  after(() => consolePages?.pages.close());

  const draft = async (changes: object): Promise<string> => {
    const body = { ...PLAIN, in_game: true, email: false, ...changes };
    const createdAnnouncement = await consolePages.adminRequest(
      consolePages.adminToken,
      "POST",
      "/api/admin/announcements/preview",
      body,
    );
    return String(createdAnnouncement["id" as never]);
  };
  const factValue = (page: Page, title: string) =>
    page.locator(".console-facts div").filter({ has: page.getByText(title, { exact: true }) });

  test("shows a draft's content and audience", async () => {
    const checkPage = async (page: Page) => {
      await page.getByText("No announcements yet.").waitFor();
      await clickButton(page, "New announcement");
      await openDialog(page).getByLabel("Title").fill(PLAIN.title);
      await openDialog(page).getByLabel("Text").fill(PLAIN.body);
      await openDialog(page).getByLabel("as a notice on every page").uncheck();
      await openDialog(page).getByRole("button", { name: "Create draft" }).click();
      await openDialog(page).getByText("An announcement needs a channel").waitFor();
      await openDialog(page).getByLabel("as a notice on every page").check();
      await openDialog(page).getByLabel("by email").check();
      await assertPageIsValid(page);
      await openDialog(page).getByRole("button", { name: "Create draft" }).click();
      await waitForStatus(page, "Draft created.");
      await page.getByRole("heading", { name: PLAIN.title, level: 2 }).first().waitFor();
      await factValue(page, "Subscribed accounts").getByText("3").waitFor();
      const notice = page.locator(".announcement-preview");
      await notice.getByText("Nothing is lost.").waitFor();
      const emailFrame = page.frameLocator(`iframe[title*="${PLAIN.title}"]`);
      await emailFrame.getByRole("heading", { name: PLAIN.title }).waitFor();
      await emailFrame.getByRole("link", { name: "Go to the site" }).waitFor();
      await page.getByText("Plain text version").click();
      await page.locator("pre", { hasText: "06:00 to 08:00 UTC" }).waitFor();
      await assertPageIsValid(page);
    };
    await consolePages.visitPanel("announcements", checkPage);
    assert.deepEqual(
      await consolePages.adminRequest(consolePages.adminToken, "GET", "/api/announcements"),
      [],
    );
  });

  test("T86 escapes any text in the list, the notice and the email", async () => {
    const id = await draft({ ...HOSTILE, email: true });
    for (const options of [{}, { ...PHONE_OPTIONS, ...DARK_OPTIONS }]) {
      const checkPage = async (page: Page) => {
        page.on("dialog", () => assert.fail("a script ran"));
        await page.locator(".announcement-preview h2").waitFor();
        for (const [input, text] of [
          [".announcement-preview h2", HOSTILE.title],
          [".announcement-preview p", HOSTILE.body],
          [".console-detail-head h2", HOSTILE.title],
        ] as const)
          assert.equal(await page.locator(input).textContent(), text);
        const emailFrame = page.frameLocator("iframe");
        await emailFrame.getByText("<script>alert(1)</script>").waitFor();
        const { length } = await emailFrame.locator("img, script, [data-look], template").all();
        assert.equal(length, 0);
        assert.equal(await page.locator(".console img, .console script").count(), 0);
        const family = await emailFrame
          .locator("h1")
          .evaluate((node) => node.ownerDocument.defaultView?.getComputedStyle(node).fontSize);
        assert.notEqual(family, "32px", "the email has its own styles");
        await assertPageIsValid(page);
        await page.getByRole("link", { name: "All announcements" }).click();
        await rowWith(page, "onerror").waitFor();
        await assertPageIsValid(page);
      };
      await consolePages.visitPanel(`announcements&of=${id}`, checkPage, options);
    }
  });

  test("shows the audience before publishing, then the delivery progress", async () => {
    const id = await draft({ email: true });
    const { store } = consolePages.pages.site.api;
    const send = async (state: "accepted" | "failed") => {
      const at = new Date(Date.now() + HOUR_MS).toISOString();
      const startedMs = await store.deliveries.begin(at, "ladder.example");
      assert.ok(startedMs !== null && "to" in startedMs);
      const response = { responseCode: 250, error: null, refused: null };
      await store.deliveries.end(startedMs.id, { at, state, ...response }, sampleEntry());
    };
    const checkPage = async (page: Page) => {
      await clickButton(page, "Publish");
      await openDialog(page).getByText("3 people will get an email").waitFor();
      await openDialog(page).getByText("This can't be undone").waitFor();
      await assertPageIsValid(page);
      await openDialog(page).getByRole("button", { name: "Cancel" }).click();
      await factValue(page, "State").getByText("draft").waitFor();
      await runDialogAction(page, "Publish", "Publish now");
      await waitForStatus(page, "Published.");
      await page.getByText("0 of 3 emails sent.").waitFor();
      await send("accepted");
      await page.getByText("1 of 3 emails sent.").waitFor();
      await send("failed");
      await factValue(page, "Failed").getByText("1").waitFor();
      await assertPageIsValid(page);
      await runDialogAction(page, "Resend failed emails", "Send again");
      await waitForStatus(page, "1 email will be sent again.");
      await factValue(page, "Failed").getByText("0").waitFor();
      await factValue(page, "Waiting").getByText("2").waitFor();
      await runDialogAction(page, "Archive", "Archive");
      await waitForStatus(page, "The notice is removed from all pages.");
      assert.equal(await page.getByRole("button", { name: "Edit text" }).count(), 0);
      await clickButton(page, "Delete");
      await openDialog(page).getByText("2 queued emails are canceled.").waitFor();
      await openDialog(page).getByRole("button", { name: "Delete permanently" }).click();
      await openDialog(page).getByText("please fill this in").waitFor();
      await openDialog(page).getByLabel("Type delete to confirm").fill("delete");
      await openDialog(page).getByRole("button", { name: "Delete permanently" }).click();
      await page.getByRole("table", { name: "Announcements" }).waitFor();
    };
    await consolePages.visitPanel(`announcements&of=${id}`, checkPage, {
      ...PHONE_OPTIONS,
      ...DARK_OPTIONS,
    });
    const allStates = await consolePages.adminRequest(
      consolePages.adminToken,
      "GET",
      "/api/admin/announcements",
    );
    assert.doesNotMatch(JSON.stringify(allStates), new RegExp(id));
  });

  test("edits and discards drafts, and recreates a draft that expired after an hour", async () => {
    const id = await draft({ title: "Nwe maps" });
    const checkPage = async (page: Page) => {
      await clickButton(page, "Edit text");
      await openDialog(page).getByLabel("Title").fill("New maps");
      await openDialog(page).getByRole("button", { name: "Save" }).click();
      await waitForStatus(page, "Text saved.");
      await page.locator(".announcement-preview h2", { hasText: "New maps" }).waitFor();
      assert.equal(await page.locator("iframe").count(), 0);
      consolePages.pages.site.advanceClock(HOUR_MS + 1000);
      await clickButton(page, "Publish");
      await openDialog(page).getByText("No emails will be sent").waitFor();
      await openDialog(page).getByRole("button", { name: "Publish now" }).click();
      await openDialog(page).getByRole("alert").filter({ hasText: /hour/ }).waitFor();
      await openDialog(page).getByRole("button", { name: "Cancel" }).click();
      await runDialogAction(page, "Redraft", "Create draft");
      await waitForStatus(page, "Draft created.");
      await page.waitForURL((url) => !url.href.includes(id));
      await runDialogAction(page, "Discard", "Discard");
      await waitForStatus(page, "The draft is discarded.");
      await factValue(page, "State").getByText("archived").waitFor();
      assert.equal(await page.getByRole("button", { name: "Publish", exact: true }).count(), 0);
    };
    await consolePages.visitPanel(`announcements&of=${id}`, checkPage);
  });
});
