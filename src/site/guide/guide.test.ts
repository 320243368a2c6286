import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import type { Browser, Page } from "playwright-core";

import { launchBrowser } from "#testing/fixtures/launch-browser.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

/** Generous timeout, because rendering is slow on busy machines. */
const PATIENCE_MS = 20_000;

const { app } = testApi();
const { docs } = (await app.inject("/docs")).json<{ docs: string[] }>();
const PAGES = ["/guide", "/changelog", "/guide/nothing", ...docs.map((name) => `/guide/${name}`)];

test("renders guides in the site layout with its CSP", async () => {
  for (const path of PAGES) {
    const { headers, body } = await app.inject(path);
    assert.match(body, /^<!doctype html><html lang="en">.*class="masthead".*<h1/s, path);
    assert.match(body, /<title>[^<]+ · Bout<\/title>/);
    assert.doesNotMatch(
      body,
      / style="| on\w+="|<script(?! (?:src="\/assets\/|type="(?:module|application\/json)"))/,
    );
    assert.match(String(headers["content-security-policy"]), /default-src 'self'/);
  }
});

test("returns the document list as a page to clients that accept HTML", async () => {
  const { body } = await app.inject({ url: "/docs", headers: { accept: "text/html" } });
  assert.match(body, /class="masthead".*<h1>Guides<\/h1>.*\/docs\/schema\/turn\.json/s);
});

const WIDE = 1440;
/**
 * Dark mode changes only colors, and width changes only positions, so these combinations cover
 * both.
 */
const USES_ALL = ["/guide", "/guide/rules", "/guide/api"];

// The npm package bundles a browser for Linux only.
describe("guides in a browser", { skip: process.platform !== "linux" }, () => {
  let browser: Browser;
  let base = "";
  let axe = "";

  before(async () => {
    base = await app.listen({ port: 0, host: "127.0.0.1" });
    browser = await launchBrowser();
    axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
  });
  after(async () => {
    await browser?.close();
    await app.close();
  });

  /**
   * Opens the pages one after another. Fails if a page logs an error or is wider than the screen.
   */
  async function visitPages(
    width: number,
    colorScheme: "light" | "dark",
    paths: readonly string[],
  ) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.setDefaultTimeout(PATIENCE_MS);
    const complaints: string[] = [];
    page.on("console", (message) => {
      const isMissing = message.text().startsWith("Failed to load resource");
      if (["error", "warning"].includes(message.type()) && !isMissing)
        complaints.push(message.text());
    });
    for (const path of paths) {
      await page.goto(base + path);
      await assertFits(page, path);
      if (width < WIDE || USES_ALL.includes(path)) await assertAccessible(page, path);
    }
    await page.close();
    assert.deepEqual(complaints, []);
  }

  async function assertFits(page: Page, path: string): Promise<void> {
    const [content, screen] = await page.evaluate(() => {
      const root = globalThis.document.documentElement;
      return [root.scrollWidth, root.clientWidth];
    });
    assert.ok(content <= screen, `${path}: ${content} px of content on ${screen} px`);
  }

  async function assertAccessible(page: Page, path: string): Promise<void> {
    await page.evaluate(axe);
    const violations = await page.evaluate("axe.run().then(({ violations }) => violations)");
    const axeFindings = (violations as { id: string; nodes: { html: string }[] }[]).map(
      ({ id, nodes }) => `${id}: ${nodes[0]!.html}`,
    );
    assert.deepEqual(axeFindings, [], path);
  }

  for (const width of [390, WIDE])
    for (const scheme of ["light", "dark"] as const)
      test(`are accessible and fit, ${scheme} at ${width} px`, async () => {
        await visitPages(width, scheme, scheme === "light" ? PAGES : USES_ALL);
      });

  test("show the navigation and contents at the sides of a wide screen, and in menus otherwise", async () => {
    for (const [width, isWide] of [
      [WIDE, true],
      [390, false],
    ] as const) {
      const page = await openGuide("/guide/protocol-send", { width, height: 900 });
      const navLink = page.getByRole("link", { name: "Bot protocol", exact: true }).first();
      const tocLink = page.getByRole("link", { name: "leave", exact: true }).first();
      assert.deepEqual([await navLink.isVisible(), await tocLink.isVisible()], [isWide, isWide]);
      if (!isWide) {
        await page.getByText("Guides menu").click();
        await page.getByText("On this page").click();
      }
      await tocLink.click();
      await page.locator('.guide-toc [aria-current]:text-is("leave")').waitFor();
      await navLink.click();
      await page.waitForURL("**/guide/protocol");
      await page.close();
    }
  });

  test("copy code", async () => {
    const page = await openGuide("/guide/quick-start", { width: WIDE, height: 900 });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const block = page.locator("figure.code").first();
    await block.getByRole("button", { name: "Copy code" }).click();
    await block.getByRole("status").filter({ hasText: "Copied" }).waitFor({ state: "attached" });
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, (await block.locator("code").innerText()).trimEnd());
    await page.close();
  });

  for (const path of ["/guide", "/guide/protocol-send"])
    for (const [width, colorScheme] of [
      [390, "dark"],
      [WIDE, "light"],
    ] as const)
      test(`search all guides from ${path} with the keyboard, ${width} px`, async () => {
        const page = await openGuide(path, { width, height: 900 }, colorScheme);
        const input = page.getByRole("searchbox", { name: "Search guides" });
        const status = page.locator(".guide-search").getByRole("status");
        const before = await loadedFiles(page);
        assert.ok(before.some((file) => file.includes("/enhance-")));
        assert.ok(!before.some((file) => /\/search-|sections\.json/.test(file)));
        await page.keyboard.press("/");
        await page.keyboard.type("settings_conflict");
        await status.filter({ hasText: /^\d+ results?$/ }).waitFor();
        assert.deepEqual(
          await page.locator(".guide-found mark").first().innerText(),
          "settings_conflict",
        );
        await assertAccessible(page, `${path} with results`);
        await assertFits(page, path);
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowUp");
        assert.ok(await input.evaluate((element) => element === document.activeElement));
        await page.keyboard.press("Escape");
        assert.equal(await status.count(), 0);
        await page.keyboard.type("qqqzzz");
        await status.filter({ hasText: "No results for “qqqzzz”" }).waitFor();
        await page.keyboard.press("Escape");
        await page.keyboard.type("settings_conflict");
        const href = await page.locator(".guide-found a").first().getAttribute("href");
        await page.keyboard.press("Enter");
        await page.waitForURL(base + href);
        await page.context().close();
      });

  async function openGuide(
    path: string,
    viewport: { width: number; height: number },
    colorScheme: "light" | "dark" = "light",
  ) {
    const page = await (await browser.newContext({ viewport, colorScheme })).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(base + path, { waitUntil: "networkidle" });
    return page;
  }

  for (const width of [390, 768, WIDE])
    test(`show code block labels at ${width} px`, async () => {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      page.setDefaultTimeout(PATIENCE_MS);
      for (const path of ["/guide/protocol-send", "/guide/quick-start-bots", "/guide/api-server"]) {
        await page.goto(base + path);
        const blocks = await page.locator("figure.code").evaluateAll(measureBlocks);
        assert.ok(
          blocks.some(({ label }) => label !== ""),
          `${path} has labels`,
        );
        assert.deepEqual(
          blocks.flatMap(({ faults: htmlIssues }) => htmlIssues),
          [],
          path,
        );
      }
      await page.close();
    });
});

const loadedFiles = (page: Page): Promise<string[]> =>
  page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));

/** Runs in the page. Returns layout errors in code blocks. */
function measureBlocks(figureElements: readonly Element[]) {
  return figureElements.map((figureElement) => {
    const caption = figureElement.querySelector("figcaption");
    const label = caption?.textContent ?? "";
    const code = figureElement.querySelector("pre")!.getBoundingClientRect();
    const figureBounds = figureElement.getBoundingClientRect();
    const htmlIssues: string[] = [];
    if (code.width < figureBounds.width - 1)
      htmlIssues.push(`${label}: code is ${code.width} px wide`);
    if (caption === null) return { label, faults: htmlIssues };
    const box = caption.getBoundingClientRect();
    const range = caption.ownerDocument.createRange();
    range.selectNodeContents(caption);
    const text = range.getBoundingClientRect();
    if (box.width < text.width)
      htmlIssues.push(`${label}: box ${box.width}, text ${text.width} px`);
    if (box.height < text.height || text.height > 40)
      htmlIssues.push(`${label}: ${text.height} px`);
    if (box.bottom > code.top + 1) htmlIssues.push(`${label}: beside or under its code`);
    return { label, faults: htmlIssues };
  });
}
