// The HTML of every page, as a validator and a search engine read it. Nothing runs in a browser.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { faultsOf } from "#testing/fixtures/html-faults.ts";
import { sampleLadder } from "#testing/fixtures/sample-ladder.ts";
import type { SampleLadder } from "#testing/fixtures/sample-ladder.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

/** What search engines show of a title. */
const MOST_TITLE = 70;
const CANONICAL = /<link rel="canonical" href="http:\/\/localhost:7777\/[^"]*"/;
const NOT_INDEXED = /<meta name="robots" content="noindex"/;

async function htmlAt({ app }: Pick<TestApi, "app">, url: string, status: number) {
  const answer = await app.inject({ url, headers: { accept: "text/html" } });
  assert.equal(answer.statusCode, status, url);
  return answer.body;
}

describe("the HTML of a page", () => {
  let ladder: SampleLadder;
  const empty = testApi();
  before(async () => {
    ladder = await sampleLadder();
  });
  after(async () => {
    await ladder.app.close();
    await empty.app.close();
  });

  it("is valid, whatever the page", async () => {
    const faults: Record<string, string[]> = {};
    for (const path of ladder.paths) {
      const found = await faultsOf(await htmlAt(ladder, path, 200));
      if (found.length > 0) faults[path] = found;
    }
    assert.deepEqual(faults, {});
  });

  it("is valid if nobody plays", async () => {
    for (const path of ladder.lists)
      assert.deepEqual(await faultsOf(await htmlAt(empty, path, 200)), [], path);
  });

  it("is valid where there is nothing", async () => {
    for (const path of ladder.missing)
      assert.deepEqual(await faultsOf(await htmlAt(ladder, path, 404)), [], path);
  });

  it("has what search engines and screen readers want", async () => {
    for (const path of ladder.paths) {
      const html = await htmlAt(ladder, path, 200);
      const [, title = ""] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
      assert.ok(title.length > 0 && title.length <= MOST_TITLE, `${path}: ${title}`);
      assert.match(html, /^<!doctype html><html lang="en">/, path);
      assert.match(html, /<meta name="description" content="[^"]{20,}"/, path);
      const isForFrames = path.startsWith("/view/");
      assert.match(html, isForFrames ? NOT_INDEXED : CANONICAL, path);
      assert.equal(html.match(/<h1[\s>]/g)?.length, 1, `${path}: one h1`);
    }
  });

  it("has a picture for where people share it", async () => {
    const html = await htmlAt(ladder, "/", 200);
    const [, url = ""] = /<meta property="og:image" content="([^"]+)"/.exec(html) ?? [];
    const { pathname } = new URL(url);
    const { statusCode, headers } = await ladder.app.inject(pathname);
    assert.deepEqual([statusCode, headers["content-type"]], [200, "image/png"]);
  });

  it("has neither script nor style in itself", async () => {
    for (const path of ladder.paths) {
      const html = await htmlAt(ladder, path, 200);
      const scripts = [...html.matchAll(/<script(?![^>]* src=)([^>]*)>/g)].map(([, rest]) => rest);
      assert.ok(
        scripts.every((rest) => rest!.includes('type="application/json"')),
        path,
      );
      assert.doesNotMatch(html, /<style[\s>]|<[^>]+\s(?:style|on[a-z]+)=/, path);
    }
  });

  it("has a head alone for who asks for no more", async () => {
    for (const url of ladder.paths) {
      const [whole, head] = await Promise.all(
        (["GET", "HEAD"] as const).map((method) => ladder.app.inject({ url, method })),
      );
      assert.deepEqual([head!.statusCode, head!.body], [200, ""], url);
      assert.equal(head!.headers["content-type"], whole!.headers["content-type"], url);
    }
  });
});
