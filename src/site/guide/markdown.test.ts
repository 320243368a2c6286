import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { headingAnchors, readDocPages } from "#testing/fixtures/doc-page.ts";

import { renderMarkdown } from "./markdown.ts";
import { releaseFragments } from "./release-fragments.ts";

const ROWS: [name: string, markdown: string, html: RegExp][] = [
  ["raw HTML stays text", "<script>alert(1)</script>", /^<p>&lt;script&gt;/],
  ["inline raw HTML stays text", "a <b onclick=x>b</b>", /&lt;b onclick=x&gt;/],
  ["a javascript: link is removed", "[x](javascript:alert(1))", /^<p>\[x\]/],
  [
    "a heading has a link to itself",
    "## A `b` [c](x.md)",
    /<h2 id="a-b-c">A <code>b<\/code> <a href="\/guide\/x">c<\/a> <a class="anchor" href="#a-b-c" aria-label="Link to A b c">#<\/a><\/h2>/,
  ],
  ["a link to a guide leads to its page", "[x](rules.md#the-map)", /href="\/guide\/rules#the-map"/],
  ["other links don't change", "[x](https://a.example/b.md)", /href="https:\/\/a\.example\/b\.md"/],
  ["a table scrolls separately", "|a|\n|-|\n|b|", /^<div class="scroll"[^>]*tabindex="0"><table>/],
  [
    "a column without a header has none",
    "||a|\n|-|-|\n|b|c|",
    /<tr>\s*<td><\/td>\s*<th scope="col">a<\/th>/,
  ],
  [
    "a row that starts with a link to another page's heading has the heading's id",
    "|a|\n|-|\n|[x](y.md#z)|\n|[x](y.md#z)|\n|[x](y.md)|",
    /<tr>\s*<th[^]*<tr id="z">[^]*<tr>[^]*<tr>/,
  ],
  ["a row doesn't repeat a heading's id", "# Z\n\n|a|\n|-|\n|[x](y.md#z)|", /<tr>\s*<td><a /],
  ["code is escaped", "```js\na < b && c\n```", /class="language-js">a &lt; b &amp;&amp; c/],
  ["a file shows its name", "```js bot.mjs\n```", /<figcaption>bot\.mjs<\/figcaption>/],
  ["an example links its schema", "```json turn\n{}\n```", /href="\/docs\/schema\/turn\.json"/],
  ["a drawing has no caption", "```text sight keep 1,1\n#\n```", /<figure class="code"><pre/],
  ["markup in names is escaped", '```js "><x.mjs\n```', /<figcaption>&quot;&gt;&lt;x\.mjs</],
];

describe("markdown", () => {
  for (const [name, markdown, html] of ROWS)
    it(name, () => assert.match(renderMarkdown(markdown).html, html));

  it("lists headings in document order", () => {
    const { headings } = renderMarkdown("# A\n\n## B c\n\ntext\n\n### D");
    assert.deepEqual(headings, [
      { level: 1, id: "a", text: "A" },
      { level: 2, id: "b-c", text: "B c" },
      { level: 3, id: "d", text: "D" },
    ]);
  });

  it("gives every heading the fragment that links in the guides use", () => {
    for (const page of readDocPages()) {
      const ids = renderMarkdown(page.text).headings.map(({ id }) => id);
      assert.deepEqual(ids, headingAnchors(page), page.name);
      assert.equal(
        new Set(ids).size,
        ids.length,
        `${page.name} has two headings with the same fragment`,
      );
    }
  });

  it("separates the title, which has no link to itself", () => {
    const { title, html } = renderMarkdown("# A b\n\ntext\n");
    assert.equal(title, '<h1 id="a-b">A b</h1>\n');
    assert.equal(html, "<p>text</p>\n");
  });

  it("gives the sections of each release unique ids", () => {
    const changelog =
      "# C\n\n## Unreleased\n\n## 0.2.0, 2026-11-21\n\n### Added\n\n## 0.1.0\n\n### Added\n";
    const { headings } = renderMarkdown(changelog, releaseFragments());
    const ids = headings.map(({ id }) => id);
    assert.deepEqual(ids, ["c", "unreleased", "v0.2.0", "v0.2.0-added", "v0.1.0", "v0.1.0-added"]);
  });
});
