import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { PROJECT_ROOT } from "#server/composition/project-paths.ts";
import { readDocPages } from "#testing/fixtures/doc-page.ts";

import { highlight } from "./highlight.ts";

const read = (file: string) => readFileSync(join(PROJECT_ROOT, "src/site", file), "utf8");
const blocks = readDocPages().flatMap((page) => page.blocks);

/** Marks that have the colour of text, because marks inside them have colours. */
const UNSTYLED = ["hljs-function", "hljs-params", "hljs-subst"];
const MIN_CONTRAST = 4.5;

describe("syntax highlighting", () => {
  it("marks code and escapes it", () => {
    assert.equal(
      highlight('{ "a": "<b>" }', "json"),
      '{ <span class="hljs-attr">&quot;a&quot;</span>: <span class="hljs-string">&quot;&lt;b&gt;&quot;</span> }',
    );
  });

  it("leaves text and unknown languages alone", () => {
    for (const language of ["", "text", "__proto__", "klingon"])
      assert.equal(highlight("a < b", language), null);
  });

  it("knows every language in the guides, and leaves the text of the code unchanged", () => {
    for (const { language, text } of blocks) {
      if (language === "text" || language === "") continue;
      const html = highlight(text, language);
      assert.ok(html !== null, language);
      assert.equal(textOf(html), text);
    }
  });

  it("has a style for every mark", () => {
    const styles = read("guide/style-code.css");
    const html = blocks.map(({ language, text }) => highlight(text, language) ?? "").join("");
    const marks = new Set([...html.matchAll(/class="(hljs-\w+)/g)].map(([, mark]) => mark!));
    assert.ok(marks.size > 5);
    const unstyled = [...marks].filter((mark) => !styles.includes(`.${mark}`));
    assert.deepEqual(unstyled.toSorted(), UNSTYLED);
  });

  for (const [theme, selector] of [
    ["light", ":root {"],
    ["dark", ':root[data-theme="dark"] {'],
  ] as const)
    it(`has readable colours on the background of code, ${theme}`, () => {
      const [, block = ""] = read("ui/tokens.css").split(selector);
      const tokens = new Map(
        [...block.slice(0, block.indexOf("}")).matchAll(/--([\w-]+): (#\w{6});/g)].map(
          ([, name, colour]) => [name!, colour!],
        ),
      );
      const names = [...tokens.keys()].filter((name) => name.startsWith("code-"));
      assert.equal(names.length, 5);
      for (const name of [...names, "ink", "muted"]) {
        const ratio = contrast(tokens.get(name)!, tokens.get("sunk")!);
        assert.ok(ratio >= MIN_CONTRAST, `--${name}: ${ratio.toFixed(2)}`);
      }
    });
});

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");

/** As defined by WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = colour.match(/\w\w/g)!.map((digits) => {
    const value = Number.parseInt(digits, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
