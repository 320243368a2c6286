import assert from "node:assert/strict";
import { it } from "node:test";

import { canonicalEmail } from "./canonical-email.ts";

const SPELLINGS = [
  ["U@Example.COM", "u@example.com"],
  ["u@ｅxample.com", "u@example.com"],
  ["u@example。com", "u@example.com"],
  ["u@examⓟle.com", "u@example.com"],
  ["ada@exämple.org", "ada@xn--exmple-cua.org"],
  ["ada@exa\u0308mple.org", "ada@xn--exmple-cua.org"],
  ["a\u0308ra@example.org", "ära@example.org"],
  ["ada.b+bots@example.org", "ada.b+bots@example.org"],
] as const;

for (const [text, email] of SPELLINGS)
  it(`canonicalizes ${text} to ${email}`, () => {
    assert.equal(canonicalEmail(text), email);
    assert.equal(canonicalEmail(email), email);
  });

const INVALID_ADDRESSES = [
  "",
  "ada",
  "@example.org",
  "ada@localhost",
  "u@example.com.",
  "u@example.com。",
  "x@a..b",
  "u@exa\nmple.com",
  "u@example.com/path",
  "u@%65xample.com",
  "u@example.com:80",
  "u@exa|mple.com",
];

for (const text of INVALID_ADDRESSES)
  it(`rejects ${JSON.stringify(text)}`, () => {
    assert.equal(canonicalEmail(text), null);
  });
