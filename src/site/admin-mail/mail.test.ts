import assert from "node:assert/strict";
import { after, before, describe, it, test } from "node:test";

import type { Page } from "playwright-core";

import { HOUR_MS, SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type * as LettersFile from "#site/mail/render-email.ts";
import { DARK_OPTIONS, assertPageIsValid, PHONE_OPTIONS } from "#testing/fixtures/account-pages.ts";
import {
  openDialog,
  openConsolePages,
  rowWith,
  waitForStatus,
} from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { TEST_PASSWORD } from "#testing/fixtures/identity-world.ts";
import { layoutShifts } from "#testing/fixtures/page-browser.ts";
import { SAMPLE_NOTIFICATIONS } from "#testing/fixtures/sample-notifications.ts";
import { importSiteModule } from "#testing/fixtures/site-components.ts";
import { sampleEntry } from "#testing/store-contract/store-account-cases.ts";
import { sampleId } from "#testing/store-contract/store-samples.ts";

import { extractInlineStyles } from "./safe-email-html.ts";

const { renderNotificationEmail } =
  await importSiteModule<typeof LettersFile>("mail/render-email.ts");

describe("email HTML", () => {
  it("has its styles extracted and is otherwise unchanged", () => {
    const { html, styleAttribute } = extractInlineStyles(
      '<style>p{color:red}</style><p class="style" style="color:red" title=" style=">a style="b"</p>',
    );
    assert.equal(
      html,
      `<template>p{color:red}</template><p class="style" ${styleAttribute}="color:red" title=" style=">a style="b"</p>`,
    );
  });

  it("has no inline styles left in any of our emails", () => {
    for (const notice of Object.values(SAMPLE_NOTIFICATIONS)) {
      const { html } = renderNotificationEmail(
        notice,
        { baseUrl: "http://localhost", contact: null },
        null,
      );
      assert.match(html, /<style>.* style="/s);
      assert.doesNotMatch(extractInlineStyles(html).html, /<style| style=/);
    }
  });
});

describe("email in the console", { skip: process.platform !== "linux" }, () => {
  let consolePages: ConsolePages;
  before(async () => {
    consolePages = await openConsolePages();
    const { site, addMember } = consolePages.pages;
    site.mail.render = (notice) =>
      renderNotificationEmail(notice, { baseUrl: site.baseUrl, contact: null }, null);
    const ada = await consolePages.adminRequest(await addMember("ada"), "GET", "/api/account");
    await queue(String(ada["id" as never]));
  });
  after(() => consolePages?.pages.close());

  /** Queues two emails. The mail server rejects one because the login fails. */
  async function queue(accountId: string): Promise<void> {
    const { store } = consolePages.pages.site.api;
    const at = new Date().toISOString();
    for (const number of [1, 2]) await queueWelcome(accountId, number);
    const startedDelivery = await store.deliveries.begin(at, "ladder.example");
    assert.ok(startedDelivery !== null);
    const outcome = { at, responseCode: 535, error: "EAUTH", refused: "login" } as const;
    const note = sampleEntry({ kind: "mail.incident", at });
    await store.deliveries.end(startedDelivery.id, { ...outcome, state: "failed" }, note);
  }

  async function queueWelcome(accountId: string, number: number): Promise<void> {
    const at = new Date(Date.now() - SECOND_MS).toISOString();
    const row = {
      id: sampleId("delivery", number),
      accountId: accountId as never,
      category: "onboarding" as const,
      subject: String(number),
      notice: SAMPLE_NOTIFICATIONS.welcome,
      announcementId: null,
      created: at,
      due: at,
    };
    await consolePages.pages.site.api.store.deliveries.queue([row], []);
  }

  test("shows queued emails, sent emails and samples", async () => {
    for (const options of [{}, { ...PHONE_OPTIONS, ...DARK_OPTIONS }]) {
      const checkPage = async (page: Page) => {
        await rowWith(page, "EAUTH").getByText("535").waitFor();
        await page.getByText("0 of 2 emails sent, 1 failed.").waitFor();
        await rowWith(page, "Weekly digest").getByText("held").waitFor();
        assert.doesNotMatch((await page.locator(".console").textContent()) ?? "", /ada@/);
        for (const [kind, words] of [
          ["welcome", "is ada. It's shown"],
          ["achievement", "Ten games"],
          ["admin", "This is a sample."],
        ] as const) {
          await page.getByRole("combobox", { name: "Email" }).selectOption(kind);
          await page.frameLocator("iframe").getByText(words).first().waitFor();
        }
        await assertPageIsValid(page);
        assert.deepEqual(await layoutShifts(page), []);
      };
      await consolePages.visitPanel("mail", checkPage, options);
    }
  });

  test("shows unsent transactional email and the incident that stopped it", async () => {
    const { site } = consolePages.pages;
    const { transactional } = site.mail;
    site.mail.transactional = () => ({
      ...transactional(),
      waiting: 11,
      retrying: 9,
      last_failure: { at: "2026-01-05T12:05:02.000Z", code: "ESOCKET", response: null },
    });
    const incident = { scope: "transactional", cause: "many_failures" } as const;
    await site.api.store.incidents.open(incident, sampleEntry({ kind: "mail.incident" }));
    for (const options of [{}, { ...PHONE_OPTIONS, ...DARK_OPTIONS }])
      await consolePages.visitPanel(
        "mail",
        async (page) => {
          const section = page.locator("#mail-transactional");
          const factValues = await section.locator("dl").innerText();
          assert.match(factValues, /Waiting\s+11\s+Retrying\s+9\s/i);
          assert.match(factValues, /Last failure\s+ESOCKET, 5 Jan 2026/i);
          const row = rowWith(page, "Transactional email");
          await row.getByText("too many consecutive emails were rejected").waitFor();
          assert.equal(await row.getByRole("button").count(), 0);
          await assertPageIsValid(page);
        },
        options,
      );
    const end = sampleEntry({ kind: "mail.resolved" });
    await site.api.store.incidents.resolve("transactional", null, end);
    site.mail.transactional = transactional;
  });

  test("lists unconfirmed sign-ups and creates a one-time link", async () => {
    const { people, baseUrl } = consolePages.pages.site;
    await people.sendRequest("POST", "/signup", {
      body: { email: "eve@example.org", password: TEST_PASSWORD },
    });
    for (const options of [{}, { ...PHONE_OPTIONS, ...DARK_OPTIONS }])
      await consolePages.visitPanel(
        "accounts",
        async (page) => {
          const row = rowWith(page, "e…@example.org");
          await row.getByRole("button", { name: "Confirm e…@example.org" }).click();
          await openDialog(page).getByRole("button", { name: "Create link" }).click();
          await waitForStatus(page, "Link created.");
          const text = await page.locator("#unconfirmed .secret").innerText();
          assert.ok(text.includes(`${baseUrl}/account/confirm#token=`), text);
          await assertPageIsValid(page);
          await page.getByRole("button", { name: "Done" }).click();
        },
        options,
      );
  });

  test("resumes delivery after an incident is resolved with a reason", async () => {
    const checkPage = async (page: Page) => {
      const incident = rowWith(page, "rejected the password");
      await incident.getByRole("button", { name: "Resolve the incident for all email" }).click();
      await openDialog(page).getByRole("button", { name: "Send again" }).click();
      await openDialog(page).getByText("please fill this in").waitFor();
      await assertPageIsValid(page);
      await openDialog(page).getByLabel("What did you do to fix it?").fill("The password is new.");
      await openDialog(page).getByRole("button", { name: "Send again" }).click();
      await waitForStatus(page, "Sending has resumed.");
      await incident.getByText("The password is new.").waitFor();
      await incident.getByText("grace").waitFor();
      assert.equal(
        await page.getByRole("button", { name: "Resolve the incident for all email" }).count(),
        0,
      );
      await rowWith(page, "Weekly digest").getByText("sending").waitFor();
      await page.locator("h1:focus, button:focus").waitFor();
    };
    await consolePages.visitPanel("mail", checkPage);
  });

  test("lists suppressed accounts and resumes email to an account", async () => {
    const { store } = consolePages.pages.site.api;
    const adaAccount = await store.accounts.byHandle("ada", new Date().toISOString());
    await suppress(adaAccount?.account.id ?? assert.fail("there is no ada"));
    const checkPage = async (page: Page) => {
      const row = rowWith(page, "ada");
      await row.getByText(String(FIXED_LIMITS.mail_refusals), { exact: true }).waitFor();
      await assertPageIsValid(page);
      await row.getByRole("button", { name: "Send again to ada" }).click();
      await openDialog(page).getByRole("button", { name: "Send again" }).click();
      await waitForStatus(page, "ada gets optional email again.");
      await page.getByText("No suppressed accounts.").waitFor();
    };
    await consolePages.visitPanel("mail", checkPage, { ...PHONE_OPTIONS, ...DARK_OPTIONS });
    assert.deepEqual(await store.deliveries.listSuppressed(9), { total: 0, accounts: [] });
  });

  /** Makes the mail server reject the account's address until the account is suppressed. */
  async function suppress(accountId: string): Promise<void> {
    const { store } = consolePages.pages.site.api;
    const at = new Date(Date.now() + HOUR_MS).toISOString();
    const outcome = { at, responseCode: 550, error: "EENVELOPE", refused: "recipient" } as const;
    for (let number = 1; number <= FIXED_LIMITS.mail_refusals; number += 1) {
      await queueWelcome(accountId, 10 + number);
      const startedDelivery = await store.deliveries.begin(at, "ladder.example");
      await store.deliveries.end(
        startedDelivery!.id,
        { ...outcome, state: "failed" },
        sampleEntry(),
      );
    }
  }
});
