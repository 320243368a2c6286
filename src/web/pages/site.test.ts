import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";

import type { Page, PageAddress } from "#site/public/data.ts";
import { BUILD, SITE } from "#testing/fixtures/project.ts";

import { openSiteApart } from "./site.ts";
import { missingPage } from "./table.ts";

const place: PageAddress = { path: null, base: "http://localhost:7777", provider: null };

describe("a site that renders on a thread of its own", async () => {
  const site = await openSiteApart(BUILD);
  after(() => site.close());

  it("makes of a page what the calling thread makes, compressed and tagged", async () => {
    const sheet = { page: missingPage("bot"), place };
    const [apart, here] = await Promise.all([site.render(sheet), SITE.render(sheet)]);
    assert.deepEqual({ ...apart, ms: 0 }, { ...here, ms: 0 });
    assert.ok(Buffer.isBuffer(apart.body) && Buffer.isBuffer(apart.packed));
    assert.deepEqual(gunzipSync(apart.packed), apart.body);
    assert.match(apart.body.toString(), /^<!doctype html>.*<\/html>$/s);
    assert.equal(site.favicon, SITE.favicon);
  });

  it("keeps no more memory than it shows", async () => {
    const { body, packed } = await site.render({ page: missingPage("bot"), place });
    for (const bytes of [body, packed]) assert.equal(bytes.buffer.byteLength, bytes.byteLength);
  });

  it("fails a page that cannot be rendered, and that one alone", async () => {
    const broken = { view: "bot/page", head: { title: "", description: "" }, data: {} };
    const bad = site.render({ page: broken as unknown as Page<"bot/page">, place });
    const good = site.render({ page: missingPage("user"), place });
    await assert.rejects(bad, /TypeError/);
    assert.ok((await good).body.byteLength > 1000);
  });

  it("has no U+0000 in the HTML, which has no place for it", async () => {
    const page = { ...missingPage("bot"), head: { title: "a\0b", description: "" } };
    const { body } = await site.render({ page, place });
    assert.match(body.toString(), /a\uFFFDb/);
    assert.ok(!body.includes(0));
  });
});
