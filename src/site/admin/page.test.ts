// What operators do in the console, in a real browser.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import { SYSTEM } from "#core/words/audit.ts";
import { DARK, isSound, PHONE, press } from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import { act, dialogOf, openConsolePages, rowOf, said } from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { shiftsOf } from "#testing/fixtures/page-browser.ts";
import { sampleEvent } from "#testing/fixtures/sample-event.ts";

const PARTS = [
  "overview",
  "health",
  "bots",
  "accounts",
  "owners",
  "ladders",
  "events",
  "announcements",
  "mail",
  "settings",
  "usage",
  "analytics",
  "audit",
];

describe("the console", { skip: process.platform !== "linux" }, () => {
  let opened: ConsolePages;
  let pages: AccountPages;
  let ask: ConsolePages["ask"];
  let operator: string;
  let ada: string;

  const visit: ConsolePages["visit"] = (...asked) => opened.visit(...asked);
  const open = (page: Page, part: string) =>
    page.getByRole("navigation", { name: "Parts" }).getByRole("link", { name: part }).click();

  before(async () => {
    opened = await openConsolePages({ freeDisk: () => 1024 ** 3 });
    ({ pages, ask, operator } = opened);
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

  test("lists in the overview what needs attention, with links", async () => {
    await ask(operator, "POST", "/api/admin/ladders", {
      id: "hall",
      name: "Hall",
      access: "approval",
    });
    await ask(ada, "POST", "/api/account/ladders/hall/enrollment", {});
    const look = async (page: Page) => {
      const attention = page.locator(".attention");
      await attention.getByText("1 membership waiting for approval on Hall.").waitFor();
      await attention.getByText("The disk is almost full: 1.0 GiB free.").waitFor();
      await page.locator(".plot canvas").nth(1).waitFor();
      assert.equal(await page.locator(".plot canvas").count(), 2);
      const rows = page.getByRole("table", { name: "Latest audit entries" }).getByRole("row");
      assert.ok((await rows.count()) <= 6);
      await attention.getByRole("link", { name: /membership waiting/ }).click();
      await page.getByRole("heading", { name: "Hall" }).waitFor();
    };
    await visit("overview", look);
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
      await rowOf(page, "ada").waitFor();
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
      await dialogOf(page).getByLabel("Reason").fill("Too loud.");
      await isSound(page);
      await dialogOf(page).getByRole("button", { name: "Suspend", exact: true }).click();
      await said(page, "Rex is suspended.");
      await rowOf(page, "Too loud.").waitFor();
      await rowOf(page, "Too loud.").getByRole("button", { name: "Activate Rex" }).click();
      await dialogOf(page).getByRole("button", { name: "Activate", exact: true }).click();
      await said(page, "Rex plays again.");
      await press(page, "Ban Rex");
      await dialogOf(page).getByLabel("Type Rex to go on").fill("rex");
      await dialogOf(page).getByRole("button", { name: "Ban", exact: true }).click();
      await dialogOf(page).getByText("That is not Rex.").waitFor();
      await dialogOf(page).getByRole("button", { name: "Leave it as it is" }).click();
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
      await dialogOf(page).getByLabel("Bots at most").fill("many");
      await dialogOf(page).getByRole("button", { name: "Set" }).click();
      await dialogOf(page).getByText("This is not a whole number.").waitFor();
      await dialogOf(page).getByLabel("Bots at most").fill("9");
      await dialogOf(page).getByRole("button", { name: "Set" }).click();
      await page.getByText("0 of 9").waitFor();
      await act(page, "Ban", "Ban");
      await page.getByRole("button", { name: "Unban" }).and(page.locator(":focus")).waitFor();
      await press(page, "Delete");
      await dialogOf(page).getByLabel("Type eve to go on").fill("eve");
      await dialogOf(page).getByRole("button", { name: "Delete for good" }).click();
      await page.getByRole("table", { name: "Accounts" }).waitFor();
      assert.equal(await page.getByRole("link", { name: "eve", exact: true }).count(), 0);
    };
    await visit("accounts", look);
  });

  test("makes an account an operator and a player again, for a reason", async () => {
    await pages.member("finn");
    const look = async (page: Page) => {
      await page.getByRole("link", { name: "finn", exact: true }).click();
      await press(page, "Make an operator");
      await dialogOf(page).getByText("They may do everything that this console does").waitFor();
      await dialogOf(page).getByLabel("Reason").fill("For the finals.");
      await isSound(page);
      await dialogOf(page).getByRole("button", { name: "Make an operator" }).click();
      await said(page, "finn is an operator now.");
      await page.locator(".console-facts").getByText("operate", { exact: true }).waitFor();
      // Operators are neither banned nor deleted.
      assert.equal(await page.getByRole("button", { name: "Ban", exact: true }).count(), 0);
      await act(page, "Make a player", "Make a player");
      await said(page, "finn is a player now.");
      await page.locator(".console-facts").getByText("play", { exact: true }).waitFor();
    };
    await visit("accounts", look, { ...PHONE, ...DARK });
    const [back, made] = (await ask(
      operator,
      "GET",
      "/api/admin/audit?kind=account.role",
    )) as unknown as { reason: string | null; detail: object }[];
    assert.deepEqual([made?.reason, back?.reason], ["For the finals.", null]);
  });

  test("makes an owner and shows its key this once", async () => {
    const look = async (page: Page) => {
      await press(page, "Make an owner");
      await dialogOf(page).getByLabel("Name").fill("Team Seven");
      await dialogOf(page).getByRole("button", { name: "Make the owner" }).click();
      await rowOf(page, "Team Seven").waitFor();
      await page.locator(".secret pre", { hasText: /^\S{20,}$/ }).waitFor();
      await press(page, "I have put it away");
      assert.equal(await page.locator(".secret").count(), 0);
    };
    await visit("owners", look);
  });

  test("makes a ladder, lets an account in, invites and revokes", async () => {
    const look = async (page: Page) => {
      await press(page, "Make a ladder");
      await dialogOf(page).getByLabel("Id", { exact: true }).fill("cup");
      await dialogOf(page).getByLabel("Name", { exact: true }).fill("Autumn cup");
      await dialogOf(page).getByLabel("How accounts get in").selectOption("approval");
      await dialogOf(page).getByLabel("Closes").fill("2031-01-05T19:00:00");
      await dialogOf(page).getByLabel("cage").uncheck();
      await isSound(page);
      await dialogOf(page).getByRole("button", { name: "Make the ladder" }).click();
      await page.getByRole("heading", { name: "Autumn cup" }).waitFor();
      await ask(ada, "POST", "/api/account/ladders/cup/enrollment", {});
      await act(page, "Invite", "Make the invitation");
      const link = `${pages.site.baseUrl}/ladders?ladder=cup#invite=bout_invite_`;
      await page.locator(".secret pre", { hasText: link }).waitFor();
      await press(page, "Invite");
      await dialogOf(page).getByLabel("Labels").fill("Team A\nTeam B\nTeam C");
      await dialogOf(page).getByRole("button", { name: "Make the invitation" }).click();
      await said(page, "3 invitations created.");
      const links = await page.locator(".secret pre").textContent();
      const labels = links?.split("\n").map((text) => text.split(`\t${link}`)[0]);
      assert.deepEqual(labels, ["Team A", "Team B", "Team C"]);
      await rowOf(page, "Team B").getByText("open").waitFor();
      await press(page, "Approve ada");
      await dialogOf(page).getByRole("button", { name: "Approve" }).click();
      await said(page, "ada is a member.");
      await press(page, "Revoke the membership of ada");
      await dialogOf(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await dialogOf(page).getByText("Reason: please fill this in.").waitFor();
      await dialogOf(page).getByLabel("Reason").fill("Not in this class.");
      await dialogOf(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await rowOf(page, "Not in this class.").getByText("revoked").waitFor();
      await page.getByRole("button", { name: "Revoke the invitation" }).first().click();
      await dialogOf(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await rowOf(page, "anybody").first().getByText("revoked").waitFor();
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
      await dialogOf(page).getByLabel("Matches are played").selectOption("no");
      await dialogOf(page).getByRole("button", { name: "Save" }).click();
      await dialogOf(page)
        .getByRole("alert")
        .filter({ hasText: /public/i })
        .waitFor();
      await dialogOf(page).getByLabel("Matches are played").selectOption("yes");
      await dialogOf(page).getByLabel("Description").fill("For everybody.");
      const [sent] = await Promise.all([
        page.waitForRequest("**/api/admin/ladders/public/settings"),
        dialogOf(page).getByRole("button", { name: "Save" }).click(),
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
      await dialogOf(page).getByRole("alert").filter({ hasText: "not ready" }).waitFor();
      await dialogOf(page).getByRole("button", { name: "Leave it as it is" }).click();
      await press(page, "Schedule");
      await dialogOf(page).getByLabel("Closes").fill("2031-01-05T20:00:00");
      await dialogOf(page).getByRole("button", { name: "Save" }).click();
      await said(page, "Finals has another schedule.");
      await press(page, "Texts");
      await dialogOf(page).getByLabel("Description").fill("One evening.");
      await dialogOf(page).getByRole("button", { name: "Save" }).click();
      await said(page, "Finals is changed.");
      await press(page, "Approve opponents");
      await dialogOf(page).getByLabel("kiter").fill("v9");
      await dialogOf(page).getByRole("button", { name: "Approve", exact: true }).click();
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

  test("turns the pages of the audit, to the oldest entry and back", async () => {
    const entries = Array.from({ length: 70 }, (_, at) => ({
      id: randomUUID(),
      at: new Date(Date.UTC(2025, 0, 1, 0, 0, at)).toISOString(),
      kind: "signin.burst" as const,
      actor: SYSTEM,
      subject: null,
      reason: `burst ${at}.`,
      detail: null,
    }));
    await pages.site.api.store.audit.add(entries);
    const look = async (page: Page) => {
      await rowOf(page, "burst 69.").waitFor();
      assert.equal(await page.getByRole("button", { name: "Newer" }).count(), 0);
      await press(page, "Older");
      await rowOf(page, "burst 0.").waitFor();
      assert.equal(await page.locator("tbody tr").count(), 20);
      assert.equal(await page.getByRole("button", { name: "Older" }).count(), 0);
      await press(page, "Newer");
      await rowOf(page, "burst 69.").waitFor();
    };
    await visit("audit&of=signin.burst", look);
  });

  test("filters the audit by who acted and who is affected", async () => {
    const look = async (page: Page) => {
      await page.getByLabel("Actor").fill("ADA");
      await press(page, "Filter");
      await rowOf(page, "bot.registered").first().waitFor();
      assert.equal(await rowOf(page, "event.created").count(), 0);
      await page.getByLabel("Actor").fill("");
      await page.getByLabel("Until").fill("2020-01-01T00:00");
      await press(page, "Filter");
      await page.getByText("Nothing of this was done.").waitFor();
    };
    await visit("audit", look);
  });

  test("shows an event's standings and saves them as a file", async () => {
    const look = async (page: Page) => {
      await page.getByText("Members of the ladder appear here").waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        press(page, "Download finals-standings.csv"),
      ]);
      assert.equal(download.suggestedFilename(), "finals-standings.csv");
    };
    await visit("events&of=finals", look);
  });

  test("looks for words in the audit, and leads to the account that an entry has the id of", async () => {
    const { id } = await ask(ada, "GET", "/api/account");
    const note = { actor: SYSTEM, subject: null, reason: null, detail: { account: String(id) } };
    const at = new Date().toISOString();
    await pages.site.api.store.audit.add([{ id: randomUUID(), at, kind: "event.award", ...note }]);
    const look = async (page: Page) => {
      await page.getByLabel("Look for in: What was done").fill("handle");
      await rowOf(page, "account.handle").first().waitFor();
      assert.equal(await rowOf(page, "bot.registered").count(), 0);
      await page.getByLabel("Look for in: What was done").fill("nothing of the kind");
      await page.getByText("Nothing matches “nothing of the kind”.").waitFor();
      await page.getByRole("combobox", { name: "Show" }).selectOption("event.");
      await rowOf(page, "event.created").waitFor();
      const account = rowOf(page, "event.award").locator(`a[href*="part=accounts"]`);
      assert.equal(await account.getAttribute("href"), `/admin?part=accounts&of=${String(id)}`);
      assert.equal(await rowOf(page, "account.handle").count(), 0);
      assert.match(page.url(), /part=audit&of=event\.$/);
    };
    await visit("audit", look);
  });
});
