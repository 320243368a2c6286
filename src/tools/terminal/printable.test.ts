import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { oneLine, printable } from "./printable.ts";

describe("a text for the terminal (T95)", () => {
  const written: [what: string, text: string, shown: string][] = [
    ["a plain text", "Ünïcode 🤖 – ok", "Ünïcode 🤖 – ok"],
    ["an escape sequence", "\u001b]0;OWNED\u0007", "\\u001b]0;OWNED\\u0007"],
    ["the one character that begins a sequence in C1", "\u009b2J", "\\u009b2J"],
    ["a line that is forged", "lost\r\nok", "lost\\u000d\\u000aok"],
    ["a text that reads backwards", "a\u202etxt.exe\u2069", "a\\u202etxt.exe\\u2069"],
  ];
  for (const [what, text, shown] of written)
    it(`shows ${what}`, () => assert.equal(printable(text), shown));

  it("keeps to its line where it is to be one", () =>
    assert.equal(oneLine("lost \r\n ok\u2028\u001b"), "lost ok \\u001b"));

  it("has no control character left, whichever there were", () => {
    const isControl = (code: number) => code < 0x20 || (code >= 0x7f && code <= 0x9f);
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const left = all.filter((text) => printable(text) === text);
    assert.deepEqual(
      left.filter((text) => isControl(text.charCodeAt(0))),
      [],
    );
    assert.ok(left.length > 0xff00);
  });

  it("leaves JSON the same document", () => {
    const value = { name: "\u001b[2J\u009b\u202e", by: 1 };
    const text = printable(JSON.stringify(value));
    assert.match(text, /^[ -~]*$/);
    assert.deepEqual(JSON.parse(text), value);
  });
});
