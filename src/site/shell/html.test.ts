import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { htmlErrors } from "#testing/fixtures/html-errors.ts";
import { sampleLadder } from "#testing/fixtures/sample-ladder.ts";
import type { SampleLadder } from "#testing/fixtures/sample-ladder.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

/** Search engines cut off longer titles. */
const MOST_TITLE = 70;
const CANONICAL = /<link rel="canonical" href="http:\/\/localhost:7777\/[^"]*"/;
const NOT_INDEXED = /<meta name="robots" content="noindex"/;

async function htmlAt({ app }: Pick<TestApi, "app">, url: string, status: number) {
  const response = await app.inject({ url, headers: { accept: "text/html" } });
  assert.equal(response.statusCode, status, url);
  return response.body;
}

describe("page HTML", () => {
  let ladder: SampleLadder;
  const empty = testApi();
  before(async () => {
    ladder = await sampleLadder();
  });
  after(async () => {
    await ladder.app.close();
    await empty.app.close();
  });

  it("is valid on every page", async () => {
    const issues: Record<string, string[]> = {};
    for (const path of ladder.paths) {
      const htmlIssues = await htmlErrors(await htmlAt(ladder, path, 200));
      if (htmlIssues.length > 0) issues[path] = htmlIssues;
    }
    assert.deepEqual(issues, {});
  });

  it("is valid without any games", async () => {
    for (const path of ladder.listPaths)
      assert.deepEqual(await htmlErrors(await htmlAt(empty, path, 200)), [], path);
  });

  it("is valid on empty pages", async () => {
    for (const path of ladder.missingPaths)
      assert.deepEqual(await htmlErrors(await htmlAt(ladder, path, 404)), [], path);
  });

  it("has metadata for search engines and screen readers", async () => {
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

  it("has a preview image for sharing", async () => {
    const html = await htmlAt(ladder, "/", 200);
    const [, url = ""] = /<meta property="og:image" content="([^"]+)"/.exec(html) ?? [];
    const { pathname } = new URL(url);
    const { statusCode, headers } = await ladder.app.inject(pathname);
    assert.deepEqual([statusCode, headers["content-type"]], [200, "image/png"]);
  });

  it("has no inline scripts or styles", async () => {
    for (const path of ladder.paths) {
      const html = await htmlAt(ladder, path, 200);
      const scripts = [...html.matchAll(/<script(?![^>]* src=)([^>]*)>/g)].map(
        ([, otherPaths]) => otherPaths,
      );
      assert.ok(
        scripts.every((otherPaths) => otherPaths!.includes('type="application/json"')),
        path,
      );
      assert.doesNotMatch(html, /<style[\s>]|<[^>]+\s(?:style|on[a-z]+)=/, path);
    }
  });

  it("responds to HEAD requests without a body", async () => {
    for (const url of ladder.paths) {
      const [getResponse, head] = await Promise.all(
        (["GET", "HEAD"] as const).map((method) => ladder.app.inject({ url, method })),
      );
      assert.deepEqual([head!.statusCode, head!.body], [200, ""], url);
      assert.equal(head!.headers["content-type"], getResponse!.headers["content-type"], url);
    }
  });
});
