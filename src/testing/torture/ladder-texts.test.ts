// T86: every page shows the text that operators enter for ladders and events as plain text.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { NewEvent } from "#core/api/event.ts";
import { openAccountPages } from "#testing/fixtures/account-pages.ts";
import type { AccountPages } from "#testing/fixtures/account-pages.ts";
import { SPRING_EVENT } from "#testing/fixtures/event-api.ts";
import { bearerHeader } from "#testing/fixtures/test-api.ts";

const IMAGE = `<img src=x onerror=alert(1)>`;
const SCRIPT = `</script><script>alert(2)</script>`;
const HOSTILE_TEXT = `${IMAGE}${SCRIPT}<!--"'&amp;<svg/onload=alert(3)>`;

const texts = {
  kind: "community" as const,
  purpose: HOSTILE_TEXT,
  audience: HOSTILE_TEXT,
  format: HOSTILE_TEXT,
  preparation: HOSTILE_TEXT,
};

const EVENT: NewEvent = {
  ...SPRING_EVENT,
  id: "finals",
  ladder_id: "cup",
  name: `E ${SCRIPT}`,
  description: HOSTILE_TEXT,
  opens_at: "2020-01-01T00:00:00Z",
  closes_at: "2998-01-01T00:00:00Z",
  metadata: texts,
  submission_url: "https://example.org/%3Cscript%3E?a=%22%3E",
  submission_instructions: HOSTILE_TEXT,
  conditions: SPRING_EVENT.conditions.map((item) => ({
    ...item,
    name: `A ${IMAGE}`,
    description: HOSTILE_TEXT,
  })),
};

const LADDER = {
  id: "cup",
  name: `L ${SCRIPT}`,
  description: HOSTILE_TEXT,
  opens_at: "2019-01-01T00:00:00Z",
  closes_at: "2999-01-01T00:00:00Z",
};

const PAGE_TEXTS: [path: string, text: string][] = [
  ["/", LADDER.name],
  ["/ladders", LADDER.name],
  ["/ladder?ladder=cup", LADDER.name],
  ["/results?ladder=cup", LADDER.name],
  ["/bot/Rex?ladder=cup", "Rex"],
  ["/user/ada?ladder=cup", LADDER.name],
  ["/achievements", EVENT.name],
  ["/achievements?event=finals", EVENT.name],
];

describe("T86 ladder and event texts", { skip: process.platform !== "linux" }, () => {
  let pages: AccountPages;
  before(async () => {
    pages = await openAccountPages();
    const operator = await pages.addMember("operator");
    const { api } = pages.site;
    const send = async (method: "POST" | "PUT", path: string, payload: object) => {
      const url = `/api/admin/${path}`;
      const response = await api.app.inject({
        method,
        url,
        headers: bearerHeader(operator),
        payload,
      });
      assert.ok(response.statusCode < 300, response.body);
    };
    await send("POST", "ladders", LADDER);
    await send("POST", "events", EVENT);
    const image = { hash: "ab".repeat(32), alt: HOSTILE_TEXT, width: 320, height: 200 };
    const [auditEntry] = await api.store.audit.list({ kind: "event.created", limit: 1 });
    const eventChanges = { image, enabled: true };
    const updatedEvent = await api.store.events.change("finals", eventChanges, {
      ...auditEntry!,
      id: "other",
    });
    api.events.upsert(updatedEvent!);
    await pages.createBot(await pages.addMember("ada"), "Rex");
  });
  after(() => pages?.close());

  for (const [path, text] of PAGE_TEXTS)
    it(`are escaped on ${path}`, () =>
      pages.visit(path, async (page) => {
        page.on("dialog", () => assert.fail("a text was executed"));
        await page.getByText(text).first().waitFor({ state: "attached" });
        assert.equal(
          await page.locator("#app img:not(.event-picture), #app svg[onload]").count(),
          0,
        );
        const alts = await page.locator(".event-picture").all();
        for (const picture of alts) assert.equal(await picture.getAttribute("alt"), HOSTILE_TEXT);
      }));
});
