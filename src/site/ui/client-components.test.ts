import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { Browser, Page } from "playwright-core";

import { launchBrowser } from "#testing/fixtures/launch-browser.ts";
import { browserScript, renderHtml, importSiteModule } from "#testing/fixtures/site-components.ts";

import type * as CopyFile from "./copy-button.tsx";
import type * as WhenFile from "./time-label.tsx";

const TOKEN = `bout_"<&>'\u202e`;
const NOON = "2026-11-21T12:09:30.250Z";
/** Only localhost is a secure origin, so only that page has a clipboard. */
const [SECURE, INSECURE] = ["http://localhost:9/", "http://ladder.example/"];

const SCRIPT = `
import { h, hydrate } from "preact";
import { CopyButton } from "#site/ui/copy-button.tsx";
import { TimeLabel } from "#site/ui/time-label.tsx";
import { localizeTimes } from "#site/ui/time-format.ts";
hydrate(h(CopyButton, { text: ${JSON.stringify(TOKEN)}, label: "the token" }), document.querySelector("#copy"));
hydrate(h(TimeLabel, { instant: "${NOON}" }), document.querySelector("#when"));
localizeTimes(document.querySelector("#static"));
`;

// The npm package bundles a browser for Linux only.
describe("interactive components", { skip: process.platform !== "linux" }, () => {
  let browser: Browser;
  let html = "";
  let script = "";
  before(async () => {
    const { CopyButton } = await importSiteModule<typeof CopyFile>("ui/copy-button.tsx");
    const { TimeLabel } = await importSiteModule<typeof WhenFile>("ui/time-label.tsx");
    const when = renderHtml(TimeLabel, { instant: NOON });
    html = `<p id="copy">${renderHtml(CopyButton, { text: TOKEN, label: "the token" })}</p>
      <p id="when">${when}</p><p id="static">${when}</p>`;
    script = await browserScript(SCRIPT);
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  async function visitPage(
    address: string,
    checkPage: (page: Page) => Promise<void>,
  ): Promise<void> {
    const permissions = address === SECURE ? ["clipboard-read", "clipboard-write"] : [];
    const context = await browser.newContext({ timezoneId: "Pacific/Auckland", permissions });
    const page = await context.newPage();
    await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.goto(address);
    await checkPage(page);
    await context.close();
  }

  const serverTime = (page: Page) => page.addScriptTag({ content: script, type: "module" });

  it("enable the copy button once its script has loaded, and confirm the copy", async () => {
    await visitPage(SECURE, async (page) => {
      assert.equal(await page.locator(".copy.waiting").count(), 1);
      await serverTime(page);
      await page.locator(".copy.ready").waitFor();
      await page.getByRole("button", { name: "Copy the token" }).click();
      await page.getByRole("status").getByText("Copied").waitFor();
      assert.equal(await page.evaluate("navigator.clipboard.readText()"), TOKEN);
      await page.locator(".copy.ready").waitFor();
    });
  });

  it("say what to do instead of copying if there is no clipboard", async () => {
    await visitPage(INSECURE, async (page) => {
      await serverTime(page);
      await page.getByRole("button", { name: "Copy the token" }).click();
      await page.getByRole("status").getByText("Copy manually").waitFor();
    });
  });

  it("convert times to the viewer's time zone on live and static pages", async () => {
    await visitPage(SECURE, async (page) => {
      const times = page.locator("time");
      assert.deepEqual(await times.allTextContents(), Array(2).fill("21 Nov 2026, 12:09 UTC"));
      await serverTime(page);
      await page.getByText("22 Nov 2026, 01:09").nth(1).waitFor();
      assert.deepEqual(await times.allTextContents(), Array(2).fill("22 Nov 2026, 01:09"));
      assert.equal(await times.first().getAttribute("title"), "21 Nov 2026, 12:09 UTC");
    });
  });
});
