import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { MatchPageWorld } from "#testing/fixtures/match-page-world.ts";
import { FIRST_BOT, matchPageWorld } from "#testing/fixtures/match-page-world.ts";
import { axeViolations, layoutShifts, openPageBrowser } from "#testing/fixtures/page-browser.ts";
import type { PageBrowser } from "#testing/fixtures/page-browser.ts";
import { streamMatch } from "#testing/fixtures/watch-route.ts";
import type { WatchStream } from "#testing/fixtures/watch-route.ts";

const FRAME_COUNT = 15;
/** On phones the controls of the replay push the result card down. Google calls 0.1 good. */
const MAX_LAYOUT_SHIFT = 0.1;

describe("a running match's page", { skip: process.platform !== "linux" }, () => {
  let world: MatchPageWorld;
  let browser: PageBrowser;
  before(async () => {
    world = await matchPageWorld();
    browser = await openPageBrowser(await world.app.listen({ port: 0, host: "127.0.0.1" }));
  });
  after(async () => {
    await browser?.close();
    await world.app.close();
  });

  for (const [kind, width, height] of [
    ["live", 1440, 900],
    ["late", 390, 844],
  ] as const)
    it(`shows the match live, then its replay with the result, at ${width} px`, async () => {
      let stream: WatchStream | null = null;
      const prepare: NonNullable<Parameters<PageBrowser["visit"]>[2]>["prepare"] = async (page) => {
        stream = await streamMatch(page, FRAME_COUNT);
      };
      await browser.visit(
        `/match/${world.ids[kind]}`,
        async (page) => {
          const board = page.getByRole("img", { name: "Arena, live" });
          await board.waitFor();
          const box = (await board.boundingBox())!;
          assert.ok(box.y + box.height <= height, "the board is below the window");
          assert.deepEqual(await axeViolations(page), []);
          await page.locator(".hud-tick", { hasText: `${FRAME_COUNT - 1}` }).waitFor();
          await page.evaluate("globalThis.shifts.length = 0");
          stream!.send({ type: "over", match_id: "live" });
          await page.getByText("The match is over. Its result is being stored.").waitFor();
          await world.endMatch(kind);
          stream!.send({ type: "stored", match_id: "live" });
          await page.getByRole("button", { name: "Pause" }).waitFor();
          await page.getByText(`Why ${FIRST_BOT} lost`).waitFor();
          assert.equal(await page.getByRole("button", { name: "Show result" }).count(), 0);
          const shifts = await layoutShifts(page);
          const total = shifts.reduce((sum, { value }) => sum + value, 0);
          assert.ok(total < MAX_LAYOUT_SHIFT, JSON.stringify(shifts));
        },
        { viewport: { width, height }, prepare },
      );
    });
});
