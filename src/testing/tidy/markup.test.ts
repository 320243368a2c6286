import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { readSources } from "./sources.ts";

function openingTags(text: string): string[] {
  return [...text.matchAll(/<[a-zA-Z][\w.]*\s/g)].map(({ index }) => {
    let [depth, attributes] = [0, ""];
    for (const character of text.slice(index)) {
      if (character === "{") depth += 1;
      if (character === "}") depth -= 1;
      if (character === ">" && depth === 0) break;
      if (depth === 0) attributes += character;
    }
    return attributes;
  });
}

const isDisabledTwice = (tag: string) => /\sdisabled\b/.test(tag) && /\saria-disabled\b/.test(tag);

suite("an element", () => {
  test("has `disabled` or `aria-disabled`, but never both", () => {
    const example = "<button disabled={a > b} onClick={() => {}} aria-disabled={c}>";
    assert.equal(openingTags(example).filter(isDisabledTwice).length, 1);
    const pages = readSources().filter(({ path }) => path.endsWith(".tsx"));
    assert.ok(pages.length > 50);
    for (const { path, text } of pages)
      assert.deepEqual(openingTags(text).filter(isDisabledTwice), [], path);
  });
});
