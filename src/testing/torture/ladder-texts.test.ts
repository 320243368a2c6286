// T86: what operators write about ladders and events is text on every page that shows it.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { NewEvent } from "#core/resources/event.ts";
import { openAccountPages } from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import { SPRING } from "#testing/fixtures/event-api.ts";
import { bearer } from "#testing/fixtures/test-api.ts";

const IMAGE = `<img src=x onerror=alert(1)>`;
const SCRIPT = `</script><script>alert(2)</script>`;
const REST = `${IMAGE}${SCRIPT}<!--"'&amp;<svg/onload=alert(3)>`;

const texts = {
  kind: "community" as const,
  purpose: REST,
  audience: REST,
  format: REST,
  preparation: REST,
};

const EVENT: NewEvent = {
  ...SPRING,
  id: "finals",
  ladder_id: "cup",
  name: `E ${SCRIPT}`,
  description: REST,
  opens_at: "2020-01-01T00:00:00Z",
  closes_at: "2998-01-01T00:00:00Z",
  metadata: texts,
  submission_url: "https://example.org/%3Cscript%3E?a=%22%3E",
  submission_instructions: REST,
  conditions: SPRING.conditions.map((one) => ({ ...one, name: `A ${IMAGE}`, description: REST })),
};

const LADDER = {
  id: "cup",
  name: `L ${SCRIPT}`,
  description: REST,
  opens_at: "2019-01-01T00:00:00Z",
  closes_at: "2999-01-01T00:00:00Z",
};

/** Where such texts are, and one that must be seen there. */
const PAGES: [path: string, text: string][] = [
  ["/", LADDER.name],
  ["/ladders", LADDER.name],
  ["/ladder?ladder=cup", LADDER.name],
  ["/results?ladder=cup", LADDER.name],
  ["/bot/Rex?ladder=cup", "Rex"],
  ["/user/ada?ladder=cup", LADDER.name],
  ["/achievements", EVENT.name],
  ["/achievements?event=finals", EVENT.name],
];

describe("T86 texts of ladders and events", { skip: process.platform !== "linux" }, () => {
  let pages: AccountPages;
  before(async () => {
    pages = await openAccountPages();
    const operator = await pages.member("operator");
    const { api } = pages.site;
    const send = async (method: "POST" | "PUT", path: string, payload: object) => {
      const url = `/api/admin/${path}`;
      const answer = await api.app.inject({ method, url, headers: bearer(operator), payload });
      assert.ok(answer.statusCode < 300, answer.body);
    };
    await send("POST", "ladders", LADDER);
    await send("POST", "events", EVENT);
    const image = { hash: "ab".repeat(32), alt: REST, width: 320, height: 200 };
    const [note] = await api.store.audit.list({ kind: "event.created", limit: 1 });
    const shown = { image, enabled: true };
    const changed = await api.store.events.change("finals", shown, { ...note!, id: "other" });
    api.events.put(changed!);
    await pages.botOf(await pages.member("ada"), "Rex");
  });
  after(() => pages?.close());

  for (const [path, text] of PAGES)
    it(`are text on ${path}`, () =>
      pages.visit(path, async (page) => {
        page.on("dialog", () => assert.fail("a text was run"));
        await page.getByText(text).first().waitFor({ state: "attached" });
        assert.equal(
          await page.locator("#app img:not(.event-picture), #app svg[onload]").count(),
          0,
        );
        const alts = await page.locator(".event-picture").all();
        for (const picture of alts) assert.equal(await picture.getAttribute("alt"), REST);
      }));
});
