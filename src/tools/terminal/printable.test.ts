import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { printableLine, escapeUnprintable } from "./printable.ts";

describe("untrusted text on the terminal (T95)", () => {
  const escapedText: [what: string, text: string, shown: string][] = [
    ["plain text", "Ünïcode 🤖 – ok", "Ünïcode 🤖 – ok"],
    ["an escape sequence", "\u001b]0;OWNED\u0007", "\\u001b]0;OWNED\\u0007"],
    ["the C1 character that starts a sequence", "\u009b2J", "\\u009b2J"],
    ["a forged line", "lost\r\nok", "lost\\u000d\\u000aok"],
    ["text with reversed direction", "a\u202etxt.exe\u2069", "a\\u202etxt.exe\\u2069"],
  ];
  for (const [label, text, shown] of escapedText)
    it(`escapes ${label}`, () => assert.equal(escapeUnprintable(text), shown));

  it("keeps text on one line if required", () =>
    assert.equal(printableLine("lost \r\n ok\u2028\u001b"), "lost ok \\u001b"));

  it("escapes every control character", () => {
    const isControl = (code: number) => code < 0x20 || (code >= 0x7f && code <= 0x9f);
    const allCharacters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const remaining = allCharacters.filter((text) => escapeUnprintable(text) === text);
    assert.deepEqual(
      remaining.filter((text) => isControl(text.charCodeAt(0))),
      [],
    );
    assert.ok(remaining.length > 0xff00);
  });

  it("leaves the content of JSON unchanged", () => {
    const value = { name: "\u001b[2J\u009b\u202e", by: 1 };
    const text = escapeUnprintable(JSON.stringify(value));
    assert.match(text, /^[ -~]*$/);
    assert.deepEqual(JSON.parse(text), value);
  });
});
