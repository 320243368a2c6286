// The way in, in a real browser, with the mails of the ladder's own provider.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import type { Account } from "#core/resources/account.ts";
import { SYSTEM } from "#core/words/audit.ts";
import type { AccountId } from "#core/words/ids.ts";
import {
  CONTACT,
  DARK,
  followMail,
  heading,
  isSound,
  openAccountPages,
  PHONE,
  press,
  savePassword,
  signIn,
  signUp,
} from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import { GITHUB_CODE } from "#testing/fixtures/github-stub.ts";
import { PASSWORD } from "#testing/fixtures/identity-world.ts";
import { excessOf, shiftsOf } from "#testing/fixtures/page-browser.ts";
import { bearer } from "#testing/fixtures/test-api.ts";

describe("the way in", { skip: process.platform !== "linux" }, () => {
  let pages: AccountPages;
  before(async () => {
    pages = await openAccountPages();
  });
  after(() => pages?.close());

  test("leads from nothing to a bot in the queue in under ten inputs", async () => {
    let inputs = 0;
    const does = async (input: Promise<unknown>) => {
      inputs += 1;
      await input;
    };
    const look = async (page: Page) => {
      await page.getByText("A bot here belongs to an account").waitFor();
      await isSound(page);
      await does(page.getByRole("link", { name: "Create an account" }).click());
      await heading(page, "Create an account").waitFor();
      await isSound(page);
      await does(page.getByLabel("Address").fill("nova@example.org"));
      await does(page.getByLabel("Password").fill(PASSWORD));
      await does(press(page, "Create the account"));
      await heading(page, "Check your inbox").waitFor();
      await isSound(page);
      const { code } = await pages.site.letter("nova@example.org");
      await does(page.keyboard.type(code));
      await heading(page, "Choose a handle").waitFor();
      assert.equal(await page.getByLabel("Handle").inputValue(), "nova");
      await heading(page, "Choose a handle").and(page.locator(":focus")).waitFor();
      await isSound(page);
      await page.keyboard.press("Enter");
      await does(press(page, "Take it"));
      await page.waitForURL(`${pages.site.baseUrl}/create-bot`);
      await page.getByText("Signed in as nova").waitFor();
      await does(page.getByLabel("Name", { exact: true }).fill("Nova-1"));
      await does(press(page, "Register"));
      await heading(page, "Nova-1 is registered").waitFor();
      await page.getByText("--name Nova-1").first().waitFor();
      await isSound(page);
      assert.ok(inputs < 10, `${inputs} inputs`);
      const found = await pages.site.api.store.bots.byName("Nova-1");
      assert.equal(found?.owner, "nova");
      pages.connect(found?.id ?? assert.fail(), "Nova-1");
      await page.getByText("Queued", { exact: true }).waitFor();
      // The token was on this page, which asks before it is left: by now a program has it.
      await page.goto(`${pages.site.baseUrl}/account`);
      await page.getByText("In the queue with v1").waitFor();
      await isSound(page);
    };
    await pages.visit("/create-bot", look, PHONE);
  });

  test("says what is wrong at the field to blame", async () => {
    await pages.member("taken");
    await pages.visit("/account", async (page) => {
      await press(page, "I have no account yet");
      await press(page, "Create the account");
      await page.locator("#sign-up-email-refusal", { hasText: "fill this in" }).waitFor();
      await page.locator("#sign-up-email:focus").waitFor();
      await page.getByLabel("Address").fill("wrong@example.org");
      await page.getByLabel("Password").fill("short");
      await press(page, "Create the account");
      await page.locator("#sign-up-password-refusal", { hasText: "at least 8" }).waitFor();
      assert.equal(await page.getByLabel("Password").getAttribute("aria-invalid"), "true");
      await isSound(page);
      await page.getByLabel("Password").fill(PASSWORD);
      await press(page, "Create the account");
      await heading(page, "Check your inbox").waitFor();
      const { code } = await pages.site.letter("wrong@example.org");
      await page.locator("#digits-code:focus").waitFor();
      let tries = 0;
      page.on("request", (request) => {
        if (request.url().endsWith("/verify")) tries += 1;
      });
      await page.keyboard.type(code === "000000" ? "000001" : "000000");
      await page.locator("#digits-code-refusal", { hasText: "code is wrong" }).waitFor();
      await press(page, "Continue");
      await press(page, "Sign in");
      await signIn(page, "wrong@example.org");
      await page.locator("#sign-in-password-refusal", { hasText: "Wrong email" }).waitFor();
      assert.equal(tries, 1, "digits that were refused are not sent again");
      await followMail(page, (await again("wrong@example.org")).link);
      await heading(page, "Choose a password").waitFor();
      await savePassword(page, PASSWORD);
      await page.getByLabel("Handle").fill("Taken");
      await press(page, "Take it");
      await page.locator("#handle-handle-refusal", { hasText: /./ }).waitFor();
      await page.getByLabel("Handle").fill("a b");
      await press(page, "Take it");
      await page.locator("#handle-handle-refusal", { hasText: "A handle has 2-39" }).waitFor();
      await page.getByLabel("Handle").fill("admin");
      await press(page, "Take it");
      await page.locator("#handle-handle-refusal", { hasText: "reserved" }).waitFor();
    });
  });
  /** A mail that was asked for without a browser's challenge: its link confirms and no more. */
  const again = async (email: string) => {
    await pages.site.people.ask("POST", "/resend", { body: { type: "signup", email } });
    return pages.site.letter(email);
  };

  test("takes the code of a link out of the address, and keeps nothing but the session", async () => {
    const look = async (page: Page) => {
      await signUp(page, "link@example.org");
      const { link } = await pages.site.letter("link@example.org");
      await followMail(page, link);
      await heading(page, "Choose a handle").waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/account`);
      const stored = await page.evaluate(
        "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]",
      );
      assert.deepEqual(stored, ["bout-account"]);
      assert.equal(await page.evaluate("document.cookie"), "");
      const session = String(await page.evaluate(`localStorage["bout-account"]`));
      const { access_token, refresh_token } = JSON.parse(session) as Record<string, string>;
      for (const secret of [access_token, refresh_token, PASSWORD])
        assert.ok(secret !== undefined && !pages.site.api.log.join("").includes(secret));
      await followMail(page, link);
      await heading(page, "Choose a handle").waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/account`);
    };
    await pages.visit("/account", look, DARK);
  });

  test("does nothing with a link that is opened and not pressed, as programs open it", async () => {
    let link = "";
    await pages.visit("/account", async (page) => {
      await signUp(page, "scanned@example.org");
      ({ link } = await pages.site.letter("scanned@example.org"));
    });
    for (let visit = 0; visit < 2; visit += 1)
      await pages.visit(link, async (page) => {
        await heading(page, "Confirm your email address").waitFor();
        await page.goto(`${pages.site.baseUrl}/account`);
        await signIn(page, "scanned@example.org");
        await page.locator("#sign-in-password-refusal", { hasText: "Wrong email" }).waitFor();
      });
    await pages.visit(`${link.split("#")[0]}#token=cut`, async (page) => {
      await heading(page, "This link is not whole").waitFor();
      await isSound(page);
    });
  });

  test("asks before a link replaces the account that is signed in", async () => {
    let link = "";
    await pages.visit("/account", async (page) => {
      await signUp(page, "other@example.org");
      ({ link } = await pages.site.letter("other@example.org"));
    });
    await pages.member("stays");
    await pages.visit("/account", async (page) => {
      await signIn(page, "stays@example.org");
      await heading(page, "stays").waitFor();
      await followMail(page, link);
      await heading(page, "Use this link?").waitFor();
      await page.getByText("signed in as").filter({ hasText: "stays@example.org" }).waitFor();
      await isSound(page);
      await press(page, "Continue");
      await heading(page, "Choose a password").waitFor();
      await page.reload();
      await heading(page, "stays").waitFor();
    });
  });

  test("lets people choose a password in another browser, and a link works once", async () => {
    let link = "";
    await pages.visit("/account", async (page) => {
      await signUp(page, "far@example.org");
      ({ link } = await pages.site.letter("far@example.org"));
    });
    await pages.visit(link, async (page) => {
      await heading(page, "Confirm your email address").waitFor();
      await isSound(page);
      await followMail(page, link);
      await heading(page, "Choose a password").waitFor();
      await page.getByText("Choose a password for far@example.org. Not you?").waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/account`);
      await isSound(page);
      await savePassword(page, "chosen on a phone");
      await heading(page, "Choose a handle").waitFor();
    });
    await pages.visit("/account", async (page) => {
      await signIn(page, "far@example.org");
      await page.locator("#sign-in-password-refusal", { hasText: "Wrong email" }).waitFor();
      await signIn(page, "far@example.org", "chosen on a phone");
      await heading(page, "Choose a handle").waitFor();
    });
    await pages.visit(link, async (page) => {
      await followMail(page, link);
      await page.getByRole("alert").filter({ hasText: "used already" }).waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/account`);
      await isSound(page);
    });
  });

  test("recovers a password by the link, and by the digits", async () => {
    await pages.member("lost");
    await pages.visit("/account", async (page) => {
      await press(page, "I have forgotten my password");
      await page.getByLabel("Address").fill("lost@example.org");
      await press(page, "Send the mail");
      await heading(page, "Check your inbox").waitFor();
      await followMail(page, (await pages.site.letter("lost@example.org")).link);
      await heading(page, "Choose a new password").waitFor();
      await isSound(page);
      await savePassword(page, PASSWORD);
      await page.locator("#new-password-password-refusal", { hasText: "already" }).waitFor();
      await savePassword(page, "a second password");
      await press(page, "Sign out");
      await page.getByLabel("Address").fill("lost@example.org");
      await press(page, "I have forgotten my password");
      assert.equal(await page.getByLabel("Address").inputValue(), "lost@example.org");
      pages.site.people.mails.splice(0);
      await press(page, "Send the mail");
      await heading(page, "Check your inbox").waitFor();
      await page.locator("#digits-code:focus").waitFor();
      await page.keyboard.type((await pages.site.letter("lost@example.org")).code);
      await savePassword(page, "a third password");
      await heading(page, "lost").waitFor();
      await press(page, "Sign out");
      await signIn(page, "lost@example.org", "a third password");
      await heading(page, "lost").waitFor();
    });
  });

  test("ends every session everywhere, which other tabs notice", async () => {
    const elsewhere = await pages.member("tabs");
    await pages.asMember("tabs", async (page) => {
      const opened = page.waitForEvent("popup");
      await page.evaluate("void window.open('/account')");
      const tab = await opened;
      await heading(tab, "tabs").waitFor();
      await press(tab, "Sign out everywhere…");
      await press(tab, "Sign out everywhere");
      await tab.getByRole("alert").filter({ hasText: "signed out everywhere" }).waitFor();
      await page.getByRole("alert").filter({ hasText: "You are signed out." }).waitFor();
      const other = await pages.site.api.app.inject({
        url: "/api/account",
        headers: bearer(elsewhere),
      });
      assert.equal(other.statusCode, 401);
      await signIn(tab, "tabs@example.org");
      await heading(page, "tabs").waitFor();
    });
  });

  test("says that a session has ended elsewhere, and that the provider is away", async () => {
    const elsewhere = await pages.member("gone");
    await pages.asMember("gone", async (page) => {
      pages.site.provider.isAway = true;
      await page.reload();
      await page.getByRole("alert").filter({ hasText: "nothing can be changed here" }).waitFor();
      await isSound(page);
      pages.site.provider.isAway = false;
      await press(page, "Try again");
      await heading(page, "gone").waitFor();
      await pages.site.people.ask("POST", "/logout?scope=global", { jwt: elsewhere });
      await page.getByLabel("New key for").fill("too late");
      await press(page, "Make a key");
      await page
        .getByText(/session has ended|You are signed out/)
        .first()
        .waitFor();
    });
  });

  test("says to those who come that the provider is away", async () => {
    pages.site.provider.isAway = true;
    await pages.visit("/account", async (page) => {
      await page.getByRole("alert").filter({ hasText: "does not answer" }).waitFor();
      await signIn(page, "gone@example.org");
      await page.locator(".form .refusal", { hasText: "does not answer" }).waitFor();
      await isSound(page);
    });
    pages.site.provider.isAway = false;
  });

  test("says that nobody new is taken, and that somebody is banned", async () => {
    const { people, api } = pages.site;
    const headers = bearer(await pages.member("rowdy"));
    const { id } = (await api.app.inject({ url: "/api/account", headers })).json<Account>();
    const note = { actor: SYSTEM, subject: null, reason: null, detail: null };
    const at = new Date().toISOString();
    const entry = { id: api.newId(), at, kind: "account.ban", ...note } as const;
    await api.store.accounts.setBan(id as AccountId, { at, reason: null }, entry);
    people.settings.signupOpen = false;
    await pages.visit("/account", async (page) => {
      await press(page, "I have no account yet");
      await page.getByText("takes no new accounts").waitFor();
      assert.equal(await page.getByRole("textbox").count(), 0);
      await press(page, "I have an account");
      await signIn(page, "rowdy@example.org");
      await page
        .getByRole("alert")
        .filter({ hasText: /banned/ })
        .waitFor();
      await heading(page, "Your account is banned").waitFor();
      await page.getByText(`this is wrong, tell the operator: ${CONTACT}`).waitFor();
      await isSound(page);
      await press(page, "Sign out");
      await heading(page, "Sign in").waitFor();
    });
    people.settings.signupOpen = true;
  });

  test("says how long to wait where too much was asked", async () => {
    pages.site.people.settings.limitsAddresses = true;
    await pages.visit("/account", async (page) => {
      await press(page, "I have forgotten my password");
      await page.getByLabel("Address").fill("eager@example.org");
      await press(page, "Send the mail");
      await heading(page, "Check your inbox").waitFor();
      await press(page, "Send it again");
      await page.getByText(/A mail was sent a moment ago\. Try again in \d+ s\./).waitFor();
      await isSound(page);
    });
    pages.site.people.settings.limitsAddresses = false;
  });

  test("says without a script that it needs one, and moves nothing with it", async () => {
    const silent = async (page: Page) => {
      const words = page.locator("noscript p");
      assert.match(await words.innerText(), /Signing in needs JavaScript/);
      assert.equal(await page.getByRole("textbox").count(), 0);
    };
    await pages.visit("/account", silent, { javaScriptEnabled: false });
    const firsts = { "/account": "Sign in", "/create-bot": "Create a bot" };
    for (const [path, name] of Object.entries(firsts))
      for (const options of [PHONE, DARK])
        await pages.visit(
          path,
          async (page) => {
            await heading(page, name).waitFor();
            await page.getByText(/I have no account yet|belongs to an account/).waitFor();
            assert.deepEqual(await shiftsOf(page), []);
            await isSound(page);
          },
          options,
        );
  });

  test("fits a narrow window", async () => {
    const look = async (page: Page) => assert.ok((await excessOf(page)) <= 0);
    await pages.visit("/account", look, { viewport: { width: 320, height: 700 } });
  });

  test("goes through another site where the operator has set that up", async () => {
    await pages.visit("/account", async (page) => {
      // Where a redirect leads cannot be answered by a test, so GitHub's part is answered before.
      await page.route("**/auth/v1/authorize?*", async (route) => {
        const answer = await route.fetch({ maxRedirects: 0 });
        const { host, searchParams } = new URL(answer.headers()["location"] ?? "");
        assert.equal(host, "github.com");
        const query = { code: GITHUB_CODE, state: searchParams.get("state") ?? "" };
        const location = `${pages.site.baseUrl}/auth/v1/callback?${new URLSearchParams(query)}`;
        return route.fulfill({ status: 302, headers: { location } });
      });
      await press(page, "Go on with GitHub");
      await heading(page, "Choose a handle").waitFor();
      assert.equal(page.url(), `${pages.site.baseUrl}/account`);
      assert.equal(await page.getByLabel("Handle").inputValue(), "ada");
    });
  });
});
