import assert from "node:assert/strict";
import { test } from "node:test";

import { cleanShout, cutText, isSpeakable } from "./shout.ts";

const CLEANED: [text: string, cleaned: string][] = [
  ["off the wall!", "off the wall!"],
  ["  two  words \t", "two  words"],
  ["a\u0000b\u001b[31m\u007f\u0085c", "ab[31mc"],
  ["zero\u200bwidth\u2060\ufeff", "zerowidth"],
  ["\u202eright to left\u202c", "right to left"],
  ["line\u2028break\u2029", "linebreak"],
  ["half \ud83d a pair \udc4a", "half  a pair"],
  ["👊 whole pair", "👊 whole pair"],
  ["\u3000\u00a0\u1680\u2000\u202f\u205fwide\u3000", "wide"],
  ["\u00a0\u200b\u00a0", ""],
  ["</script>", "</script>"],
];

for (const [text, cleaned] of CLEANED) {
  test(`${JSON.stringify(text)} is cleaned to ${JSON.stringify(cleaned)}`, () => {
    assert.equal(cleanShout(text), cleaned);
    assert.equal(cleanShout(cleaned), cleaned);
  });
}

test("every white space of Unicode is trimmed at the ends, and nothing else is", () => {
  for (let code = 0; code < 0x11_0000; code += 1) {
    const character = String.fromCodePoint(code);
    const isGone = /[\p{Cc}\p{Cf}\p{Cs}\p{White_Space}]/u.test(character);
    assert.equal(cleanShout(`${character}x${character}`).length === 1, isGone, code.toString(16));
  }
});

test("a long shout of white space is cleaned quickly", () => {
  assert.equal(cleanShout(`${" ".repeat(16_000)}x${" ".repeat(16_000)}`), "x");
});

test("text is cut by code points", () => {
  assert.equal(cutText("abc", 2), "ab");
  assert.equal(cutText("abc", 9), "abc");
  assert.equal(cutText("👊👊👊", 2), "👊👊");
  assert.equal(cutText("", 2), "");
});

test("a shout has 1 to 40 code points", () => {
  const spoken = ["", "x", "x".repeat(40), "👊".repeat(40), "x".repeat(41), "👊".repeat(41)];
  assert.deepEqual(spoken.map(isSpeakable), [false, true, true, true, false, false]);
});
