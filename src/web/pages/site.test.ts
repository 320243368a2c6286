import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";

import type { PageModel, PageAddress } from "#site/shell/data.ts";
import { TEST_BUILD, TEST_SITE } from "#testing/fixtures/project.ts";

import { missingPage } from "./page-table.ts";
import { openSiteOnThread } from "./site.ts";

const place: PageAddress = { path: null, base: "http://localhost:7777", provider: null };

describe("a site that renders on a worker thread", async () => {
  const site = await openSiteOnThread(TEST_BUILD);
  after(() => site.close());

  it("renders the same page as the main thread, compressed and with an ETag", async () => {
    const renderRequest = { page: missingPage("bot"), place };
    const [onThread, inProcess] = await Promise.all([
      site.render(renderRequest),
      TEST_SITE.render(renderRequest),
    ]);
    assert.deepEqual({ ...onThread, ms: 0 }, { ...inProcess, ms: 0 });
    assert.ok(Buffer.isBuffer(onThread.body) && Buffer.isBuffer(onThread.compressed));
    assert.deepEqual(gunzipSync(onThread.compressed), onThread.body);
    assert.match(onThread.body.toString(), /^<!doctype html>.*<\/html>$/s);
    assert.equal(site.favicon, TEST_SITE.favicon);
  });

  it("retains no more memory than the pages it serves take up", async () => {
    const { body, compressed } = await site.render({ page: missingPage("bot"), place });
    for (const bytes of [body, compressed]) assert.equal(bytes.buffer.byteLength, bytes.byteLength);
  });

  it("rejects only the page that can't be rendered", async () => {
    const broken = { view: "bot/page", head: { title: "", description: "" }, data: {} };
    const failedRender = site.render({ page: broken as unknown as PageModel<"bot/page">, place });
    const good = site.render({ page: missingPage("user"), place });
    await assert.rejects(failedRender, /TypeError/);
    assert.ok((await good).body.byteLength > 1000);
  });

  it("removes U+0000 from HTML", async () => {
    const page = { ...missingPage("bot"), head: { title: "a\0b", description: "" } };
    const { body } = await site.render({ page, place });
    assert.match(body.toString(), /a\uFFFDb/);
    assert.ok(!body.includes(0));
  });
});
