import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";

import { PROJECT_ROOT } from "#server/composition/project-paths.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

const { app } = testApi();
after(() => app.close());

const pageAt = async (path: string): Promise<string> => (await app.inject(path)).body;
const currentOf = (html: string): string[] =>
  [...html.matchAll(/<a href="([^"]+)" aria-current="page"/g)].map(([, href]) => href!);

describe("page layout", () => {
  it("has one canonical URL for any requested URL", async () => {
    const html = await pageAt("/guide/rules?utm_source=x");
    const [, canonical] = /<link rel="canonical" href="([^"]+)"/.exec(html) ?? [];
    assert.match(canonical!, /^https?:\/\/[^/]+\/guide\/rules$/);
    assert.ok(html.includes(`<meta property="og:url" content="${canonical}"`));
    assert.match(html, /<meta property="og:title" content="Rules · Bout"/);
    assert.match(html, /<meta property="og:description" content="[^"]+"/);
  });

  it("omits the canonical URL for a page that doesn't exist", async () => {
    const html = await pageAt("/guide/nothing");
    assert.doesNotMatch(html, /canonical|og:/);
    assert.match(html, /<h1>Page not found<\/h1>.*href="\/".*href="\/guide"/s);
  });

  const current: [path: string, links: string[]][] = [
    ["/guide", ["/guide"]],
    ["/guide/rules", ["/guide", "/guide/rules"]],
    ["/changelog", []],
    ["/guide/nothing", []],
  ];
  for (const [path, links] of current)
    it(`marks the current page in the navigation for ${path}`, async () => {
      assert.deepEqual(currentOf(await pageAt(path)), links);
    });

  it("links to every sign-in page without JavaScript", async () => {
    const [, masthead = ""] =
      /<header class="masthead">(.*?)<\/header>/s.exec(await pageAt("/guide")) ?? [];
    const links = [...masthead.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
    assert.deepEqual(links, [
      "/",
      "/",
      "/ladder",
      "/play",
      "/results",
      "/ladders",
      "/guide",
      "/create-bot",
    ]);
    assert.doesNotMatch(masthead, /<(?:button|script)| hidden/);
  });

  it("sets theme-color for both themes to the token values", async () => {
    const html = await pageAt("/guide");
    const tokens = readFileSync(join(PROJECT_ROOT, "src/site/ui/tokens.css"), "utf8");
    const papers = [...tokens.matchAll(/--paper: (#\w+);/g)].map(([, color]) => color);
    const themeColors = [...html.matchAll(/name="theme-color" content="(#\w+)"/g)].map(
      ([, color]) => color,
    );
    assert.deepEqual(themeColors, papers.slice(0, 2));
  });
});
