// Parts that do more once the page runs, in a browser.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { Browser, Page } from "playwright-core";

import { launchBrowser } from "#testing/fixtures/browser.ts";
import { browserScript, htmlOf, siteModule } from "#testing/fixtures/components.ts";

import type * as CopyFile from "./copy.tsx";
import type * as WhenFile from "./when.tsx";

const TOKEN = `bout_"<&>'\u202e`;
const NOON = "2026-11-21T12:09:30.250Z";
/** Browsers give a clipboard to the first of these alone. */
const [SECURE, INSECURE] = ["http://localhost:9/", "http://ladder.example/"];

const SCRIPT = `
import { h, hydrate } from "preact";
import { Copy } from "#site/look/copy.tsx";
import { When } from "#site/look/when.tsx";
import { localizeTimes } from "#site/look/when-words.ts";
hydrate(h(Copy, { text: ${JSON.stringify(TOKEN)}, label: "the token" }), document.querySelector("#copy"));
hydrate(h(When, { instant: "${NOON}" }), document.querySelector("#when"));
localizeTimes(document.querySelector("#static"));
`;

// The browser in the npm package is built for Linux.
describe("live parts", { skip: process.platform !== "linux" }, () => {
  let browser: Browser;
  let html = "";
  let script = "";
  before(async () => {
    const { Copy } = await siteModule<typeof CopyFile>("look/copy.tsx");
    const { When } = await siteModule<typeof WhenFile>("look/when.tsx");
    const when = htmlOf(When, { instant: NOON });
    html = `<p id="copy">${htmlOf(Copy, { text: TOKEN, label: "the token" })}</p>
      <p id="when">${when}</p><p id="static">${when}</p>`;
    script = await browserScript(SCRIPT);
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  async function visit(address: string, look: (page: Page) => Promise<void>): Promise<void> {
    const permissions = address === SECURE ? ["clipboard-read", "clipboard-write"] : [];
    const context = await browser.newContext({ timezoneId: "Pacific/Auckland", permissions });
    const page = await context.newPage();
    await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.goto(address);
    await look(page);
    await context.close();
  }

  const start = (page: Page) => page.addScriptTag({ content: script, type: "module" });

  it("a copy button waits for its script, copies, and says so", async () => {
    await visit(SECURE, async (page) => {
      assert.equal(await page.locator(".copy.waiting").count(), 1);
      await start(page);
      await page.locator(".copy.ready").waitFor();
      await page.getByRole("button", { name: "Copy the token" }).click();
      await page.getByRole("status").getByText("Copied").waitFor();
      assert.equal(await page.evaluate("navigator.clipboard.readText()"), TOKEN);
      await page.locator(".copy.ready").waitFor();
    });
  });

  it("a copy button without a clipboard says what to do instead", async () => {
    await visit(INSECURE, async (page) => {
      await start(page);
      await page.getByRole("button", { name: "Copy the token" }).click();
      await page.getByRole("status").getByText("Copy by hand").waitFor();
    });
  });

  it("times change to the reader's zone, on live pages and on others", async () => {
    await visit(SECURE, async (page) => {
      const times = page.locator("time");
      assert.deepEqual(await times.allTextContents(), Array(2).fill("21 Nov 2026, 12:09 UTC"));
      await start(page);
      await page.getByText("22 Nov 2026, 01:09").nth(1).waitFor();
      assert.deepEqual(await times.allTextContents(), Array(2).fill("22 Nov 2026, 01:09"));
      assert.equal(await times.first().getAttribute("title"), "21 Nov 2026, 12:09 UTC");
    });
  });
});
