// What went out and what did not, as operators see it in a real browser.

import assert from "node:assert/strict";
import { after, before, describe, it, test } from "node:test";

import type { Page } from "playwright-core";

import type * as LettersFile from "#site/mail/letters.ts";
import { DARK, isSound, PHONE } from "#testing/fixtures/account-pages.ts";
import { siteModule } from "#testing/fixtures/components.ts";
import { dialogOf, openConsolePages, rowOf, said } from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { NOTICES } from "#testing/fixtures/notices.ts";
import { shiftsOf } from "#testing/fixtures/page-browser.ts";
import { entry } from "#testing/store-cases/store-account-cases.ts";
import { sampleId } from "#testing/store-cases/store-samples.ts";

import { withStylesAside } from "./letter-sheet.ts";

const { writeNotice } = await siteModule<typeof LettersFile>("mail/letters.ts");

describe("the HTML of a letter", () => {
  it("has its styles set aside, and nothing else changed", () => {
    const { html, asideAttribute } = withStylesAside(
      '<style>p{color:red}</style><p class="style" style="color:red" title=" style=">a style="b"</p>',
    );
    assert.equal(
      html,
      `<template>p{color:red}</template><p class="style" ${asideAttribute}="color:red" title=" style=">a style="b"</p>`,
    );
  });

  it("has no style left in any letter of ours", () => {
    for (const notice of Object.values(NOTICES)) {
      const { html } = writeNotice(notice, { baseUrl: "http://localhost", contact: null }, null);
      assert.match(html, /<style>.* style="/s);
      assert.doesNotMatch(withStylesAside(html).html, /<style| style=/);
    }
  });
});

describe("mail in the console", { skip: process.platform !== "linux" }, () => {
  let opened: ConsolePages;
  before(async () => {
    opened = await openConsolePages();
    const { site, member } = opened.pages;
    site.mail.write = (notice) =>
      writeNotice(notice, { baseUrl: site.baseUrl, contact: null }, null);
    const ada = await opened.ask(await member("ada"), "GET", "/api/account");
    await queue(String(ada["id" as never]));
  });
  after(() => opened?.pages.close());

  /** Two letters, one of which the mail server refuses with a log-in that it does not take. */
  async function queue(accountId: string): Promise<void> {
    const { store } = opened.pages.site.api;
    const at = new Date().toISOString();
    const rows = [1, 2].map((number) => ({
      id: sampleId("delivery", number),
      accountId: accountId as never,
      category: "onboarding" as const,
      subject: String(number),
      notice: NOTICES.welcome,
      announcementId: null,
      created: at,
      due: at,
    }));
    await store.deliveries.queue(rows, []);
    const begun = await store.deliveries.begin(at, "ladder.example");
    assert.ok(begun !== null);
    const outcome = { at, responseCode: 535, error: "EAUTH", refused: "login" } as const;
    const note = entry({ kind: "mail.incident", at });
    await store.deliveries.end(begun.id, { ...outcome, state: "failed" }, note);
  }

  test("shows what it sends, what it has sent, and what letters look like", async () => {
    for (const options of [{}, { ...PHONE, ...DARK }]) {
      const look = async (page: Page) => {
        await rowOf(page, "EAUTH").getByText("535").waitFor();
        await page.getByText("1 of 2 letters are through.").waitFor();
        await rowOf(page, "Weekly digest").getByText("held").waitFor();
        assert.doesNotMatch((await page.locator(".console").textContent()) ?? "", /ada@/);
        for (const [kind, words] of [
          ["welcome", "is ada. Your bots"],
          ["achievement", "Ten games"],
          ["admin", "This is a sample."],
        ] as const) {
          await page.getByRole("combobox", { name: "Letter" }).selectOption(kind);
          await page.frameLocator("iframe").getByText(words).first().waitFor();
        }
        await isSound(page);
        assert.deepEqual(await shiftsOf(page), []);
      };
      await opened.visit("mail", look, options);
    }
  });

  test("goes on once an incident is resolved, which takes a reason", async () => {
    const look = async (page: Page) => {
      const incident = rowOf(page, "does not take the password");
      await incident.getByRole("button", { name: "Resolve what stops all mail" }).click();
      await dialogOf(page).getByRole("button", { name: "Send again" }).click();
      await dialogOf(page).getByText("please fill this in").waitFor();
      await isSound(page);
      await dialogOf(page).getByLabel("What was done about it").fill("The password is new.");
      await dialogOf(page).getByRole("button", { name: "Send again" }).click();
      await said(page, "Mail goes out again.");
      await incident.getByText("The password is new.").waitFor();
      await incident.getByText("grace").waitFor();
      assert.equal(
        await page.getByRole("button", { name: "Resolve what stops all mail" }).count(),
        0,
      );
      await rowOf(page, "Weekly digest").getByText("sending").waitFor();
      await page.locator("h1:focus, button:focus").waitFor();
    };
    await opened.visit("mail", look);
  });
});
