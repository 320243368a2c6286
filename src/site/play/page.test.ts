import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Locator, Page } from "playwright-core";

import {
  axeViolations,
  horizontalOverflow,
  openPageBrowser,
} from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";
import { startLadder } from "#testing/harness/test-server.ts";
import type { TestLadder } from "#testing/harness/test-server.ts";

const HOUSE = ["--house", "kiter,brawler", "--drain-timeout", "0"];
const QUICK = { play_tick_ms: 120 };
/** Ticks this long don't end during the test. */
const SLOW = { play_tick_ms: 60_000 };

// The npm package bundles a browser for Linux only.
describe("page for human matches", { skip: process.platform !== "linux" }, () => {
  let quick: TestLadder;
  let slow: TestLadder;
  let off: TestLadder;
  let browser: PageBrowser;

  before(async () => {
    quick = await startLadder(HOUSE, QUICK);
    slow = await startLadder(HOUSE, SLOW);
    off = await startLadder([...HOUSE, "--play", "off"]);
    browser = await openPageBrowser(quick.baseUrl, { failsOnLoadErrors: true });
  });
  after(async () => {
    await browser?.close();
    for (const ladder of [quick, slow, off]) await ladder?.close();
  });

  const visitPage: PageBrowser["visit"] = (...visitArgs) => browser.visit(...visitArgs);

  const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

  /** Selects an opponent. Starting can fail on a busy machine, so this retries. */
  async function begin(page: Page, name: RegExp): Promise<void> {
    await button(page, name).click();
    for (;;) {
      await page.locator(".duel-tick", { hasText: /\d/ }).or(button(page, "Try again")).waitFor();
      if (!(await button(page, "Try again").isVisible())) return;
      await page.waitForTimeout(500);
      await button(page, "Try again").click();
    }
  }

  async function inspect(page: Page): Promise<void> {
    assert.ok((await horizontalOverflow(page)) <= 0);
    assert.deepEqual(await axeViolations(page), []);
  }

  test("plays a whole match by keyboard, then shows the result and the replay", async () => {
    await visitPage(`${quick.baseUrl}/play`, async (page) => {
      await begin(page, /^Play Brawler/);
      await page.getByText("Walk with W A S D").waitFor();
      const taught = page.getByText("Attack: 2 shoots");
      // Two of the four keys lead out of any corner.
      for (let key = 0; !(await taught.isVisible()); key += 1)
        await page.keyboard.press(["KeyW", "KeyA", "KeyS", "KeyD"][key % 4]!, { delay: 250 });
      for (let digit = 1; digit <= 6; digit += 1) await page.keyboard.press(`Digit${digit}`);
      const result = page.locator(".duel-result");
      await result.waitFor();
      assert.match(await result.getByRole("heading").innerText(), /^(You|Brawler) won$/);
      assert.match(
        await result.innerText(),
        /By knockout, after \d+ ticks\..*You dealt \d+ damage/s,
      );
      const [, ticks] = /after (\d+) ticks/.exec(await result.innerText()) ?? [];
      assert.equal(await page.locator(".duel-tick").innerText(), ticks);
      assert.equal(
        await result.getByRole("heading").evaluate((h) => h === document.activeElement),
        true,
      );
      await inspect(page);
      const href = await page.getByRole("link", { name: "Watch the replay" }).getAttribute("href");
      const stored = await fetch(`${quick.baseUrl}/api${href!.replace("match", "matches")}`);
      assert.equal(((await stored.json()) as { mode: string }).mode, "human");
      await begin(page, /^Play again/);
      await button(page, "Give up").click();
      await button(page, /^Play Kiter/).waitFor();
      await page.goto(`${quick.baseUrl}${href}`);
      await page.locator("canvas").waitFor();
      await page.getByText("doesn't verify").waitFor({ state: "detached" });
    });
  });

  test("moves focus to the arena, then back to the list of opponents", async () => {
    await visitPage(`${slow.baseUrl}/play`, async (page) => {
      await button(page, /^Play Kiter/).focus();
      await page.keyboard.press("Enter");
      await page.locator("canvas:focus").waitFor();
      assert.ok((await ringOutside(page.locator("canvas:focus-visible"))) <= 0);
      const label = await page.locator("canvas").getAttribute("aria-label");
      assert.match(label ?? "", /^Arena of your match against Kiter/);
      // The controls appear with the server's first message.
      await page.locator(".duel-key:enabled").first().waitFor();
      await page.keyboard.press("Tab");
      await page.locator(".duel-key:focus").waitFor();
      await button(page, "Give up").focus();
      await page.keyboard.press("Enter");
      await page.locator("h1:focus", { hasText: "Play a house bot" }).waitFor();
    });
  });

  test("explains the ground and hides keys on touch devices", async () => {
    const keys = (page: Page) => page.getByText("move the aim by a tile");
    const legend = (page: Page) => page.getByText("low wall: stops steps, not attacks");
    await visitPage("/play", async (page) => {
      assert.ok((await keys(page).isVisible()) && (await legend(page).isVisible()));
    });
    const phone = { isMobile: true, hasTouch: true, viewport: { width: 390, height: 844 } };
    const onPhone = async (page: Page) => {
      assert.ok(!(await keys(page).isVisible()) && (await legend(page).isVisible()));
      await begin(page, /^Play Kiter/);
      await page.getByText("Walk with the arrow buttons.").waitFor();
      assert.ok(!(await page.getByText("Walk with W A S D").isVisible()));
      await page.getByText("shaded: out of your sight").waitFor();
      await inspect(page);
    };
    await visitPage(`${slow.baseUrl}/play`, onPhone, phone);
  });

  test("shows the current choice as text and on buttons, and undoes it", async () => {
    await visitPage(`${slow.baseUrl}/play?opponent=kiter`, async (page) => {
      assert.equal(await page.locator(".play-card.asked h2").innerText(), "Kiter");
      await begin(page, /^Play Kiter/);
      const repulse = button(page, /repulse/);
      assert.match(await repulse.innerText(), /ready/);
      await page.keyboard.press("Digit4");
      assert.equal(await repulse.getAttribute("aria-pressed"), "true");
      await page.keyboard.press("Digit4");
      assert.equal(await repulse.getAttribute("aria-pressed"), "false");
      await page.keyboard.press("KeyL");
      await button(page, /aim at \d+,\d+/).waitFor();
      await page.keyboard.press("KeyH");
      await button(page, /aim at opponent/).waitFor();
      await button(page, "Skip the tips").click();
      await button(page, "Give up").click();
      await button(page, /Show the tips again/).click();
      await inspect(page);
    });
  });

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [320, 390, 1440])
      test(`fits and is accessible, ${colorScheme} at ${width} px, on touch devices`, async () => {
        const options = { colorScheme, viewport: { width, height: 844 }, hasTouch: width < 500 };
        const checkPage = async (page: Page) => {
          await inspect(page);
          await begin(page, /^Play Kiter/);
          const open = page.locator(".duel-key.is-open").first();
          if (width < 500) await open.tap();
          else await open.click();
          assert.equal(await open.getAttribute("aria-pressed"), "true");
          // No fighter starts in the center, so clicking there never aims at the player's own tile.
          await page.locator(".duel-stage canvas").click();
          await button(page, /aim at \d+,\d+/).waitFor();
          await inspect(page);
          await button(page, "Give up").click();
        };
        await visitPage(`${slow.baseUrl}/play`, checkPage, options);
      });

  test("supports reduced motion and reports a lost connection", async () => {
    const checkPage = async (page: Page) => {
      await begin(page, /^Play Kiter/);
      await page.evaluate("globalThis.dispatchEvent(new Event('blur'))");
      for (const { id } of slow.arena.runningMatches()) assert.ok(id);
      await slow.close();
      await page.getByText("while it restarts").or(page.getByText(/broke/)).waitFor();
      await inspect(page);
    };
    // The server is down, so the page's later requests fail.
    await visitPage(`${slow.baseUrl}/play`, checkPage, {
      reducedMotion: "reduce",
      failsOnLoadErrors: false,
    });
    slow = await startLadder(HOUSE, SLOW);
  });

  test("is readable without JavaScript and when human matches are disabled", async () => {
    const html = await (await fetch(`${quick.baseUrl}/play`)).text();
    const [, plain = ""] = /<noscript>(.*?)<\/noscript>/s.exec(html) ?? [];
    assert.match(plain, /need JavaScript.*bout play.*href="\/guide"/s);
    for (const statusText of ["Brawler", "Medium", "arrows or number pad"])
      assert.ok(html.includes(statusText));
    await visitPage(`${off.baseUrl}/play`, async (page) => {
      await page.getByText("disabled human matches").waitFor();
      await inspect(page);
    });
  });
});

/** Returns how far a focus ring extends outside its element, in pixels. */
const ringOutside = (focused: Locator): Promise<number> =>
  focused.evaluate((element) => {
    const { outlineOffset, outlineWidth } = getComputedStyle(element);
    return Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
  });
