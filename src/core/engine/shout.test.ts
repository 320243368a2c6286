import assert from "node:assert/strict";
import { test } from "node:test";

import { cleanShout, truncateText, isValidShout } from "./shout.ts";

const CLEANING_CASES: [text: string, cleaned: string][] = [
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

for (const [text, cleaned] of CLEANING_CASES) {
  test(`cleans ${JSON.stringify(text)} to ${JSON.stringify(cleaned)}`, () => {
    assert.equal(cleanShout(text), cleaned);
    assert.equal(cleanShout(cleaned), cleaned);
  });
}

test("trims exactly the Unicode white space", () => {
  for (let code = 0; code < 0x11_0000; code += 1) {
    const character = String.fromCodePoint(code);
    const isRemoved = /[\p{Cc}\p{Cf}\p{Cs}\p{White_Space}]/u.test(character);
    assert.equal(
      cleanShout(`${character}x${character}`).length === 1,
      isRemoved,
      code.toString(16),
    );
  }
});

test("cleans a long shout of white space quickly", () => {
  assert.equal(cleanShout(`${" ".repeat(16_000)}x${" ".repeat(16_000)}`), "x");
});

test("truncates text by code points", () => {
  assert.equal(truncateText("abc", 2), "ab");
  assert.equal(truncateText("abc", 9), "abc");
  assert.equal(truncateText("👊👊👊", 2), "👊👊");
  assert.equal(truncateText("", 2), "");
});

test("accepts shouts of 1 to 40 code points", () => {
  const cleanedShout = ["", "x", "x".repeat(40), "👊".repeat(40), "x".repeat(41), "👊".repeat(41)];
  assert.deepEqual(cleanedShout.map(isValidShout), [false, true, true, true, false, false]);
});
