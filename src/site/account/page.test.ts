import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import {
  OPERATOR_CONTACT,
  followEmailLink,
  headingLocator,
  assertPageIsValid,
  openAccountPages,
  PHONE_OPTIONS,
  clickButton,
  fillSignIn,
} from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import { TEST_PASSWORD } from "#testing/fixtures/identity-world.ts";
import { addTestBot, bearerHeader, botTokenOf } from "#testing/fixtures/test-api.ts";
import { statusChange } from "#testing/store-contract/store-samples.ts";

describe("account page", { skip: process.platform !== "linux" }, () => {
  let pages: AccountPages;
  before(async () => {
    pages = await openAccountPages();
  });
  after(() => pages?.close());

  test("says why a bot is suspended and how to contact the operator", async () => {
    const id = await pages.createBot(await pages.addMember("censured"), "Rowdy");
    const suspension = statusChange("suspended", { reason: "Too loud." });
    await pages.site.api.store.bots.setStatus(id, suspension);
    const checkPage = async (page: Page) => {
      const pageText = page.locator(".stable-bot", { hasText: "Rowdy" });
      await pageText.getByText("Operator's note: Too loud.").waitFor();
      await pageText
        .getByText(`this is a mistake, contact the operator: ${OPERATOR_CONTACT}`)
        .waitFor();
      await assertPageIsValid(page);
    };
    await pages.visitAsMember("censured", checkPage, PHONE_OPTIONS);
  });

  test("changes a bot's name, avatar and token, and deletes the bot", async () => {
    await pages.createBot(await pages.addMember("keeper"), "Pet");
    const checkPage = async (page: Page) => {
      await page.getByText("Not connected").waitFor();
      await page.getByText("Change Pet").click();
      await assertPageIsValid(page);
      await page.getByRole("button", { name: "ronin" }).click();
      await page.getByRole("button", { name: "ronin", pressed: true }).waitFor();
      await page.getByLabel("Name", { exact: true }).fill("keeper!");
      await clickButton(page, "Rename");
      await page.locator(".bot-care .refused .refusal", { hasText: "2-24" }).waitFor();
      await page.getByLabel("Name", { exact: true }).fill("Petra");
      await clickButton(page, "Rename");
      await page.getByRole("status").filter({ hasText: "Renamed Pet to Petra." }).waitFor();
      await clickButton(page, "Replace token…");
      await page.getByRole("button", { name: "Cancel" }).click();
      await page
        .getByRole("button", { name: "Replace token…" })
        .and(page.locator(":focus"))
        .waitFor();
      await clickButton(page, "Replace token…");
      await clickButton(page, "Create a new token");
      await headingLocator(page, "New token for Petra").waitFor();
      const token = await page.getByRole("region", { name: "the token" }).innerText();
      const ownAccount = await pages.site.api.app.inject({
        url: "/api/me",
        headers: bearerHeader(token),
      });
      assert.equal(ownAccount.json<{ name: string }>().name, "Petra");
      await assertPageIsValid(page);
      await clickButton(page, "I've saved it");
      await clickButton(page, "Delete…");
      await page.getByText("it is removed completely").waitFor();
      await clickButton(page, "Delete Petra");
      await page.getByText("You have no bots yet").waitFor();
    };
    await pages.visitAsMember("keeper", checkPage, PHONE_OPTIONS);
  });

  test("claims a bot by its token, and explains what retiring a bot does", async () => {
    const unownedBot = await addTestBot(pages.site.api, "Foundling");
    const playedBot = pages.site.api.store.bots.filterPlayed;
    await pages.addMember("finder");
    pages.site.api.store.bots.filterPlayed = async (botIds) =>
      botIds.includes(unownedBot.id) ? [unownedBot.id] : [];
    await pages.visitAsMember("finder", async (page) => {
      await page.getByText("Claim a bot").click();
      await page.getByLabel("Bot token").fill("bout_bot_of-nobody");
      await clickButton(page, "Claim bot");
      await page.locator("#claim-token-refusal", { hasText: /./ }).waitFor();
      await page.getByLabel("Bot token").fill(botTokenOf("Foundling"));
      await clickButton(page, "Claim bot");
      await page.getByRole("link", { name: "Foundling" }).waitFor();
      await page.getByText("Change Foundling").click();
      await clickButton(page, "Retire…");
      await page.getByText("its page and matches stay").waitFor();
      await clickButton(page, "Retire Foundling permanently");
      await page.getByText("This bot has retired").waitFor();
    });
    pages.site.api.store.bots.filterPlayed = playedBot;
  });

  test("creates a key, shows it once and revokes it", async () => {
    await pages.addMember("agent");
    await pages.visitAsMember("agent", async (page) => {
      await page.getByLabel("Label").fill("my <b>laptop</b>");
      await clickButton(page, "Create key");
      await headingLocator(page, "Agent key my <b>laptop</b>").waitFor();
      const key = await page.getByRole("region", { name: "the key" }).innerText();
      const payload = { name: "By-key" };
      const headers = bearerHeader(key);
      const createdKey = await pages.site.api.app.inject({
        method: "POST",
        url: "/api/bots",
        headers,
        payload,
      });
      assert.equal(createdKey.statusCode, 201);
      await clickButton(page, "I've saved it");
      assert.ok(!(await page.content()).includes(key));
      await clickButton(page, "Revoke…");
      await clickButton(page, "Revoke key");
      await page.getByText("No agent keys yet.").waitFor();
      const refusedPage = await pages.site.api.app.inject({
        method: "POST",
        url: "/api/bots",
        headers,
        payload,
      });
      assert.equal(refusedPage.statusCode, 401);
    });
  });

  test("changes email preferences, handle, password and email address", async () => {
    const token = await pages.addMember("mover");
    await pages.addMember("lost");
    await pages.visitAsMember("mover", async (page) => {
      await page.getByText("All other email is optional").waitFor();
      await page.getByLabel("Weekly summary of your bots, on Mondays").check();
      await page.getByRole("status").filter({ hasText: "You'll get these emails." }).waitFor();
      await page.getByRole("textbox", { name: "Handle" }).fill("moved");
      await clickButton(page, "Save", 0);
      await headingLocator(page, "moved").waitFor();
      assert.deepEqual(await fieldsUnderNotice(page), []);
      await page.getByLabel("New password").fill("a better password");
      await clickButton(page, "Save", 1);
      await page
        .getByRole("status")
        .filter({ hasText: "Your password has been changed" })
        .waitFor();
      const otherClient = await pages.site.api.app.inject({
        url: "/api/account",
        headers: bearerHeader(token),
      });
      assert.equal(otherClient.statusCode, 401);
      await page.getByLabel("New email").fill("lost@example.org");
      await clickButton(page, "Send confirmation email");
      await page.getByText("We emailed lost@example.org").waitFor();
      await page.getByLabel("New email").fill("moved@example.org");
      await clickButton(page, "Send confirmation email");
      await page.getByText("We emailed moved@example.org").waitFor();
      await followEmailLink(page, (await pages.site.latestEmail("moved@example.org")).link);
      await page.getByText("moved@example.org").first().waitFor();
      await page.goto(`${pages.site.baseUrl}/user/mover`);
      assert.equal(page.url(), `${pages.site.baseUrl}/user/moved`);
      await headingLocator(page, "moved").waitFor();
      await assertPageIsValid(page);
    });
  });

  test("authorizes an app, revokes its access, and denies another app", async () => {
    await pages.addMember("host");
    const name = "Cursor <img src=x onerror=alert(1)>";
    const callback = "https://client.example/cb";
    const scheme = "com.example.app:/cb";
    const encoded = encodeURIComponent;
    const { body } = await pages.site.people.sendRequest("POST", "/oauth/clients/register", {
      omitApiKey: true,
      body: {
        client_name: name,
        redirect_uris: [callback, scheme],
        token_endpoint_auth_method: "none",
      },
    });
    const authorizationId = new URLSearchParams({
      response_type: "code",
      client_id: body.client_id,
      redirect_uri: callback,
      code_challenge: "c".repeat(43),
      code_challenge_method: "S256",
      scope: "openid email",
      state: "its state",
    });
    const question = `/auth/v1/oauth/authorize?${authorizationId}`;
    const checkPage = async (page: Page) => {
      const redirectUrl: string[] = [];
      await page.route(`${callback}?*`, (route) => {
        redirectUrl.push(route.request().url());
        return route.fulfill({ contentType: "text/html", body: "<title>back</title>" });
      });
      await page.getByText("Sign in to review the request").waitFor();
      await assertPageIsValid(page);
      await page.getByRole("link", { name: "Sign in", exact: true }).click();
      await fillSignIn(page, "host@example.org");
      await headingLocator(page, "Authorize this app?").waitFor();
      await page.getByText(name, { exact: true }).waitFor();
      await page.getByText("client.example", { exact: true }).waitFor();
      await assertPageIsValid(page);
      await clickButton(page, "Deny access");
      await page.waitForURL(/error=access_denied/);
      await page.goto(pages.site.baseUrl + question.replace(encoded(callback), encoded(scheme)));
      await clickButton(page, "Deny access");
      await headingLocator(page, "Access denied").waitFor();
      await assertPageIsValid(page);
      await page.goto(pages.site.baseUrl + question);
      await clickButton(page, "Allow access");
      await page.waitForURL(/client\.example.*code=/);
      assert.match(redirectUrl.at(-1) ?? "", /state=its\+state/);
      await page.goto(pages.site.baseUrl + question);
      await page.waitForURL(/client\.example.*code=/);
      await page.goto(`${pages.site.baseUrl}/account#programs`);
      await page.getByText(name, { exact: true }).waitFor();
      await clickButton(page, "Revoke access…");
      await clickButton(page, "Revoke access");
      await page.getByText("No connected apps.").waitFor();
      await page.goto(`${pages.site.baseUrl}/account/authorize?authorization_id=of-nobody`);
      await page.getByRole("alert").filter({ hasText: "This request doesn't exist" }).waitFor();
      await page.goto(`${pages.site.baseUrl}${question}&resource=https://elsewhere.example/mcp`);
      await page.getByText("It requested access to a different server").waitFor();
      await assertPageIsValid(page);
    };
    await pages.visit(question, checkPage, PHONE_OPTIONS);
  });

  test("exports account data, and deletes an account after a recent sign-in", async () => {
    await pages.createBot(await pages.addMember("leaver"), "Orphan");
    await pages.visitAsMember("leaver", async (page) => {
      const saved = page.waitForEvent("download");
      await clickButton(page, "Download");
      assert.equal((await saved).suggestedFilename(), "account.json");
      await clickButton(page, "Download");
      await page.getByText(/once a minute\. Try again in \d+ s\./).waitFor();
      await page.getByText("Delete account").first().click();
      await page.getByLabel("Type your handle").fill("somebody");
      await clickButton(page, "Delete account");
      await page.locator("#leave-handle-refusal", { hasText: /./ }).waitFor();
      pages.site.advanceClock(16 * 60_000);
      await page.getByLabel("Type your handle").fill("leaver");
      await clickButton(page, "Delete account");
      await page.getByText("You signed in more than 15 minutes ago").waitFor();
      await assertPageIsValid(page);
      pages.site.advanceClock(-16 * 60_000);
      await page.getByLabel("Password", { exact: true }).fill(TEST_PASSWORD);
      await clickButton(page, "Sign in again");
      await page.getByLabel("Type your handle").fill("leaver");
      await clickButton(page, "Delete account");
      await page.getByText("Your account is deleted. Deleted: Orphan.").waitFor();
      assert.deepEqual(await page.evaluate("Object.keys(localStorage)"), []);
      await fillSignIn(page, "leaver@example.org");
      await page.locator("#sign-in-password-refusal", { hasText: /./ }).waitFor();
    });
  });
});

/** Returns the fields that the toast could cover while the page scrolls. */
const fieldsUnderNotice = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const notice = document.querySelector(".said.shown")?.getBoundingClientRect();
    return [...document.querySelectorAll<HTMLElement>("main input, main button")]
      .filter((field) => field.getBoundingClientRect().left < (notice?.right ?? Infinity))
      .filter((field) => field.checkVisibility())
      .map(({ id, textContent }) => id + textContent);
  });
