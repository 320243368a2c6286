import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";

import type { Page } from "playwright-core";

import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import {
  DARK_OPTIONS,
  assertPageIsValid,
  PHONE_OPTIONS,
  clickButton,
} from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import {
  runDialogAction,
  openDialog,
  openConsolePages,
  rowWith,
  waitForStatus,
} from "#testing/fixtures/console-pages.ts";
import type { ConsolePages } from "#testing/fixtures/console-pages.ts";
import { layoutShifts } from "#testing/fixtures/page-browser.ts";
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

describe("console", { skip: process.platform !== "linux" }, () => {
  let consolePages: ConsolePages;
  let pages: AccountPages;
  let request: ConsolePages["adminRequest"];
  let operator: string;
  let ada: string;

  const visitPanel: ConsolePages["visitPanel"] = (...requestCount) =>
    consolePages.visitPanel(...requestCount);
  const open = (page: Page, part: string) =>
    page.getByRole("navigation", { name: "Parts" }).getByRole("link", { name: part }).click();

  before(async () => {
    consolePages = await openConsolePages({ freeDisk: () => 1024 ** 3 });
    ({ pages, adminRequest: request, adminToken: operator } = consolePages);
    ada = await pages.addMember("ada");
    await pages.createBot(ada, "Rex");
    await request(operator, "POST", "/api/admin/events", {
      id: "finals",
      ladder_id: "public",
      name: "Finals",
      opens_at: "2031-01-05T09:00:00.250Z",
      closes_at: "2031-01-05T18:30:00.000Z",
      conditions: sampleEvent().conditions,
    });
  });
  after(() => pages?.close());

  test("rejects visitors who aren't admins", async () => {
    const checkPage = async (page: Page) => {
      await page.getByText("isn't an admin").waitFor();
      assert.equal(await page.locator(".console").count(), 0);
      await assertPageIsValid(page);
    };
    await visitPanel("bots", checkPage, { memberName: "ada" });
  });

  test("shows each part at its URL, at both widths and in both themes", async () => {
    const { id } = await request(ada, "GET", "/api/account");
    const panelPaths = [
      ...PARTS,
      `accounts&of=${String(id)}`,
      "ladders&of=public",
      "events&of=finals",
    ];
    for (const options of [{}, { ...PHONE_OPTIONS, ...DARK_OPTIONS }]) {
      const checkPage = async (page: Page) => {
        await page.locator(".console").waitFor();
        for (const panelPath of panelPaths) {
          await page.goto(new URL(`/admin?part=${panelPath}`, pages.site.baseUrl).href);
          await page.locator(".console-part :is(table, .empty)").first().waitFor();
          await assertPageIsValid(page);
          assert.deepEqual(
            await layoutShifts(page),
            [],
            `${panelPath} ${JSON.stringify(await layoutShifts(page))}`,
          );
        }
      };
      await visitPanel("overview", checkPage, options);
    }
  });

  test("lists what needs attention in the overview, with links", async () => {
    await request(operator, "POST", "/api/admin/ladders", {
      id: "hall",
      name: "Hall",
      access: "approval",
    });
    await request(ada, "POST", "/api/account/ladders/hall/enrollment", {});
    const checkPage = async (page: Page) => {
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
    await visitPanel("overview", checkPage);
  });

  test("navigates between parts, goes back and focuses the heading", async () => {
    const checkPage = async (page: Page) => {
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
    await visitPanel("overview", checkPage);
  });

  test("sorts a table by a column: ascending, descending, unsorted", async () => {
    const names = (page: Page) => page.locator("tbody tr > th").allTextContents();
    const checkPage = async (page: Page) => {
      await rowWith(page, "ada").waitFor();
      const unsorted = await names(page);
      await clickButton(page, "Handle");
      await page.locator('th[aria-sort="ascending"]').waitFor();
      assert.deepEqual(await names(page), ["ada", "grace"]);
      await page.locator("th[aria-sort] button").click();
      await page.locator('th[aria-sort="descending"]').waitFor();
      assert.deepEqual(await names(page), ["grace", "ada"]);
      await page.locator("th[aria-sort] button").click();
      assert.equal(await page.locator("th[aria-sort]").count(), 0);
      assert.deepEqual(await names(page), unsorted);
    };
    await visitPanel("accounts", checkPage);
  });

  test("suspends a bot with a reason, reactivates it, and requires the bot's name for a ban", async () => {
    const checkPage = async (page: Page) => {
      await page.getByLabel("Part of a bot's").fill("rex");
      await clickButton(page, "Find");
      await clickButton(page, "Suspend Rex");
      await openDialog(page).getByLabel("Reason").fill("Too loud.");
      await assertPageIsValid(page);
      await openDialog(page).getByRole("button", { name: "Suspend", exact: true }).click();
      await waitForStatus(page, "Rex is suspended.");
      await rowWith(page, "Too loud.").waitFor();
      await rowWith(page, "Too loud.").getByRole("button", { name: "Activate Rex" }).click();
      await openDialog(page).getByRole("button", { name: "Activate", exact: true }).click();
      await waitForStatus(page, "Rex is active again.");
      await clickButton(page, "Ban Rex");
      await openDialog(page).getByLabel("Type Rex to confirm").fill("rex");
      await openDialog(page).getByRole("button", { name: "Ban", exact: true }).click();
      await openDialog(page).getByText("Type Rex exactly.").waitFor();
      await openDialog(page).getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Ban Rex" }).and(page.locator(":focus")).waitFor();
    };
    await visitPanel("bots", checkPage);
    const { audit } = await request(operator, "GET", "/api/admin/overview");
    assert.match(JSON.stringify(audit), /"kind":"bot.suspended".*"reason":"Too loud\."/);
    assert.doesNotMatch(JSON.stringify(audit), /"kind":"bot.banned"/);
  });

  test("bans an account, changes its bot limit, and requires its handle for deletion", async () => {
    await pages.addMember("eve");
    const checkPage = async (page: Page) => {
      await page.getByRole("link", { name: "eve", exact: true }).click();
      await clickButton(page, "Bot limit");
      await openDialog(page).getByLabel("Max bots").fill("many");
      await openDialog(page).getByRole("button", { name: "Save" }).click();
      await openDialog(page).getByText("Enter a whole number.").waitFor();
      await openDialog(page).getByLabel("Max bots").fill("9");
      await openDialog(page).getByRole("button", { name: "Save" }).click();
      await page.getByText("0 of 9").waitFor();
      await runDialogAction(page, "Ban", "Ban");
      await page.getByRole("button", { name: "Unban" }).and(page.locator(":focus")).waitFor();
      await clickButton(page, "Delete");
      await openDialog(page).getByLabel("Type eve to confirm").fill("eve");
      await openDialog(page).getByRole("button", { name: "Delete permanently" }).click();
      await page.getByRole("table", { name: "Accounts" }).waitFor();
      assert.equal(await page.getByRole("link", { name: "eve", exact: true }).count(), 0);
    };
    await visitPanel("accounts", checkPage);
  });

  test("grants and removes the admin role with a reason", async () => {
    await pages.addMember("finn");
    const checkPage = async (page: Page) => {
      await page.getByRole("link", { name: "finn", exact: true }).click();
      await clickButton(page, "Make admin");
      await openDialog(page).getByText("can do everything in this console").waitFor();
      await openDialog(page).getByLabel("Reason").fill("For the finals.");
      await assertPageIsValid(page);
      await openDialog(page).getByRole("button", { name: "Make admin" }).click();
      await waitForStatus(page, "finn is now an admin.");
      await page.locator(".console-facts").getByText("operate", { exact: true }).waitFor();
      // Admins can't be banned or deleted.
      assert.equal(await page.getByRole("button", { name: "Ban", exact: true }).count(), 0);
      await runDialogAction(page, "Remove admin role", "Remove admin role");
      await waitForStatus(page, "finn is now a player.");
      await page.locator(".console-facts").getByText("play", { exact: true }).waitFor();
    };
    await visitPanel("accounts", checkPage, { ...PHONE_OPTIONS, ...DARK_OPTIONS });
    const [back, createdPages] = (await request(
      operator,
      "GET",
      "/api/admin/audit?kind=account.role",
    )) as unknown as { reason: string | null; detail: object }[];
    assert.deepEqual([createdPages?.reason, back?.reason], ["For the finals.", null]);
  });

  test("creates an owner and shows the key once", async () => {
    const checkPage = async (page: Page) => {
      await clickButton(page, "New owner");
      await openDialog(page).getByLabel("Name").fill("Team Seven");
      await openDialog(page).getByRole("button", { name: "Create owner" }).click();
      await rowWith(page, "Team Seven").waitFor();
      await page.locator(".secret pre", { hasText: /^\S{20,}$/ }).waitFor();
      await clickButton(page, "I've saved it");
      assert.equal(await page.locator(".secret").count(), 0);
    };
    await visitPanel("owners", checkPage);
  });

  test("creates a ladder, admits an account, and creates and revokes invitations", async () => {
    const checkPage = async (page: Page) => {
      await clickButton(page, "New ladder");
      await openDialog(page).getByLabel("Id", { exact: true }).fill("cup");
      await openDialog(page).getByLabel("Name", { exact: true }).fill("Autumn cup");
      await openDialog(page).getByLabel("Access").selectOption("approval");
      await openDialog(page).getByLabel("Closes").fill("2031-01-05T19:00:00");
      await openDialog(page).getByLabel("cage").uncheck();
      await assertPageIsValid(page);
      await openDialog(page).getByRole("button", { name: "Create ladder" }).click();
      await page.getByRole("heading", { name: "Autumn cup" }).waitFor();
      await request(ada, "POST", "/api/account/ladders/cup/enrollment", {});
      await runDialogAction(page, "Invite", "Create invitation");
      const link = `${pages.site.baseUrl}/ladders?ladder=cup#invite=bout_invite_`;
      await page.locator(".secret pre", { hasText: link }).waitFor();
      await clickButton(page, "Invite");
      await openDialog(page).getByLabel("Labels").fill("Team A\nTeam B\nTeam C");
      await openDialog(page).getByRole("button", { name: "Create invitation" }).click();
      await waitForStatus(page, "3 invitations created.");
      const links = await page.locator(".secret pre").textContent();
      const labels = links?.split("\n").map((text) => text.split(`\t${link}`)[0]);
      assert.deepEqual(labels, ["Team A", "Team B", "Team C"]);
      await rowWith(page, "Team B").getByText("open").waitFor();
      await clickButton(page, "Approve ada");
      await openDialog(page).getByRole("button", { name: "Approve" }).click();
      await waitForStatus(page, "ada is now a member.");
      await clickButton(page, "Revoke membership of ada");
      await openDialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await openDialog(page).getByText("Reason: please fill this in.").waitFor();
      await openDialog(page).getByLabel("Reason").fill("Not in this class.");
      await openDialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await rowWith(page, "Not in this class.").getByText("revoked").waitFor();
      await page.getByRole("button", { name: "Revoke invitation" }).first().click();
      await openDialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
      await rowWith(page, "anybody").first().getByText("revoked").waitFor();
    };
    await visitPanel("ladders", checkPage);
    const { ladder } = await request(operator, "GET", "/api/admin/ladders/cup");
    const { closes_at, maps } = ladder as unknown as { closes_at: string; maps: string[] };
    assert.equal(closes_at, new Date("2031-01-05T19:00:00").toISOString());
    assert.ok(!maps.includes("cage") && maps.includes("keep"), maps.join());
  });

  test("saves only a ladder's changed settings, and shows errors", async () => {
    const checkPage = async (page: Page) => {
      await clickButton(page, "Settings");
      await openDialog(page).getByLabel("Match visibility").selectOption("no");
      await openDialog(page).getByRole("button", { name: "Save" }).click();
      await openDialog(page)
        .getByRole("alert")
        .filter({ hasText: /public/i })
        .waitFor();
      await openDialog(page).getByLabel("Match visibility").selectOption("yes");
      await openDialog(page).getByLabel("Description").fill("For everybody.");
      const [requestBody] = await Promise.all([
        page.waitForRequest("**/api/admin/ladders/public/settings"),
        openDialog(page).getByRole("button", { name: "Save" }).click(),
      ]);
      assert.deepEqual(requestBody.postDataJSON(), { description: "For everybody." });
      await waitForStatus(page, "The settings for Public are saved.");
    };
    await visitPanel("ladders&of=public", checkPage);
  });

  test("shows why an event isn't ready, edits it, and reconciles its awards", async () => {
    const checkPage = async (page: Page) => {
      await page.getByText("the flag of warm-up is not set on the server").waitFor();
      await runDialogAction(page, "Enable", "Enable");
      await openDialog(page).getByRole("alert").filter({ hasText: "not ready" }).waitFor();
      await openDialog(page).getByRole("button", { name: "Cancel" }).click();
      await clickButton(page, "Schedule");
      await openDialog(page).getByLabel("Closes").fill("2031-01-05T20:00:00");
      await openDialog(page).getByRole("button", { name: "Save" }).click();
      await waitForStatus(page, "The schedule for Finals is saved.");
      await clickButton(page, "Texts");
      await openDialog(page).getByLabel("Description").fill("One evening.");
      await openDialog(page).getByRole("button", { name: "Save" }).click();
      await waitForStatus(page, "Finals is saved.");
      await clickButton(page, "Approve opponents");
      await openDialog(page).getByLabel("kiter").fill("v9");
      await openDialog(page).getByRole("button", { name: "Approve", exact: true }).click();
      await waitForStatus(page, "The opponents for Finals are approved.");
      await page.getByLabel("Account handle or ID").fill("ada");
      await clickButton(page, "Find");
      await page.getByRole("table", { name: "Achievements of ada" }).waitFor();
      await clickButton(page, "Compare");
      await page.getByText("Stored matches earn 0 awards; 0 are missing.").waitFor();
      await assertPageIsValid(page);
    };
    await visitPanel("events&of=finals", checkPage);
    const [event] = (await request(operator, "GET", "/api/admin/events")) as unknown as object[];
    const { opens_at, closes_at, approved_versions } = event as Record<string, unknown>;
    assert.equal(opens_at, "2031-01-05T09:00:00.250Z");
    assert.equal(closes_at, new Date("2031-01-05T20:00:00").toISOString());
    assert.deepEqual(approved_versions, { kiter: "v9" });
  });

  test("pages through the audit log to the oldest entry and back", async () => {
    const entries = Array.from({ length: 70 }, (_, at) => ({
      id: randomUUID(),
      at: new Date(Date.UTC(2025, 0, 1, 0, 0, at)).toISOString(),
      kind: "signin.burst" as const,
      actor: SYSTEM_ACTOR,
      subject: null,
      reason: `burst ${at}.`,
      detail: null,
    }));
    await pages.site.api.store.audit.add(entries);
    const checkPage = async (page: Page) => {
      await rowWith(page, "burst 69.").waitFor();
      assert.equal(await page.getByRole("button", { name: "Newer" }).count(), 0);
      await clickButton(page, "Older");
      await rowWith(page, "burst 0.").waitFor();
      assert.equal(await page.locator("tbody tr").count(), 20);
      assert.equal(await page.getByRole("button", { name: "Older" }).count(), 0);
      await clickButton(page, "Newer");
      await rowWith(page, "burst 69.").waitFor();
    };
    await visitPanel("audit&of=signin.burst", checkPage);
  });

  test("filters the audit log by actor and affected person", async () => {
    const checkPage = async (page: Page) => {
      await page.getByLabel("Actor").fill("ADA");
      await clickButton(page, "Filter");
      await rowWith(page, "bot.registered").first().waitFor();
      assert.equal(await rowWith(page, "event.created").count(), 0);
      await page.getByLabel("Actor").fill("");
      await page.getByLabel("Until").fill("2020-01-01T00:00");
      await clickButton(page, "Filter");
      await page.getByText("No matching entries.").waitFor();
    };
    await visitPanel("audit", checkPage);
  });

  test("shows an event's standings and downloads them", async () => {
    const checkPage = async (page: Page) => {
      await page.getByText("Ladder members and their achievements will appear here").waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        clickButton(page, "Download finals-standings.csv"),
      ]);
      assert.equal(download.suggestedFilename(), "finals-standings.csv");
    };
    await visitPanel("events&of=finals", checkPage);
  });

  test("searches the audit log and links an ID to its account", async () => {
    const { id } = await request(ada, "GET", "/api/account");
    const note = {
      actor: SYSTEM_ACTOR,
      subject: null,
      reason: null,
      detail: { account: String(id) },
    };
    const at = new Date().toISOString();
    await pages.site.api.store.audit.add([{ id: randomUUID(), at, kind: "event.award", ...note }]);
    const checkPage = async (page: Page) => {
      await page.getByLabel("Search in: Audit log").fill("handle");
      await rowWith(page, "account.handle").first().waitFor();
      assert.equal(await rowWith(page, "bot.registered").count(), 0);
      await page.getByLabel("Search in: Audit log").fill("nothing of the kind");
      await page.getByText("No results for “nothing of the kind”.").waitFor();
      await page.getByRole("combobox", { name: "Show" }).selectOption("event.");
      await rowWith(page, "event.created").waitFor();
      const account = rowWith(page, "event.award").locator(`a[href*="part=accounts"]`);
      assert.equal(await account.getAttribute("href"), `/admin?part=accounts&of=${String(id)}`);
      assert.equal(await rowWith(page, "account.handle").count(), 0);
      assert.match(page.url(), /part=audit&of=event\.$/);
    };
    await visitPanel("audit", checkPage);
  });
});
