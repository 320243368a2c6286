import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import type { Page } from "playwright-core";

import { PROJECT_ROOT } from "#server/composition/project-paths.ts";
import { openPageBrowser } from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

const PAPER = { light: "rgb(246, 243, 236)", dark: "rgb(16, 18, 24)" } as const;
const THEME_LIST = { name: "Theme" } as const;

it("has the same dark colors by system preference and by choice", () => {
  const tokens = readFileSync(join(PROJECT_ROOT, "src/site/ui/tokens.css"), "utf8");
  const valuesOf = (selector: string) => {
    const [, block = ""] = tokens.split(`${selector} {`);
    return block.slice(0, block.indexOf("}")).match(/--[\w-]+: [^;]+;/g);
  };
  const systemTheme = valuesOf(':root:not([data-theme="light"])');
  assert.ok(systemTheme !== null && systemTheme.length > 10);
  assert.deepEqual(valuesOf(':root[data-theme="dark"]'), systemTheme);
});

// The npm package bundles a browser for Linux only.
describe("page theme", { skip: process.platform !== "linux" }, () => {
  const { app } = testApi();
  let browser: PageBrowser;
  before(async () => {
    browser = await openPageBrowser(await app.listen({ port: 0, host: "127.0.0.1" }));
  });
  after(async () => {
    await browser?.close();
    await app.close();
  });

  for (const colorScheme of ["light", "dark"] as const)
    it(`follows the system by default: ${colorScheme}`, () =>
      browser.visit(
        "/guide",
        async (page) => {
          assert.equal(await themeList(page).inputValue(), "system");
          assert.deepEqual(await colorsOf(page), [PAPER[colorScheme], PAPER[colorScheme]]);
        },
        { colorScheme },
      ));

  for (const [system, chosenTheme] of [
    ["light", "dark"],
    ["dark", "light"],
  ] as const)
    it(`is ${chosenTheme} when chosen on a ${system} system, including on the next page`, () =>
      browser.visit(
        "/guide",
        async (page) => {
          await themeList(page).selectOption(chosenTheme);
          assert.deepEqual(await colorsOf(page), [PAPER[chosenTheme], PAPER[chosenTheme]]);
          await page.goto(new URL("/ladder", page.url()).href);
          assert.equal(await themeList(page).inputValue(), chosenTheme);
          assert.deepEqual(await colorsOf(page), [PAPER[chosenTheme], PAPER[chosenTheme]]);
          await themeList(page).selectOption("system");
          assert.deepEqual(await colorsOf(page), [PAPER[system], PAPER[system]]);
        },
        { colorScheme: system },
      ));

  it("is applied before the page's module has loaded", () =>
    browser.visit(
      "/guide",
      async (page) => {
        await themeList(page).selectOption("dark");
        await page.route(/\/assets\/client-/, (route) => route.abort());
        await page.reload();
        assert.deepEqual(await colorsOf(page), [PAPER.dark, PAPER.dark]);
      },
      { colorScheme: "light" },
    ));

  it("changes in all open tabs", () =>
    browser.visit("/guide", async (page) => {
      const popupPage = page.waitForEvent("popup");
      await page.evaluate(() => void open(location.href, "_blank", "noopener"));
      const otherPage = await popupPage;
      await themeList(otherPage).selectOption("dark");
      await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
      assert.equal(await themeList(page).inputValue(), "dark");
    }));

  it("isn't offered without JavaScript", () =>
    browser.visit(
      "/guide",
      async (page) => assert.equal(await themeList(page).isVisible(), false),
      { javaScriptEnabled: false },
    ));
});

const themeList = (page: Page) => page.getByRole("combobox", THEME_LIST);

const colorsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const meta = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
      ({ media }) => matchMedia(media).matches,
    );
    const sample = document.createElement("div");
    sample.style.color = meta?.content ?? "";
    return [getComputedStyle(document.body).backgroundColor, sample.style.color];
  });
