import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { headingLocator, openAccountPages } from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import { sampleEntry } from "#testing/store-contract/store-account-cases.ts";

const EVIL = `<img src=x onerror=alert(1)>`;

describe("operator announcements", { skip: process.platform !== "linux" }, () => {
  let pages: AccountPages;
  before(async () => {
    pages = await openAccountPages();
  });
  after(() => pages.close());

  const publish = async (title: string, body: string, number: number) => {
    const { announcements } = pages.site.api.store;
    const id = `019b8e2a-7d00-7000-8000-00000000000${number}`;
    const created = `2026-01-05T12:0${number}:00.000Z`;
    const fate = { created, publishBy: "2026-01-05T13:30:00.000Z", inGame: true, email: null };
    await announcements.add({ id, title, body, ...fate }, sampleEntry());
    await announcements.publish(id, [], sampleEntry({ at: created }));
    return id;
  };

  for (const checkPage of [
    {},
    { viewport: { width: 390, height: 844 }, colorScheme: "dark" as const },
  ])
    test(`are escaped, don't shift the layout and stay closed: ${JSON.stringify(checkPage)}`, async () => {
      await publish("The ladder rests on Sunday", `From 06:00 UTC.\n${EVIL}`, 1);
      const isCardShown = async (page: Parameters<typeof headingLocator>[0]) => {
        await headingLocator(page, "The ladder rests on Sunday").waitFor();
        const card = page.locator(".announcement");
        assert.ok((await card.innerText()).includes(EVIL));
        assert.equal(await page.locator('[role="status"] .announcement').count(), 1);
        await card.getByRole("button", { name: "Close" }).click();
        await card.waitFor({ state: "detached" });
        const announcementsResponse = page.waitForResponse("**/api/announcements");
        await page.reload();
        await announcementsResponse;
        await headingLocator(page, "Guide").first().waitFor();
        assert.equal(await card.count(), 0, "a closed notice doesn't come back");
      };
      await pages.visit("/guide", isCardShown, checkPage);
    });

  test("appear one at a time on a narrow page", async () => {
    await publish("A new ladder", "It opens today.", 3);
    await publish("A longer one", "Much is told.\n".repeat(40), 4);
    const counted = async (page: Parameters<typeof headingLocator>[0], count: number) => {
      const card = page.locator(".announcement");
      await card.first().waitFor();
      assert.equal(await card.count(), count);
      return card.getByRole("button", { name: "Close" }).first();
    };
    const narrow = async (page: Parameters<typeof headingLocator>[0]) => {
      await (await counted(page, 1)).click();
      await counted(page, 1);
    };
    await pages.visit("/guide", narrow, { viewport: { width: 390, height: 844 } });
    await pages.visit("/guide", async (page) => void (await counted(page, 3)));
  });
});
