// What people do about their accounts, in a real browser.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import {
  CONTACT,
  followMail,
  heading,
  isSound,
  openAccountPages,
  PHONE,
  press,
  signIn,
} from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import { PASSWORD } from "#testing/fixtures/identity-world.ts";
import { addBot, bearer, tokenOf } from "#testing/fixtures/test-api.ts";
import { toStatus } from "#testing/store-cases/store-samples.ts";

describe("the page of an account", { skip: process.platform !== "linux" }, () => {
  let pages: AccountPages;
  before(async () => {
    pages = await openAccountPages();
  });
  after(() => pages?.close());

  test("says why a bot is suspended, and whom to tell that this is wrong", async () => {
    const id = await pages.botOf(await pages.member("censured"), "Rowdy");
    const suspension = toStatus("suspended", { reason: "Too loud." });
    await pages.site.api.store.bots.setStatus(id, suspension);
    const look = async (page: Page) => {
      const words = page.locator(".stable-bot", { hasText: "Rowdy" });
      await words.getByText("The operator says: Too loud.").waitFor();
      await words.getByText(`this is wrong, tell the operator: ${CONTACT}`).waitFor();
      await isSound(page);
    };
    await pages.asMember("censured", look, PHONE);
  });

  test("looks after a bot: name, face, token, end", async () => {
    await pages.botOf(await pages.member("keeper"), "Pet");
    const look = async (page: Page) => {
      await page.getByText("Not connected").waitFor();
      await page.getByText("Change Pet").click();
      await isSound(page);
      await page.getByRole("button", { name: "ronin" }).click();
      await page.getByRole("button", { name: "ronin", pressed: true }).waitFor();
      await page.getByLabel("Name", { exact: true }).fill("keeper!");
      await press(page, "Rename");
      await page.locator(".bot-care .refused .refusal", { hasText: "2-24" }).waitFor();
      await page.getByLabel("Name", { exact: true }).fill("Petra");
      await press(page, "Rename");
      await page.getByRole("status").filter({ hasText: "Pet is Petra now." }).waitFor();
      await press(page, "New token…");
      await page.getByRole("button", { name: "Leave it as it is" }).click();
      await page.getByRole("button", { name: "New token…" }).and(page.locator(":focus")).waitFor();
      await press(page, "New token…");
      await press(page, "Make a new token");
      await heading(page, "The new token of Petra").waitFor();
      const token = await page.getByRole("region", { name: "the token" }).innerText();
      const me = await pages.site.api.app.inject({ url: "/api/me", headers: bearer(token) });
      assert.equal(me.json<{ name: string }>().name, "Petra");
      await isSound(page);
      await press(page, "I have put it away");
      await press(page, "Delete…");
      await page.getByText("nothing of it stays").waitFor();
      await press(page, "Delete Petra");
      await page.getByText("You have no bot yet").waitFor();
    };
    await pages.asMember("keeper", look, PHONE);
  });

  test("claims a bot by its token, and says what a retirement means", async () => {
    const foundling = await addBot(pages.site.api, "Foundling");
    const played = pages.site.api.store.bots.played;
    await pages.member("finder");
    pages.site.api.store.bots.played = async (ids) =>
      ids.includes(foundling.id) ? [foundling.id] : [];
    await pages.asMember("finder", async (page) => {
      await page.getByText("Claim a bot").click();
      await page.getByLabel("Token of the bot").fill("bout_bot_of-nobody");
      await press(page, "Claim it");
      await page.locator("#claim-token-refusal", { hasText: /./ }).waitFor();
      await page.getByLabel("Token of the bot").fill(tokenOf("Foundling"));
      await press(page, "Claim it");
      await page.getByRole("link", { name: "Foundling" }).waitFor();
      await page.getByText("Change Foundling").click();
      await press(page, "Retire…");
      await page.getByText("its page and its matches stay").waitFor();
      await press(page, "Retire Foundling for good");
      await page.getByText("This bot has retired").waitFor();
    });
    pages.site.api.store.bots.played = played;
  });

  test("makes a key that is shown once, and revokes it", async () => {
    await pages.member("agent");
    await pages.asMember("agent", async (page) => {
      await page.getByLabel("New key for").fill("my <b>laptop</b>");
      await press(page, "Make a key");
      await heading(page, "The key my <b>laptop</b>").waitFor();
      const key = await page.getByRole("region", { name: "the key" }).innerText();
      const payload = { name: "By-key" };
      const headers = bearer(key);
      const made = await pages.site.api.app.inject({
        method: "POST",
        url: "/api/bots",
        headers,
        payload,
      });
      assert.equal(made.statusCode, 201);
      await press(page, "I have put it away");
      assert.ok(!(await page.content()).includes(key));
      await press(page, "Revoke…");
      await press(page, "Revoke the key");
      await page.getByText("No key is out.").waitFor();
      const refused = await pages.site.api.app.inject({
        method: "POST",
        url: "/api/bots",
        headers,
        payload,
      });
      assert.equal(refused.statusCode, 401);
    });
  });

  test("changes mail, handle, password and address", async () => {
    const token = await pages.member("mover");
    await pages.member("lost");
    await pages.asMember("mover", async (page) => {
      await page.getByText("All other mail comes if you want it").waitFor();
      await page.getByLabel("On Mondays, how your bots did").check();
      await page.getByRole("status").filter({ hasText: "you want this mail." }).waitFor();
      await page.getByRole("textbox", { name: "Handle" }).fill("moved");
      await press(page, "Change it", 0);
      await heading(page, "moved").waitFor();
      assert.deepEqual(await fieldsUnderNotice(page), []);
      await page.getByLabel("New password").fill("a better password");
      await press(page, "Change it", 1);
      await page.getByRole("status").filter({ hasText: "Your password is changed" }).waitFor();
      const other = await pages.site.api.app.inject({
        url: "/api/account",
        headers: bearer(token),
      });
      assert.equal(other.statusCode, 401);
      await page.getByLabel("New address").fill("lost@example.org");
      await press(page, "Send the mail");
      await page.getByText("We emailed lost@example.org").waitFor();
      await page.getByLabel("New address").fill("moved@example.org");
      await press(page, "Send the mail");
      await page.getByText("We emailed moved@example.org").waitFor();
      await followMail(page, (await pages.site.letter("moved@example.org")).link);
      await page.getByText("moved@example.org").first().waitFor();
      await page.goto(`${pages.site.baseUrl}/user/mover`);
      assert.equal(page.url(), `${pages.site.baseUrl}/user/moved`);
      await heading(page, "moved").waitFor();
      await isSound(page);
    });
  });

  test("lets a program in, back out, and keeps another one away", async () => {
    await pages.member("host");
    const name = "Cursor <img src=x onerror=alert(1)>";
    const callback = "https://client.example/cb";
    const scheme = "com.example.app:/cb";
    const encoded = encodeURIComponent;
    const { body } = await pages.site.people.ask("POST", "/oauth/clients/register", {
      keyless: true,
      body: {
        client_name: name,
        redirect_uris: [callback, scheme],
        token_endpoint_auth_method: "none",
      },
    });
    const asked = new URLSearchParams({
      response_type: "code",
      client_id: body.client_id,
      redirect_uri: callback,
      code_challenge: "c".repeat(43),
      code_challenge_method: "S256",
      scope: "openid email",
      state: "its state",
    });
    const question = `/auth/v1/oauth/authorize?${asked}`;
    const look = async (page: Page) => {
      const back: string[] = [];
      await page.route(`${callback}?*`, (route) => {
        back.push(route.request().url());
        return route.fulfill({ contentType: "text/html", body: "<title>back</title>" });
      });
      await page.getByText("Sign in to see which one").waitFor();
      await isSound(page);
      await page.getByRole("link", { name: "Sign in", exact: true }).click();
      await signIn(page, "host@example.org");
      await heading(page, "Let this program in?").waitFor();
      await page.getByText(name, { exact: true }).waitFor();
      await page.getByText("client.example", { exact: true }).waitFor();
      await isSound(page);
      await press(page, "Do not");
      await page.waitForURL(/error=access_denied/);
      await page.goto(pages.site.baseUrl + question.replace(encoded(callback), encoded(scheme)));
      await press(page, "Do not");
      await heading(page, "Access denied").waitFor();
      await isSound(page);
      await page.goto(pages.site.baseUrl + question);
      await press(page, "Let it in");
      await page.waitForURL(/client\.example.*code=/);
      assert.match(back.at(-1) ?? "", /state=its\+state/);
      await page.goto(pages.site.baseUrl + question);
      await page.waitForURL(/client\.example.*code=/);
      await page.goto(`${pages.site.baseUrl}/account#programs`);
      await page.getByText(name, { exact: true }).waitFor();
      await press(page, "Take back…");
      await press(page, "Take it back");
      await page.getByText("You have let no program in.").waitFor();
      await page.goto(`${pages.site.baseUrl}/account/authorize?authorization_id=of-nobody`);
      await page.getByRole("alert").filter({ hasText: "There is no such question" }).waitFor();
      await page.goto(`${pages.site.baseUrl}${question}&resource=https://elsewhere.example/mcp`);
      await page.getByText("It has another address than this ladder's own").waitFor();
      await isSound(page);
    };
    await pages.visit(question, look, PHONE);
  });

  test("gives out what is known, and lets people leave who have just signed in", async () => {
    await pages.botOf(await pages.member("leaver"), "Orphan");
    await pages.asMember("leaver", async (page) => {
      const saved = page.waitForEvent("download");
      await press(page, "Download");
      assert.equal((await saved).suggestedFilename(), "account.json");
      await press(page, "Download");
      await page.getByText(/Once a minute\. Try again in \d+ s\./).waitFor();
      await page.getByText("Leave for good").first().click();
      await page.getByLabel("Type your handle").fill("somebody");
      await press(page, "Leave for good");
      await page.locator("#leave-handle-refusal", { hasText: /./ }).waitFor();
      pages.site.pass(16 * 60_000);
      await page.getByLabel("Type your handle").fill("leaver");
      await press(page, "Leave for good");
      await page.getByText("You signed in more than 15 minutes ago").waitFor();
      await isSound(page);
      pages.site.pass(-16 * 60_000);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await press(page, "Sign in again");
      await page.getByLabel("Type your handle").fill("leaver");
      await press(page, "Leave for good");
      await page.getByText("Your account is gone. Deleted: Orphan.").waitFor();
      assert.deepEqual(await page.evaluate("Object.keys(localStorage)"), []);
      await signIn(page, "leaver@example.org");
      await page.locator("#sign-in-password-refusal", { hasText: /./ }).waitFor();
    });
  });
});

/** Fields whose column a message on the page reaches into, wherever the page is scrolled to. */
const fieldsUnderNotice = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const notice = document.querySelector(".said.shown")?.getBoundingClientRect();
    return [...document.querySelectorAll<HTMLElement>("main input, main button")]
      .filter((field) => field.getBoundingClientRect().left < (notice?.right ?? Infinity))
      .filter((field) => field.checkVisibility())
      .map(({ id, textContent }) => id + textContent);
  });
