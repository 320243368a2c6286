import assert from "node:assert/strict";
import { it } from "node:test";

import { isVersionLabel } from "./version-label.ts";

const VALID_LABELS = [
  "v1",
  "1.0.0",
  "a b",
  "constructor",
  "...",
  "x".repeat(32),
  "🤖".repeat(32),
  "é",
  "日本",
  "❤️ v2",
  "Việt e\u0323\u0302",
];
const INVALID_LABELS = [
  "",
  "x".repeat(33),
  "🤖".repeat(33),
  ".",
  "..",
  "a/b",
  "a@b",
  "a#b",
  "a%2fb",
];
const INVISIBLE_CHARACTERS = [
  " a",
  "a ",
  "a\tb",
  "a\nb",
  "a\u0000b",
  "a\u200Bb",
  "a\u202Eb",
  "a\u00A0b",
  "\uD800",
  "v1\u034f",
  "\u3164",
  "\u115f\u1160",
  "\u2800",
  "\ufe0fAda",
  "a\u{e0100}",
  "\uffff",
  "\u{10fffe}",
  "\u0300\u0301",
  `a${"\u0300".repeat(4)}`,
];

it("T84 accepts labels that work in a URL and in name@version", () => {
  for (const label of VALID_LABELS) assert.ok(isVersionLabel(label), JSON.stringify(label));
  for (const label of [...INVALID_LABELS, ...INVISIBLE_CHARACTERS])
    assert.ok(!isVersionLabel(label), JSON.stringify(label));
});

it("T84 reads every valid label back from a URL", () => {
  for (const label of VALID_LABELS) {
    const { pathname } = new URL(`http://x/${encodeURIComponent(label)}/retire`);
    assert.equal(decodeURIComponent(pathname.split("/")[1]!), label);
  }
});
