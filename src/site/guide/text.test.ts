import assert from "node:assert/strict";
import { it } from "node:test";

import { renderHtml, importSiteModule } from "#testing/fixtures/site-components.ts";

import type { GuideTextData } from "./data.ts";
import type * as EnhanceFile from "./enhance.tsx";
import type * as TextFile from "./text.tsx";

const { GuidePage } = await importSiteModule<typeof TextFile>("guide/text.tsx");
const { withoutPrompts } = await importSiteModule<typeof EnhanceFile>("guide/enhance.tsx");

const guides = [
  { name: "a", group: "One", title: "First", summary: "" },
  { name: "b", group: "One", title: "Second", summary: "" },
  { name: "c", group: "Two", title: "Third", summary: "" },
];

function pageOf(current: string | null, markdown = "# Title\n\ntext\n"): string {
  const source = `/docs/${current}.md`;
  const data: GuideTextData = {
    title: "Title",
    summary: "",
    markdown,
    fragments: "text",
    source,
    guides,
    current,
  };
  return renderHtml(GuidePage, { data });
}

const linksIn = (html: string): string[] =>
  [...html.matchAll(/<a href="([^"]+)" rel="(\w+)"/g)].map(([, href, rel]) => `${rel} ${href}`);

for (const [current, links] of [
  ["a", ["next /guide/b"]],
  ["b", ["prev /guide/a", "next /guide/c"]],
  ["c", ["prev /guide/b"]],
  [null, []],
] as const)
  it(`links to the guides before and after ${current ?? "none, as on the changelog"}`, () => {
    assert.deepEqual(linksIn(pageOf(current)), links);
  });

it("opens the group of the current guide and marks its link", () => {
  const html = pageOf("b");
  const groups = [...html.matchAll(/<details( open)? class="guide-group"( open)?>/g)];
  assert.deepEqual(
    groups.map(([tag]) => tag.includes(" open")),
    [true, false],
  );
  assert.match(html, /<a href="\/guide\/b" aria-current="page">Second</);
  assert.equal(html.match(/aria-current/g)?.length, 1);
});

it("lists level-2 sections below the title if there are three or more", () => {
  const three = "# T\n\n## One\n\n### Part\n\n## Two\n\n## Three\n";
  assert.match(
    pageOf("a", three),
    /<\/h1>.*On this page.*href="#one">One<.*href="#two">Two<.*href="#three">Three<.*<h2/s,
  );
  assert.doesNotMatch(pageOf("a", "# T\n\n## One\n\n## Two\n"), /On this page/);
});

for (const [name, code, copied] of [
  ["commands as they are, without the last line break", "a\nb\n", "a\nb"],
  ["commands without prompts and output", "$ a \\\n  --b\noutput\n$ c\n", "a \\\n  --b\nc"],
] as const)
  it(`copies ${name}`, () => assert.equal(withoutPrompts(code), copied));
