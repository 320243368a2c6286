import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import type { Page } from "playwright-core";

import {
  axeViolations,
  horizontalOverflow,
  openPageBrowser,
  layoutShifts,
} from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";
import { renderWholePage } from "#testing/fixtures/project.ts";
import { waitForEmail } from "#testing/harness/account-client.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { startLadder } from "#testing/harness/test-server.ts";
import type { TestLadder } from "#testing/harness/test-server.ts";

const STARTER = fileURLToPath(import.meta.resolve("#tools/starters/starter.ts"));
const KEY = "the-key-of-this-ladder";
/** Fails a test that waits for an event that never happens. */
const HANG_MS = 120_000;

const register = async (page: Page, name: string, more: Record<string, string> = {}) => {
  for (const [label, text] of Object.entries({ Name: name, ...more }))
    await page.getByRole("textbox", { name: label, exact: true }).fill(text);
  await page.getByRole("button", { name: "Register", exact: true }).click();
};

// The npm package bundles a browser for Linux only.
describe("creating a bot", { skip: process.platform !== "linux" }, () => {
  let ladder: TestLadder;
  let browser: PageBrowser;
  before(async () => {
    ladder = await startLadder(["--match-interval", "0", "--house", "kiter,ts-starter"]);
    browser = await openPageBrowser(ladder.baseUrl);
  });
  after(async () => {
    await browser?.close();
    await ladder?.close();
  });

  test("shows commands in full on a phone", async () => {
    const checkPage = async (page: Page) => {
      const excess = await page
        .locator("pre")
        .evaluateAll((allLinks) => allLinks.map((pre) => pre.scrollWidth - pre.clientWidth));
      assert.ok(excess.length > 0 && excess.every((pixels) => pixels <= 0), excess.join(" "));
    };
    await browser.visit("/create-bot", checkPage, { viewport: { width: 390, height: 844 } });
    await browser.visit("/", checkPage, { viewport: { width: 390, height: 844 } });
  });

  test(
    "takes a real bot from registration through practice to its first rated game",
    { timeout: HANG_MS },
    async () => {
      await browser.visit("/create-bot", async (page) => {
        await register(page, "Newcomer", { Owner: "Ada" });
        await page.getByRole("heading", { name: "Newcomer is registered" }).waitFor();
        const token = (await page.getByRole("region", { name: "the token" }).textContent()) ?? "";
        const commands = page.getByRole("region", { name: "that start the TypeScript bot" });
        const text = (await commands.textContent()) ?? "";
        assert.ok(!text.includes(token) && text.includes(ladder.baseUrl));
        const file = page.getByRole("link", { name: "Download Newcomer.token" });
        assert.equal(await file.getAttribute("download"), "Newcomer.token");
        const href = (await file.getAttribute("href")) ?? "";
        assert.equal(decodeURIComponent(href.split(",")[1] ?? ""), `${token}\n`);
        assert.ok(text.includes("--name Newcomer") && !page.url().includes(token));
        assert.equal(await page.evaluate("localStorage.length + sessionStorage.length"), 0);
        await page.getByText("Not connected yet").waitFor();
        const practice = page.getByRole("region", { name: "Practice first" });
        await practice.getByText(/Its next match is practice/).waitFor();
        const [, flags = ""] = /node starter\.ts (.*)$/m.exec(text) ?? [];
        const bot = spawn(process.execPath, [STARTER, ...flags.split(" ")], {
          env: { ...process.env, BOUT_TOKEN: token },
          stdio: "ignore",
        });
        try {
          await practice.getByText("Your bot responds correctly.").waitFor({ timeout: HANG_MS });
          await practice.getByText(/It answered \d+ times/).waitFor();
          await page.locator(".milestone.reached", { hasText: "Practice game" }).waitFor();
          await page
            .getByText(/^\d+ of 30 games with v1$/)
            .first()
            .waitFor({ timeout: HANG_MS });
          await page.getByRole("link", { name: "Latest match" }).waitFor();
          assert.equal(await page.locator(".milestone.reached").count(), 4);
          const layoutShift = await layoutShifts(page);
          assert.deepEqual(
            layoutShift.filter(({ value }) => value > 0.01),
            [],
          );
          assert.deepEqual(await axeViolations(page), []);
        } finally {
          bot.kill();
        }
        await page.getByText("Disconnected").waitFor({ timeout: HANG_MS });
        const response = await fetch(`${ladder.baseUrl}/api/bots/newcomer`);
        assert.equal(((await response.json()) as { owner: string }).owner, "Ada");
      });
    },
  );

  test("shows a bot's errors and requests another practice match", async () => {
    const phone = { colorScheme: "dark", viewport: { width: 390, height: 844 } } as const;
    const checkPage = async (page: Page) => {
      await register(page, "Faulty");
      const token = (await page.getByRole("region", { name: "the token" }).textContent()) ?? "";
      const practice = page.getByRole("region", { name: "Practice first" });
      await practice.getByText(/Its next match is practice/).waitFor();
      const bot = await BotClient.connect(ladder.baseUrl, token);
      bot.queue();
      await bot.waitFor("hello");
      await page.getByText("In a practice game").waitFor();
      const watch = practice.getByRole("link", { name: "Watch" });
      assert.match((await watch.getAttribute("href")) ?? "", /^\/match\/.+/);
      bot.autoplay(() => ({ move: "up" }));
      bot.send({ type: "ready" });
      await bot.waitFor("end");
      bot.socket.close();
      await practice.getByText(/Problems found/).waitFor({ timeout: HANG_MS });
      await practice.getByText(/is lost: too many failed ticks/).waitFor();
      const layoutShift = await layoutShifts(page);
      assert.deepEqual(
        layoutShift.filter(({ value }) => value > 0.01),
        [],
      );
      const guide = practice.getByRole("listitem").getByRole("link").first();
      assert.match((await guide.getAttribute("href")) ?? "", /^\/guide\/debugging#/);
      assert.deepEqual(await axeViolations(page), []);
      assert.ok((await horizontalOverflow(page)) <= 0);
      await practice.getByRole("button", { name: "Request another one" }).click();
      await practice.getByText(/Its next match is practice/).waitFor();
      assert.equal(await practice.getByRole("listitem").count(), 0);
    };
    await browser.visit("/create-bot", checkPage, phone);
  });

  test("without JavaScript, says what works and hides the form", async () => {
    const checkPage = async (page: Page) => {
      const noscriptText = page.locator("#register noscript p");
      assert.match(await noscriptText.innerText(), /Without it, use a terminal/);
      assert.equal(await noscriptText.locator("a").getAttribute("href"), "/guide/quick-start");
      assert.equal(await page.getByRole("button", { name: "Register" }).count(), 0);
      await page.getByText(`curl ${ladder.baseUrl}/api/bots`).waitFor();
    };
    await browser.visit("/create-bot", checkPage, { javaScriptEnabled: false });
  });

  test("rejects reserved words", async () => {
    await browser.visit("/create-bot", async (page) => {
      await register(page, "House");
      await page.getByText("The name House is reserved for this server").waitFor();
    });
  });

  test("shows an error at its field and accepts the corrected value", async () => {
    await browser.visit("/create-bot", async (page) => {
      await register(page, "x");
      const name = page.getByRole("textbox", { name: "Name", exact: true });
      await page.locator("#new-name-refusal", { hasText: "2-24" }).waitFor();
      assert.equal(await name.getAttribute("aria-invalid"), "true");
      await page.locator("#new-name:focus").waitFor();
      await register(page, "house-kiter");
      await page.locator("#new-name-refusal", { hasText: /./ }).waitFor();
      await register(page, "Fine", { Owner: "operator" });
      await page.locator("#new-owner-refusal", { hasText: /./ }).waitFor();
      assert.deepEqual(await axeViolations(page), []);
      await register(page, "Fine", { Owner: "" });
      await page.getByRole("heading", { name: "Fine is registered" }).waitFor();
    });
  });

  test("says that the server isn't responding", async () => {
    await browser.visit("/create-bot", async (page) => {
      await page.route("**/api/bots", (route) => route.abort());
      await register(page, "Lost");
      await page.getByRole("alert").filter({ hasText: "didn't respond" }).waitFor();
    });
  });

  test("without JavaScript, shows the registration command instead of a form", async () => {
    const checkPage = async (page: Page) => {
      await page.getByText(`curl ${ladder.baseUrl}/api/bots`).waitFor();
      assert.equal(await page.getByRole("textbox").count(), 0);
      await page.getByText("Python", { exact: true }).click();
      await page.getByText("starter.py --url").waitFor();
    };
    await browser.visit("/create-bot", checkPage, { javaScriptEnabled: false });
  });

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [320, 1440])
      test(`is accessible and fits, ${colorScheme} at ${width} px`, async () => {
        const checkPage = async (page: Page) => {
          await page.getByRole("button", { name: "Copy the command that" }).waitFor();
          assert.deepEqual(await axeViolations(page), []);
          assert.deepEqual(await layoutShifts(page), []);
          assert.ok((await horizontalOverflow(page)) <= 0);
        };
        await browser.visit("/create-bot", checkPage, {
          colorScheme,
          viewport: { width, height: 900 },
        });
      });
});

describe("creating a bot", { skip: process.platform !== "linux" }, () => {
  type Look = (page: Page, ladder: TestLadder) => Promise<void>;
  const on = async (flags: string[], checkPage: Look) => {
    const ladder = await startLadder(flags);
    const browser = await openPageBrowser(ladder.baseUrl);
    try {
      await browser.visit("/create-bot", (page) => checkPage(page, ladder));
    } finally {
      await browser.close();
      await ladder.close();
    }
  };

  test("asks for a registration key where one is required", async () => {
    await on(["--registration-key", KEY], async (page) => {
      await register(page, "Keyed");
      await page.locator("#new-key-refusal", { hasText: /./ }).waitFor();
      await page.getByLabel("Registration key").fill(KEY);
      await page.getByRole("button", { name: "Register", exact: true }).click();
      await page.getByRole("heading", { name: "Keyed is registered" }).waitFor();
    });
  });

  test("says that the command creates a bot without an owner", { timeout: HANG_MS }, async () => {
    await on(["--accounts", "embedded", "--anonymous"], async (page) => {
      await page.getByText("has no owner until you claim it").waitFor();
    });
  });

  test(
    "leads from sign-up to a playing bot if an account is required",
    { timeout: HANG_MS },
    async () => {
      const flags = ["--accounts", "embedded", "--match-interval", "0", "--house", "kiter,brawler"];
      await on(flags, async (page, ladder) => {
        await page.getByRole("link", { name: "Create an account" }).click();
        await page.getByLabel("Email").fill("ada@example.org");
        await page.getByLabel("Password").fill("correct horse battery");
        await page.getByRole("button", { name: "Create account" }).click();
        await page.getByText("outbox.jsonl").waitFor();
        const { code } = await waitForEmail(ladder.data, "ada@example.org");
        await page.getByLabel("6-digit code").fill(code ?? "");
        await page.getByRole("button", { name: "Save handle" }).click();
        await page.getByText("Signed in as ada").waitFor();
        await register(page, "Adas");
        await page.getByRole("heading", { name: "Adas is registered" }).waitFor();
        const token = (await page.getByRole("region", { name: "the token" }).textContent()) ?? "";
        const flags = ["--url", ladder.baseUrl, "--name", "Adas", "--temper", "rush"];
        const env = { ...process.env, BOUT_TOKEN: token };
        const bot = spawn(process.execPath, [STARTER, ...flags], { env, stdio: "ignore" });
        try {
          await page.locator(".milestone.reached", { hasText: "Queued with v1" }).waitFor();
          await page.locator(".milestone.reached", { hasText: "First rated game" }).waitFor();
          await page.goto(`${ladder.baseUrl}/account`);
          await page.getByText(/In queue with v1|Playing now with v1/).waitFor();
        } finally {
          bot.kill();
        }
      });
    },
  );
});

test("shows no form until the session is known if an account is required", async () => {
  const data = {
    ladder: null,
    registration: "account" as const,
    base_url: "https://bout.example",
    account_needed: true,
    provider: { root: "/auth/v1", publishable_key: "sb_test", embedded: null },
    registration_key_needed: true,
    name_length: [2, 24] as const,
    owner_length: 39,
    qualifying_games: 30,
    practice_per_hour: 20,
    tick_ms: 1000,
    contact: null,
  };
  const head = { title: "Create a bot", description: "" };
  const address = { path: "/create-bot", base: data.base_url, provider: data.provider };
  const html = await renderWholePage({ view: "create/page", head, data }, address);
  assert.match(html, /Checking your session/);
  assert.match(html, /<a class="own"[^>]* href="\/account"[^>]*>Account<\/a>/);
  assert.match(html, /Authorization: Bearer YOUR_AGENT_KEY[^]*X-Registration-Key/);
  assert.doesNotMatch(html, /<form/);
});
