import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import type { Account } from "#core/api/account.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import type { AccountId } from "#core/ids/ids.ts";
import {
  OPERATOR_CONTACT,
  DARK_OPTIONS,
  followEmailLink,
  headingLocator,
  assertPageIsValid,
  openAccountPages,
  PHONE_OPTIONS,
  clickButton,
  submitNewPassword,
  fillSignIn,
  fillSignUp,
} from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import { GITHUB_CODE } from "#testing/fixtures/github-stub.ts";
import { TEST_PASSWORD } from "#testing/fixtures/identity-world.ts";
import { horizontalOverflow, layoutShifts } from "#testing/fixtures/page-browser.ts";
import { bearerHeader } from "#testing/fixtures/test-api.ts";

describe("sign-in", { skip: process.platform !== "linux" }, () => {
  let pages: AccountPages;
  before(async () => {
    pages = await openAccountPages();
  });
  after(() => pages?.close());

  test("takes fewer than ten inputs from first visit to a queued bot", async () => {
    let inputs = 0;
    const expectedTypes = async (input: Promise<unknown>) => {
      inputs += 1;
      await input;
    };
    const checkPage = async (page: Page) => {
      await page.getByText("On this ladder, a bot belongs to an account").waitFor();
      await assertPageIsValid(page);
      await expectedTypes(page.getByRole("link", { name: "Create an account" }).click());
      await headingLocator(page, "Create an account").waitFor();
      await assertPageIsValid(page);
      await expectedTypes(page.getByLabel("Email").fill("nova@example.org"));
      await expectedTypes(page.getByLabel("Password").fill(TEST_PASSWORD));
      await expectedTypes(clickButton(page, "Create account"));
      await headingLocator(page, "Check your inbox").waitFor();
      await assertPageIsValid(page);
      const { code } = await pages.site.latestEmail("nova@example.org");
      await expectedTypes(page.keyboard.type(code));
      await headingLocator(page, "Choose a handle").waitFor();
      assert.equal(await page.getByLabel("Handle").inputValue(), "nova");
      await headingLocator(page, "Choose a handle").and(page.locator(":focus")).waitFor();
      await assertPageIsValid(page);
      await page.keyboard.press("Enter");
      await expectedTypes(clickButton(page, "Save handle"));
      await page.waitForURL(`${pages.site.baseUrl}/create-bot`);
      await page.getByText("Signed in as nova").waitFor();
      await expectedTypes(page.getByLabel("Name", { exact: true }).fill("Nova-1"));
      await expectedTypes(clickButton(page, "Register"));
      await headingLocator(page, "Nova-1 is registered").waitFor();
      await page.getByText("--name Nova-1").first().waitFor();
      await assertPageIsValid(page);
      assert.ok(inputs < 10, `${inputs} inputs`);
      const foundText = await pages.site.api.store.bots.byName("Nova-1");
      assert.equal(foundText?.owner, "nova");
      pages.queueBot(foundText?.id ?? assert.fail(), "Nova-1");
      await page.getByText("Queued", { exact: true }).waitFor();
      // Leaving the page loses no token, because the program has already used it.
      await page.goto(`${pages.site.baseUrl}/account`);
      await page.getByText("In queue with v1").waitFor();
      await assertPageIsValid(page);
    };
    await pages.visit("/create-bot", checkPage, PHONE_OPTIONS);
  });

  test("shows errors at the field they belong to", async () => {
    await pages.addMember("taken");
    await pages.visit("/account", async (page) => {
      await clickButton(page, "Create an account");
      await clickButton(page, "Create account");
      await page.locator("#sign-up-email-refusal", { hasText: "fill this in" }).waitFor();
      await page.locator("#sign-up-email:focus").waitFor();
      await page.getByLabel("Email").fill("wrong@example.org");
      await page.getByLabel("Password").fill("short");
      await clickButton(page, "Create account");
      await page.locator("#sign-up-password-refusal", { hasText: "at least 8" }).waitFor();
      assert.equal(await page.getByLabel("Password").getAttribute("aria-invalid"), "true");
      await assertPageIsValid(page);
      await page.getByLabel("Password").fill(TEST_PASSWORD);
      await clickButton(page, "Create account");
      await headingLocator(page, "Check your inbox").waitFor();
      const { code } = await pages.site.latestEmail("wrong@example.org");
      await page.locator("#digits-code:focus").waitFor();
      let attempts = 0;
      page.on("request", (request) => {
        if (request.url().endsWith("/verify")) attempts += 1;
      });
      await page.keyboard.type(code === "000000" ? "000001" : "000000");
      await page.locator("#digits-code-refusal", { hasText: "code is wrong" }).waitFor();
      await clickButton(page, "Continue");
      await clickButton(page, "Sign in");
      await fillSignIn(page, "wrong@example.org");
      await page.locator("#sign-in-password-refusal", { hasText: "Wrong email" }).waitFor();
      assert.equal(attempts, 1, "a rejected code isn't sent again");
      await followEmailLink(page, (await secondCode("wrong@example.org")).link);
      await headingLocator(page, "Choose a password").waitFor();
      await submitNewPassword(page, TEST_PASSWORD);
      await page.getByLabel("Handle").fill("Taken");
      await clickButton(page, "Save handle");
      await page.locator("#handle-handle-refusal", { hasText: /./ }).waitFor();
      await page.getByLabel("Handle").fill("a b");
      await clickButton(page, "Save handle");
      await page.locator("#handle-handle-refusal", { hasText: "A handle has 2-39" }).waitFor();
      await page.getByLabel("Handle").fill("admin");
      await clickButton(page, "Save handle");
      await page.locator("#handle-handle-refusal", { hasText: "reserved" }).waitFor();
    });
  });
  /**
   * Requests an email without a PKCE challenge. Its link confirms the address but doesn't sign in.
   */
  const secondCode = async (email: string) => {
    await pages.site.people.sendRequest("POST", "/resend", { body: { type: "signup", email } });
    return pages.site.latestEmail(email);
  };

  test("removes a link's code from the URL and stores only the session", async () => {
    const checkPage = async (page: Page) => {
      await fillSignUp(page, "link@example.org");
      const { link } = await pages.site.latestEmail("link@example.org");
      await followEmailLink(page, link);
      await headingLocator(page, "Choose a handle").waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/account`);
      const stored = await page.evaluate(
        "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]",
      );
      assert.deepEqual(stored, ["bout-account"]);
      assert.equal(await page.evaluate("document.cookie"), "");
      const session = String(await page.evaluate(`localStorage["bout-account"]`));
      const { access_token, refresh_token } = JSON.parse(session) as Record<string, string>;
      for (const secret of [access_token, refresh_token, TEST_PASSWORD])
        assert.ok(secret !== undefined && !pages.site.api.log.join("").includes(secret));
      await followEmailLink(page, link);
      await headingLocator(page, "Choose a handle").waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/account`);
    };
    await pages.visit("/account", checkPage, DARK_OPTIONS);
  });

  test("ignores a link that is only opened, such as by a scanner", async () => {
    let link = "";
    await pages.visit("/account", async (page) => {
      await fillSignUp(page, "scanned@example.org");
      ({ link } = await pages.site.latestEmail("scanned@example.org"));
    });
    for (let openLink = 0; openLink < 2; openLink += 1)
      await pages.visit(link, async (page) => {
        await headingLocator(page, "Confirm your email address").waitFor();
        await page.goto(`${pages.site.baseUrl}/account`);
        await fillSignIn(page, "scanned@example.org");
        await page.locator("#sign-in-password-refusal", { hasText: "Wrong email" }).waitFor();
      });
    await pages.visit(`${link.split("#")[0]}#token=cut`, async (page) => {
      await headingLocator(page, "This link is incomplete").waitFor();
      await assertPageIsValid(page);
    });
  });

  test("asks before a link replaces the signed-in account", async () => {
    let link = "";
    await pages.visit("/account", async (page) => {
      await fillSignUp(page, "other@example.org");
      ({ link } = await pages.site.latestEmail("other@example.org"));
    });
    await pages.addMember("stays");
    await pages.visit("/account", async (page) => {
      await fillSignIn(page, "stays@example.org");
      await headingLocator(page, "stays").waitFor();
      await followEmailLink(page, link);
      await headingLocator(page, "Use this link?").waitFor();
      await page.getByText("signed in as").filter({ hasText: "stays@example.org" }).waitFor();
      await assertPageIsValid(page);
      await clickButton(page, "Continue");
      await headingLocator(page, "Choose a password").waitFor();
      await page.reload();
      await headingLocator(page, "stays").waitFor();
    });
  });

  test("lets people choose a password in another browser, and accepts a link only once", async () => {
    let link = "";
    await pages.visit("/account", async (page) => {
      await fillSignUp(page, "far@example.org");
      ({ link } = await pages.site.latestEmail("far@example.org"));
    });
    await pages.visit(link, async (page) => {
      await headingLocator(page, "Confirm your email address").waitFor();
      await assertPageIsValid(page);
      await followEmailLink(page, link);
      await headingLocator(page, "Choose a password").waitFor();
      await page.getByText("Choose a password for far@example.org. Not you?").waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/account`);
      await assertPageIsValid(page);
      await submitNewPassword(page, "chosen on a phone");
      await headingLocator(page, "Choose a handle").waitFor();
    });
    await pages.visit("/account", async (page) => {
      await fillSignIn(page, "far@example.org");
      await page.locator("#sign-in-password-refusal", { hasText: "Wrong email" }).waitFor();
      await fillSignIn(page, "far@example.org", "chosen on a phone");
      await headingLocator(page, "Choose a handle").waitFor();
    });
    await pages.visit(link, async (page) => {
      await followEmailLink(page, link);
      await page.getByRole("alert").filter({ hasText: "already used" }).waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/account`);
      await assertPageIsValid(page);
    });
  });

  test("resets a password by link or code", async () => {
    await pages.addMember("lost");
    await pages.visit("/account", async (page) => {
      await clickButton(page, "Forgot password?");
      await page.getByLabel("Email").fill("lost@example.org");
      await clickButton(page, "Send the mail");
      await headingLocator(page, "Check your inbox").waitFor();
      await followEmailLink(page, (await pages.site.latestEmail("lost@example.org")).link);
      await headingLocator(page, "Choose a new password").waitFor();
      await assertPageIsValid(page);
      await submitNewPassword(page, TEST_PASSWORD);
      await page.locator("#new-password-password-refusal", { hasText: "already" }).waitFor();
      await submitNewPassword(page, "a second password");
      await clickButton(page, "Sign out");
      await page.getByLabel("Email").fill("lost@example.org");
      await clickButton(page, "Forgot password?");
      assert.equal(await page.getByLabel("Email").inputValue(), "lost@example.org");
      pages.site.people.receivedEmails.splice(0);
      await clickButton(page, "Send the mail");
      await headingLocator(page, "Check your inbox").waitFor();
      await page.locator("#digits-code:focus").waitFor();
      await page.keyboard.type((await pages.site.latestEmail("lost@example.org")).code);
      await submitNewPassword(page, "a third password");
      await headingLocator(page, "lost").waitFor();
      await clickButton(page, "Sign out");
      await fillSignIn(page, "lost@example.org", "a third password");
      await headingLocator(page, "lost").waitFor();
    });
  });

  test("signs out everywhere and updates other tabs", async () => {
    const otherBrowser = await pages.addMember("tabs");
    await pages.visitAsMember("tabs", async (page) => {
      const openedPage = page.waitForEvent("popup");
      await page.evaluate("void window.open('/account')");
      const tab = await openedPage;
      await headingLocator(tab, "tabs").waitFor();
      await clickButton(tab, "Sign out everywhere…");
      await clickButton(tab, "Sign out everywhere");
      await tab.getByRole("alert").filter({ hasText: "signed out everywhere" }).waitFor();
      await page.getByRole("alert").filter({ hasText: "You're signed out." }).waitFor();
      const otherPage = await pages.site.api.app.inject({
        url: "/api/account",
        headers: bearerHeader(otherBrowser),
      });
      assert.equal(otherPage.statusCode, 401);
      await fillSignIn(tab, "tabs@example.org");
      await headingLocator(page, "tabs").waitFor();
    });
  });

  test("reports a session that was ended elsewhere, and an unavailable provider", async () => {
    const otherBrowser = await pages.addMember("gone");
    await pages.visitAsMember("gone", async (page) => {
      pages.site.provider.isUnavailable = true;
      await page.reload();
      await page
        .getByRole("alert")
        .filter({ hasText: "you can't change anything right now" })
        .waitFor();
      await assertPageIsValid(page);
      pages.site.provider.isUnavailable = false;
      await clickButton(page, "Try again");
      await headingLocator(page, "gone").waitFor();
      await pages.site.people.sendRequest("POST", "/logout?scope=global", { jwt: otherBrowser });
      await page.getByLabel("Label").fill("too late");
      await clickButton(page, "Create key");
      await page
        .getByText(/session has ended|You're signed out/)
        .first()
        .waitFor();
    });
  });

  test("tells visitors that the provider is unavailable", async () => {
    pages.site.provider.isUnavailable = true;
    await pages.visit("/account", async (page) => {
      await page.getByRole("alert").filter({ hasText: "isn't responding" }).waitFor();
      await fillSignIn(page, "gone@example.org");
      await page.locator(".form .refusal", { hasText: "isn't responding" }).waitFor();
      await assertPageIsValid(page);
    });
    pages.site.provider.isUnavailable = false;
  });

  test("says that sign-up is closed or that an account is banned", async () => {
    const { people, api } = pages.site;
    const headers = bearerHeader(await pages.addMember("rowdy"));
    const { id } = (await api.app.inject({ url: "/api/account", headers })).json<Account>();
    const notice = { actor: SYSTEM_ACTOR, subject: null, reason: null, detail: null };
    const returnPath = new Date().toISOString();
    const auditEntry = { id: api.newId(), at: returnPath, kind: "account.ban", ...notice } as const;
    await api.store.accounts.setBan(id as AccountId, { at: returnPath, reason: null }, auditEntry);
    people.settings.signupOpen = false;
    await pages.visit("/account", async (page) => {
      await clickButton(page, "Create an account");
      await page.getByText("Sign-up is closed").waitFor();
      assert.equal(await page.getByRole("textbox").count(), 0);
      await clickButton(page, "Sign in");
      await fillSignIn(page, "rowdy@example.org");
      await page
        .getByRole("alert")
        .filter({ hasText: /banned/ })
        .waitFor();
      await headingLocator(page, "Your account is banned").waitFor();
      await page
        .getByText(`this is a mistake, contact the operator: ${OPERATOR_CONTACT}`)
        .waitFor();
      await assertPageIsValid(page);
      await clickButton(page, "Sign out");
      await headingLocator(page, "Sign in").waitFor();
    });
    people.settings.signupOpen = true;
  });

  test("says how long to wait after too many requests", async () => {
    pages.site.people.settings.limitsAddresses = true;
    await pages.visit("/account", async (page) => {
      await clickButton(page, "Forgot password?");
      await page.getByLabel("Email").fill("eager@example.org");
      await clickButton(page, "Send the mail");
      await headingLocator(page, "Check your inbox").waitFor();
      await clickButton(page, "Resend email");
      await page.getByText(/We just sent an email\. Try again in \d+ s\./).waitFor();
      await assertPageIsValid(page);
    });
    pages.site.people.settings.limitsAddresses = false;
  });

  test("says that it needs JavaScript, and loads without layout shifts", async () => {
    const noScriptPage = async (page: Page) => {
      const text = page.locator("noscript p");
      assert.match(await text.innerText(), /Signing in needs JavaScript/);
      assert.equal(await page.getByRole("textbox").count(), 0);
    };
    await pages.visit("/account", noScriptPage, { javaScriptEnabled: false });
    const firstOffsets = { "/account": "Sign in", "/create-bot": "Create a bot" };
    for (const [path, name] of Object.entries(firstOffsets))
      for (const options of [PHONE_OPTIONS, DARK_OPTIONS])
        await pages.visit(
          path,
          async (page) => {
            await headingLocator(page, name).waitFor();
            await page.getByText(/Forgot password|belongs to an account/).waitFor();
            assert.deepEqual(await layoutShifts(page), []);
            await assertPageIsValid(page);
          },
          options,
        );
  });

  test("fits a narrow window", async () => {
    const checkPage = async (page: Page) => assert.ok((await horizontalOverflow(page)) <= 0);
    await pages.visit("/account", checkPage, { viewport: { width: 320, height: 700 } });
  });

  test("signs in with a social provider that the operator has configured", async () => {
    await pages.visit("/account", async (page) => {
      // A test can't intercept the target of a redirect, so GitHub's part is mocked before the
      // redirect.
      await page.route("**/auth/v1/authorize?*", async (route) => {
        const response = await route.fetch({ maxRedirects: 0 });
        const { host, searchParams } = new URL(response.headers()["location"] ?? "");
        assert.equal(host, "github.com");
        const query = { code: GITHUB_CODE, state: searchParams.get("state") ?? "" };
        const location = `${pages.site.baseUrl}/auth/v1/callback?${new URLSearchParams(query)}`;
        return route.fulfill({ status: 302, headers: { location } });
      });
      await clickButton(page, "Continue with GitHub");
      await headingLocator(page, "Choose a handle").waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/account`);
      assert.equal(await page.getByLabel("Handle").inputValue(), "ada");
    });
  });
});
