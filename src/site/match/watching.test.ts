import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { Page } from "playwright-core";

import type { MatchPageWorld } from "#testing/fixtures/match-page-world.ts";
import { matchPageWorld, FIRST_BOT, SECOND_BOT } from "#testing/fixtures/match-page-world.ts";
import { openPageBrowser, layoutShifts } from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";
import { refuseWatchers } from "#testing/fixtures/watch-route.ts";

/** Selectors of what a visitor sees without scrolling, from top to bottom. */
const ABOVE_THE_FOLD = [
  ".match-map",
  ".fight-corner.a .fight-name",
  ".fight-corner.b .fight-name",
  ".corner.a .hp",
  ".corner.b .hp",
  "canvas",
  ".scrub",
  "button[aria-label='Previous tick']",
  "button[aria-label='Next tick']",
  ".speed",
  "button[aria-label='Full screen']",
] as const;

// The npm package bundles a browser for Linux only.
describe("watching a match", { skip: process.platform !== "linux" }, () => {
  let world: MatchPageWorld;
  let base = "";
  let browser: PageBrowser;
  before(async () => {
    world = await matchPageWorld();
    base = await world.app.listen({ port: 0, host: "127.0.0.1" });
    browser = await openPageBrowser(base, { prepare: refuseWatchers });
  });
  after(async () => {
    await browser?.close();
    await world.app.close();
  });

  const pageOf = (kind: keyof MatchPageWorld["ids"]) => `/match/${world.ids[kind]}`;
  const waitForTick = (page: Page, tick: number) =>
    page.locator(".hud-tick", { hasText: new RegExp(`^${tick}$`) }).waitFor();
  const ending = (page: Page) => page.getByText("Bob won by knockout");
  const noSpoilers = async (page: Page) => {
    for (const spoiler of [
      ending(page),
      page.getByText("won", { exact: true }),
      page.locator(".result-rating").first(),
      page.locator("#why"),
    ])
      assert.equal(await spoiler.isVisible(), false);
  };

  it("hides the result on a direct visit until the replay has been watched", async () => {
    await browser.visit(pageOf("bout"), async (page) => {
      await page.locator("canvas").waitFor();
      await noSpoilers(page);
      assert.doesNotMatch(await page.title(), /won|beat|knockout/);
      await page.keyboard.press("Home");
      assert.equal(await page.locator(".log > li").count(), 0, "no events");
      assert.equal(await page.locator(".lane path:not([d=''])").count(), 0, "no marks");
      await page.keyboard.press("End");
      await ending(page).waitFor();
      await page.locator("#why").waitFor();
      await page.locator(".lane.b .mark-hit:not([d=''])").waitFor();
      assert.deepEqual(await layoutShifts(page), []);
      await page.reload();
      await page.locator("canvas").waitFor();
      assert.ok(await ending(page).isVisible(), "it was watched");
      await page.goto(base + pageOf("next"));
      await page.getByRole("button", { name: "Show result" }).click();
      assert.ok(await page.locator(".ending").isVisible());
      assert.equal(await page.getByRole("button", { name: "Show result" }).isVisible(), false);
    });
  });

  it("shows the result at once to a visitor from a list that shows it", async () => {
    const url = `/bot/${SECOND_BOT}`;
    await browser.visit(url, async (page) => {
      const link = page.locator(`a[href="${pageOf("bout")}#result"]`).first();
      await link.waitFor();
      await link.click();
      await page.locator("canvas").waitFor();
      assert.ok(await ending(page).isVisible());
      assert.equal(page.url(), base + pageOf("bout"), "a copied URL hides the result");
      const canonical = page.locator("link[rel=canonical]");
      assert.equal(await canonical.getAttribute("href"), `http://localhost:7777${pageOf("bout")}`);
      await page.reload();
      assert.ok(await ending(page).isVisible());
      await page.goto(base + pageOf("next"));
      assert.equal(await page.locator(".ending").isVisible(), false, "only this match");
    });
  });

  it("remembers the preference for showing results immediately", async () => {
    await browser.visit(pageOf("bout"), async (page) => {
      const choice = page.getByLabel("Show results immediately");
      await choice.check();
      assert.ok(await ending(page).isVisible());
      await page.goto(base + pageOf("older"));
      await page.locator("canvas").waitFor();
      assert.ok(await ending(page).isVisible());
      assert.ok(await choice.isChecked());
      await choice.uncheck();
      assert.ok(await ending(page).isVisible(), "it has been seen");
      await page.goto(base + pageOf("previous"));
      await page.locator("canvas").waitFor();
      await noSpoilers(page);
    });
  });

  it("shows the result without JavaScript, and if there is no replay to watch", async () => {
    const checkPage = async (page: Page) => {
      assert.ok(await ending(page).isVisible());
      await page.locator("#why").waitFor();
      assert.equal(await page.getByRole("button", { name: "Show result" }).isVisible(), false);
    };
    await browser.visit(pageOf("bout"), checkPage, { javaScriptEnabled: false });
    await browser.visit(pageOf("trimmed"), checkPage);
  });

  const NARROW = { width: 390, height: 844 };
  const WIDE = { width: 1440, height: 900 };
  for (const viewport of [WIDE, NARROW])
    for (const [kind, hash] of [
      ["bout", ""],
      ["next", "#result"],
      ["bout", "#live"],
    ] as const)
      it(`shows names, map, bars, board and controls of ${kind}${hash} in ${viewport.width} by ${viewport.height} pixels`, async () => {
        const checkPage = async (page: Page) => {
          await page.locator("canvas").waitFor();
          const boxes = await Promise.all(
            ABOVE_THE_FOLD.map(async (selector) => {
              const element = page.locator(selector);
              return { selector, box: (await element.boundingBox())! };
            }),
          );
          assert.equal(await page.evaluate("scrollY"), 0);
          for (const { selector, box } of boxes)
            assert.ok(
              box.y >= 0 && box.y + box.height <= viewport.height && box.height > 0,
              `${selector}: ${JSON.stringify(box)}`,
            );
          const tops = boxes.map(({ box }) => box.y);
          assert.ok(tops[2]! < tops[5]! && tops[5]! < tops[6]!, "names, board, controls");
          const board = boxes.find(({ selector }) => selector === "canvas")!.box;
          assert.ok(board.height > 0.38 * viewport.height, JSON.stringify(board));
        };
        await browser.visit(pageOf(kind) + hash, checkPage, { viewport });
      });

  it("has speeds from a quarter to 16 times, full screen, and keys beside its buttons", async () => {
    await browser.visit(`${pageOf("bout")}#tick-20`, async (page) => {
      await waitForTick(page, 20);
      const speed = page.getByRole("combobox", { name: "Speed" });
      assert.deepEqual(await speed.locator("option").allTextContents(), [
        "0.25×",
        "0.5×",
        "1×",
        "2×",
        "4×",
        "8×",
        "16×",
      ]);
      await page.getByRole("button", { name: "Previous tick" }).click();
      await waitForTick(page, 19);
      await page.keyboard.press("Shift+ArrowLeft");
      await waitForTick(page, 9);
      await page.keyboard.press("]");
      assert.equal(await speed.inputValue(), "2");
      await page.keyboard.press("f");
      await page.getByRole("button", { name: "Exit full screen" }).waitFor();
      await page.locator(".hud").getByText(FIRST_BOT).waitFor();
      const controls = (await page.locator(".controls").boundingBox())!;
      assert.ok(controls.y + controls.height <= WIDE.height);
      await page.getByRole("button", { name: "Exit full screen" }).click();
      await page.getByRole("button", { name: "Full screen", exact: true }).waitFor();
      await page.locator("summary", { hasText: "Keyboard shortcuts" }).click();
      await page.locator(".keys").getByText("full screen").waitFor();
    });
  });
});
