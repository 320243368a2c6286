// What operators do in the console, in a real browser.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import {
  DARK,
  isSound,
  openAccountPages,
  PHONE,
  press,
  signIn,
} from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import { shiftsOf } from "#testing/fixtures/page-browser.ts";
import { sampleEvent } from "#testing/fixtures/sample-event.ts";
import { bearer } from "#testing/fixtures/test-api.ts";

const PARTS = ["overview", "bots", "accounts", "owners", "ladders", "events", "audit"];

describe("the console", { skip: process.platform !== "linux" }, () => {
  let pages: AccountPages;
  let operator: string;
  let ada: string;

  const ask = async (
    token: string,
    method: "GET" | "POST" | "PUT",
    url: string,
    payload?: object,
  ): Promise<Record<string, never>> => {
    const request = { method, url, headers: bearer(token), ...(payload && { payload }) };
    const answer = await pages.site.api.app.inject(request);
    assert.ok(answer.statusCode < 300, `${url}: ${answer.body}`);
    return answer.json();
  };

  /** Signs in, and comes back to the part that was asked for. */
  const visit = (
    part: string,
    look: (page: Page) => Promise<void>,
    { as = "operator", ...options }: { as?: string } & object = {},
  ) =>
    pages.visit(
      `/admin?part=${part}`,
      async (page) => {
        await page.locator(".way-in").getByRole("link", { name: "Sign in" }).click();
        await signIn(page, `${as}@example.org`);
        await look(page);
      },
      options,
    );
  const open = (page: Page, part: string) =>
    page.getByRole("navigation", { name: "Parts" }).getByRole("link", { name: part }).click();
  const dialog = (page: Page) => page.getByRole("dialog");
  const act = async (page: Page, opener: string, yes: string) => {
    await press(page, opener);
    await dialog(page).getByRole("button", { name: yes, exact: true }).click();
  };
  const said = (page: Page, text: string) =>
    page.getByRole("status").filter({ hasText: text }).waitFor();
  const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

  before(async () => {
    pages = await openAccountPages();
    operator = await pages.member("operator");
    await ask(operator, "PUT", "/api/account/handle", { handle: "grace" });
    ada = await pages.member("ada");
    await pages.botOf(ada, "Rex");
    await ask(operator, "POST", "/api/admin/events", {
      id: "finals",
      ladder_id: "public",
      name: "Finals",
      opens_at: "2031-01-05T09:00:00.250Z",
      closes_at: "2031-01-05T18:30:00.000Z",
      conditions: sampleEvent().conditions,
    });
  });
  after(() => pages?.close());

  test("is closed to who is no operator", async () => {
    const look = async (page: Page) => {
      await page.getByText("not as an operator of this ladder").waitFor();
      assert.equal(await page.locator(".console").count(), 0);
      await isSound(page);
    };
    await visit("bots", look, { as: "ada" });
  });

  test("shows each part at its address, at both widths and in both themes", async () => {
    const { id } = await ask(ada, "GET", "/api/account");
    const places = [...PARTS, `accounts&of=${String(id)}`, "ladders&of=public", "events&of=finals"];
    for (const options of [{}, { ...PHONE, ...DARK }]) {
      const look = async (page: Page) => {
        await page.locator(".console").waitFor();
        for (const place of places) {
          await page.goto(new URL(`/admin?part=${place}`, pages.site.baseUrl).href);
          await page.locator(".console-part :is(table, .empty)").first().waitFor();
          await isSound(page);
          assert.deepEqual(
            await shiftsOf(page),
            [],
            `${place} ${JSON.stringify(await shiftsOf(page))}`,
          );
        }
      };
      await visit("overview", look, options);
    }
  });

  test("leads from part to part and back, with the focus on the heading", async () => {
    const look = async (page: Page) => {
      await open(page, "Ladders");
      await page.locator("h1:focus", { hasText: "Ladders" }).waitFor();
      assert.equal(await page.title(), "Ladders · Console");
      await page.getByRole("link", { name: "Public" }).click();
      await page.getByRole("heading", { name: "Public" }).waitFor();
      assert.match(page.url(), /part=ladders&of=public$/);
      await page.goBack();
      await page.getByRole("table", { name: "Ladders" }).waitFor();
      await page.goBack();
      await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    };
    await visit("overview", look);
  });

  test("sorts a table by a column, up and down and not at all", async () => {
    const names = (page: Page) => page.locator("tbody tr > th").allTextContents();
    const look = async (page: Page) => {
      await row(page, "ada").waitFor();
      const unsorted = await names(page);
      await press(page, "Handle");
      await page.locator('th[aria-sort="ascending"]').waitFor();
      assert.deepEqual(await names(page), ["ada", "grace"]);
      await page.locator("th[aria-sort] button").click();
      await page.locator('th[aria-sort="descending"]').waitFor();
      assert.deepEqual(await names(page), ["grace", "ada"]);
      await page.locator("th[aria-sort] button").click();
      assert.equal(await page.locator("th[aria-sort]").count(), 0);
      assert.deepEqual(await names(page), unsorted);
    };
    await visit("accounts", look);
  });

  test("suspends a bot for a reason and lets it play again; a ban wants its name typed", async () => {
    const look = async (page: Page) => {
      await page.getByLabel("Part of its name").fill("rex");
      await press(page, "Find");
      await press(page, "Suspend Rex");
      await dialog(page).getByLabel("Reason").fill("Too loud.");
      await isSound(page);
      await dialog(page).getByRole("button", { name: "Suspend", exact: true }).click();
      await said(page, "Rex is suspended.");
      await row(page, "Too loud.").waitFor();
      await row(page, "Too loud.").getByRole("button", { name: "Activate Rex" }).click();
      await dialog(page).getByRole("button", { name: "Activate", exact: true }).click();
      await said(page, "Rex plays again.");
      await press(page, "Ban Rex");
      await dialog(page).getByLabel("Type Rex to go on").fill("rex");
      await dialog(page).getByRole("button", { name: "Ban", exact: true }).click();
      await dialog(page).getByText("That is not Rex.").waitFor();
      await dialog(page).getByRole("button", { name: "Leave it as it is" }).click();
      await page.getByRole("button", { name: "Ban Rex" }).and(page.locator(":focus")).waitFor();
    };
    await visit("bots", look);
    const { audit } = await ask(operator, "GET", "/api/admin/overview");
    assert.match(JSON.stringify(audit), /"kind":"bot.suspended".*"reason":"Too loud\."/);
    assert.doesNotMatch(JSON.stringify(audit), /"kind":"bot.banned"/);
  });

  test("bans an account, gives it more bots, and deletes it once its handle is typed", async () => {
    await pages.member("eve");
    const look = async (page: Page) => {
      await page.getByRole("link", { name: "eve", exact: true }).click();
      await press(page, "Number of bots");
      await dialog(page).getByLabel("Bots at most").fill("many");
      await dialog(page).getByRole("button", { name: "Set" }).click();
      await dialog(page).getByText("This is not a whole number.").waitFor();
      await dialog(page).getByLabel("Bots at most").fill("9");
      await dialog(page).getByRole("button", { name: "Set" }).click();
      await page.getByText("0 of 9").waitFor();
      await act(page, "Ban", "Ban");
      await page.getByRole("button", { name: "Unban" }).and(page.locator(":focus")).waitFor();
      await press(page, "Delete");
      await dialog(page).getByLabel("Type eve to go on").fill("eve");
      await dialog(page).getByRole("button", { name: "Delete for good" }).click();
      await page.getByRole("table", { name: "Accounts" }).waitFor();
      assert.equal(await page.getByRole("link", { name: "eve", exact: true }).count(), 0);
    };
    await visit("accounts", look);
  });

  test("makes an owner and shows its key this once", async () => {
    const look = async (page: Page) => {
      await press(page, "Make an owner");
      await dialog(page).getByLabel("Name").fill("Team Seven");
      await dialog(page).getByRole("button", { name: "Make the owner" }).click();
      await row(page, "Team Seven").waitFor();
      await page.locator(".secret pre", { hasText: /^\S{20,}$/ }).waitFor();
      await press(page, "I have put it away");
      assert.equal(await page.locator(".secret").count(), 0);
    };
    await visit("owners", look);
  });

  test("makes a ladder, lets an account in, invites and revokes", async () => {
    const look = async (page: Page) => {
      await press(page, "Make a ladder");
      await dialog(page).getByLabel("Id", { exact: true }).fill("cup");
      await dialog(page).getByLabel("Name", { exact: true }).fill("Autumn cup");
      await dialog(page).getByLabel("How accounts get in").selectOption("approval");
      await dialog(page).getByLabel("Closes").fill("2031-01-05T19:00:00");
      await dialog(page).getByLabel("cage").uncheck();
      await isSound(page);
      await dialog(page).getByRole("button", { name: "Make the ladder" }).click();
      await page.getByRole("heading", { name: "Autumn cup" }).waitFor();
      await ask(ada, "POST", "/api/account/ladders/cup/enrollment", {});
      await act(page, "Invite", "Make the invitation");
      await page.locator(".secret pre", { hasText: "bout_invite_" }).waitFor();
      await press(page, "Let in ada");
      await dialog(page).getByRole("button", { name: "Let in" }).click();
      await said(page, "ada is a member.");
      await press(page, "Revoke the membership of ada");
      await dialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await dialog(page).getByText("Reason: please fill this in.").waitFor();
      await dialog(page).getByLabel("Reason").fill("Not in this class.");
      await dialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await row(page, "Not in this class.").getByText("revoked").waitFor();
      await press(page, "Revoke the invitation");
      await dialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await row(page, "anybody").getByText("revoked").waitFor();
    };
    await visit("ladders", look);
    const { ladder } = await ask(operator, "GET", "/api/admin/ladders/cup");
    const { closes_at, maps } = ladder as unknown as { closes_at: string; maps: string[] };
    assert.equal(closes_at, new Date("2031-01-05T19:00:00").toISOString());
    assert.ok(!maps.includes("cage") && maps.includes("keep"), maps.join());
  });

  test("sends of a ladder's settings what differs, and says what is refused", async () => {
    const look = async (page: Page) => {
      await press(page, "Settings");
      await dialog(page).getByLabel("Matches are played").selectOption("no");
      await dialog(page).getByRole("button", { name: "Save" }).click();
      await dialog(page)
        .getByRole("alert")
        .filter({ hasText: /public/i })
        .waitFor();
      await dialog(page).getByLabel("Matches are played").selectOption("yes");
      await dialog(page).getByLabel("Description").fill("For everybody.");
      const [sent] = await Promise.all([
        page.waitForRequest("**/api/admin/ladders/public/settings"),
        dialog(page).getByRole("button", { name: "Save" }).click(),
      ]);
      assert.deepEqual(sent.postDataJSON(), { description: "For everybody." });
      await said(page, "The settings of Public are saved.");
    };
    await visit("ladders&of=public", look);
  });

  test("says what an event lacks, changes it, and counts its awards again", async () => {
    const look = async (page: Page) => {
      await page.getByText("the flag of warm-up is nowhere").waitFor();
      await act(page, "Enable", "Enable");
      await dialog(page).getByRole("alert").filter({ hasText: "not ready" }).waitFor();
      await dialog(page).getByRole("button", { name: "Leave it as it is" }).click();
      await press(page, "Schedule");
      await dialog(page).getByLabel("Closes").fill("2031-01-05T20:00:00");
      await dialog(page).getByRole("button", { name: "Save" }).click();
      await said(page, "Finals has another schedule.");
      await press(page, "Texts and achievements");
      await dialog(page).getByLabel("as JSON").fill("[");
      await dialog(page).getByRole("button", { name: "Save" }).click();
      await dialog(page).getByText("That is no JSON.").waitFor();
      await dialog(page).getByRole("button", { name: "Leave it as it is" }).click();
      await press(page, "Approve opponents");
      await dialog(page).getByLabel("kiter").fill("v9");
      await dialog(page).getByRole("button", { name: "Approve", exact: true }).click();
      await said(page, "Finals has these opponents.");
      await page.getByLabel("Handle or id of the account").fill("ada");
      await press(page, "Find");
      await page.getByRole("table", { name: "Achievements of ada" }).waitFor();
      await press(page, "Compare");
      await page.getByText("The matches earn 0 awards; 0 of them are missing.").waitFor();
      await isSound(page);
    };
    await visit("events&of=finals", look);
    const [event] = (await ask(operator, "GET", "/api/admin/events")) as unknown as object[];
    const { opens_at, closes_at, approved_versions } = event as Record<string, unknown>;
    assert.equal(opens_at, "2031-01-05T09:00:00.250Z");
    assert.equal(closes_at, new Date("2031-01-05T20:00:00").toISOString());
    assert.deepEqual(approved_versions, { kiter: "v9" });
  });

  test("looks for words in the audit", async () => {
    const look = async (page: Page) => {
      await page.getByLabel("Look for in: What was done").fill("handle");
      await row(page, "account.handle").first().waitFor();
      assert.equal(await row(page, "bot.registered").count(), 0);
      await page.getByLabel("Look for in: What was done").fill("nothing of the kind");
      await page.getByText("Nothing matches “nothing of the kind”.").waitFor();
    };
    await visit("audit", look);
  });
});
