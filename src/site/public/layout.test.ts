import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";

import { PROJECT } from "#server/composition/project.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

const { app } = testApi();
after(() => app.close());

const pageAt = async (path: string): Promise<string> => (await app.inject(path)).body;
const currentOf = (html: string): string[] =>
  [...html.matchAll(/<a href="([^"]+)" aria-current="page"/g)].map(([, href]) => href!);

describe("the frame of a page", () => {
  it("names the page's one address, whatever else was asked", async () => {
    const html = await pageAt("/guide/rules?utm_source=x");
    const [, canonical] = /<link rel="canonical" href="([^"]+)"/.exec(html) ?? [];
    assert.match(canonical!, /^https?:\/\/[^/]+\/guide\/rules$/);
    assert.ok(html.includes(`<meta property="og:url" content="${canonical}"`));
    assert.match(html, /<meta property="og:title" content="Rules · Bout"/);
    assert.match(html, /<meta property="og:description" content="[^"]+"/);
  });

  it("gives an address that does not exist neither", async () => {
    const html = await pageAt("/guide/nothing");
    assert.doesNotMatch(html, /canonical|og:/);
    assert.match(html, /<h1>Nothing here<\/h1>.*href="\/".*href="\/guide"/s);
  });

  const current: [path: string, links: string[]][] = [
    ["/guide", ["/guide"]],
    ["/guide/rules", ["/guide", "/guide/rules"]],
    ["/changelog", []],
    ["/guide/nothing", []],
  ];
  for (const [path, links] of current)
    it(`marks in its links where ${path} is`, async () => {
      assert.deepEqual(currentOf(await pageAt(path)), links);
    });

  it("has every way in as a link, which needs no script", async () => {
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

  it("tells the browser the paper of both schemes, as the tokens have it", async () => {
    const html = await pageAt("/guide");
    const tokens = readFileSync(join(PROJECT, "src/site/look/tokens.css"), "utf8");
    const papers = [...tokens.matchAll(/--paper: (#\w+);/g)].map(([, color]) => color);
    const told = [...html.matchAll(/name="theme-color" content="(#\w+)"/g)].map(
      ([, color]) => color,
    );
    assert.deepEqual(told, papers.slice(0, 2));
  });
});
