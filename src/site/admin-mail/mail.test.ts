// What went out and what did not, as operators see it in a real browser.

import assert from "node:assert/strict";
import { after, before, describe, it, test } from "node:test";

import type { Page } from "playwright-core";

import { HOUR_MS, SECOND_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";
import type * as LettersFile from "#site/mail/letters.ts";
import { DARK, isSound, PHONE } from "#testing/fixtures/account-pages.ts";
import { siteModule } from "#testing/fixtures/components.ts";
import { dialogOf, openConsolePages, rowOf, said } from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { PASSWORD } from "#testing/fixtures/identity-world.ts";
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
    for (const number of [1, 2]) await queueWelcome(accountId, number);
    const begun = await store.deliveries.begin(at, "ladder.example");
    assert.ok(begun !== null);
    const outcome = { at, responseCode: 535, error: "EAUTH", refused: "login" } as const;
    const note = entry({ kind: "mail.incident", at });
    await store.deliveries.end(begun.id, { ...outcome, state: "failed" }, note);
  }

  async function queueWelcome(accountId: string, number: number): Promise<void> {
    const at = new Date(Date.now() - SECOND_MS).toISOString();
    const row = {
      id: sampleId("delivery", number),
      accountId: accountId as never,
      category: "onboarding" as const,
      subject: String(number),
      notice: NOTICES.welcome,
      announcementId: null,
      created: at,
      due: at,
    };
    await opened.pages.site.api.store.deliveries.queue([row], []);
  }

  test("shows what it sends, what it has sent, and what letters look like", async () => {
    for (const options of [{}, { ...PHONE, ...DARK }]) {
      const look = async (page: Page) => {
        await rowOf(page, "EAUTH").getByText("535").waitFor();
        await page.getByText("0 of 2 emails sent, 1 failed.").waitFor();
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

  test("shows transactional email that is not sent, and its incident", async () => {
    const { site } = opened.pages;
    const { transactional } = site.mail;
    site.mail.transactional = () => ({
      ...transactional(),
      waiting: 11,
      retrying: 9,
      last_failure: { at: "2026-01-05T12:05:02.000Z", code: "ESOCKET", response: null },
    });
    const incident = { scope: "transactional", cause: "many_failures" } as const;
    await site.api.store.incidents.open(incident, entry({ kind: "mail.incident" }));
    for (const options of [{}, { ...PHONE, ...DARK }])
      await opened.visit(
        "mail",
        async (page) => {
          const section = page.locator("#mail-transactional");
          const facts = await section.locator("dl").innerText();
          assert.match(facts, /Waiting\s+11\s+Being retried\s+9\s/i);
          assert.match(facts, /Last failure\s+ESOCKET, 5 Jan 2026/i);
          const row = rowOf(page, "Transactional email");
          await row.getByText("many emails in a row were not accepted").waitFor();
          assert.equal(await row.getByRole("button").count(), 0);
          await isSound(page);
        },
        options,
      );
    const end = entry({ kind: "mail.resolved" });
    await site.api.store.incidents.resolve("transactional", null, end);
    site.mail.transactional = transactional;
  });

  test("lists unconfirmed sign-ups, and creates a one-time link for one", async () => {
    const { people, baseUrl } = opened.pages.site;
    await people.ask("POST", "/signup", { body: { email: "eve@example.org", password: PASSWORD } });
    for (const options of [{}, { ...PHONE, ...DARK }])
      await opened.visit(
        "accounts",
        async (page) => {
          const row = rowOf(page, "e…@example.org");
          await row.getByRole("button", { name: "Confirm e…@example.org" }).click();
          await dialogOf(page).getByRole("button", { name: "Create link" }).click();
          await said(page, "The link is created.");
          const text = await page.locator("#unconfirmed .secret").innerText();
          assert.ok(text.includes(`${baseUrl}/account/confirm#token=`), text);
          await isSound(page);
          await page.getByRole("button", { name: "Done" }).click();
        },
        options,
      );
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

  test("lists suppressed accounts, and sends to one of them again", async () => {
    const { store } = opened.pages.site.api;
    const found = await store.accounts.byHandle("ada", new Date().toISOString());
    await suppress(found?.account.id ?? assert.fail("there is no ada"));
    const look = async (page: Page) => {
      const row = rowOf(page, "ada");
      await row.getByText(String(FIXED.mail_refusals), { exact: true }).waitFor();
      await isSound(page);
      await row.getByRole("button", { name: "Send again to ada" }).click();
      await dialogOf(page).getByRole("button", { name: "Send again" }).click();
      await said(page, "ada gets optional email again.");
      await page.getByText("No account is suppressed.").waitFor();
    };
    await opened.visit("mail", look, { ...PHONE, ...DARK });
    assert.deepEqual(await store.deliveries.suppressed(9), { total: 0, accounts: [] });
  });

  /** Has the mail server refuse the account's address as often as it takes. */
  async function suppress(accountId: string): Promise<void> {
    const { store } = opened.pages.site.api;
    const at = new Date(Date.now() + HOUR_MS).toISOString();
    const outcome = { at, responseCode: 550, error: "EENVELOPE", refused: "recipient" } as const;
    for (let number = 1; number <= FIXED.mail_refusals; number += 1) {
      await queueWelcome(accountId, 10 + number);
      const begun = await store.deliveries.begin(at, "ladder.example");
      await store.deliveries.end(begun!.id, { ...outcome, state: "failed" }, entry());
    }
  }
});
