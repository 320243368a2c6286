import assert from "node:assert/strict";
import { it } from "node:test";

import { isEmail } from "./email-address.ts";

const VALID_EMAILS = [
  "a@b.c",
  "ada+bots@example.org",
  "ära@exämple.org",
  `${"a".repeat(64)}@b.org`,
  "o'hara=x!{1}@example.org",
  "ada@2.xn--p1ai",
  "ada@l·l.cat",
  "ada@3com.example",
  "ada@127.0.0.1.example",
];

for (const text of VALID_EMAILS)
  it(`accepts ${text.slice(0, 30)}`, () => {
    assert.ok(isEmail(text));
  });

const INVALID_EMAILS = [
  ["no mailbox", "@example.org"],
  ["no domain", "ada@"],
  ["two domains", "a@b.c@d.e"],
  ["a domain of one label", "ada@localhost"],
  ["an empty label", "ada@example..org"],
  ["an empty first label", "ada@.example.org"],
  ["a trailing dot", "ada@example.org."],
  ["a path", "ada@example.org/x"],
  ["percent encoding in the domain", "ada@%65xample.org"],
  ["a list", "ada@example.org,eve@example.org"],
  ["a group", "all:ada@example.org;"],
  ["a display name", "Ada <ada@example.org>"],
  ["a quoted string", '"eve@evil.example x"@example.org'],
  ["a line break", "ada@example.org\r\nBcc: eve@example.org"],
  ["a line break in the domain", "ada@exa\nmple.org"],
  ["a control character", "ada\u0007@example.org"],
  ["a bidirectional control", "ada\u202e@example.org"],
  ["an apostrophe in the domain", "ada@exa'mple.org"],
  ["an equals sign in the domain", "ada@exa=mple.org"],
  ["a brace in the domain", "ada@{example}.org"],
  ["an exclamation mark in the domain", "ada@evil!example.org"],
  ["a label that begins with a hyphen", "ada@-example.org"],
  ["a label that ends with a hyphen", "ada@example-.org"],
  ["a last label that ends with a hyphen", "ada@example.org-"],
  ["an underscore in the domain", "ada@exa_mple.org"],
  ["an IPv4 address", "ada@127.0.0.1"],
  ["a short IPv4 address", "ada@127.1"],
  ["a hexadecimal IPv4 address", "ada@0x7f.1"],
  ["an IPv4 address that ends in hexadecimal", "ada@127.0x1"],
  ["an IPv4 address in full-width digits", "ada@１２７.１"],
  ["an IPv6 address", "ada@[::1]"],
  ["a label of 64 characters", `ada@${"b".repeat(64)}.org`],
  ["too many characters", `${"a".repeat(64)}@${`${"b".repeat(60)}.`.repeat(4)}org`],
] as const;

for (const [description, text] of INVALID_EMAILS)
  it(`rejects ${description}`, () => {
    assert.equal(isEmail(text), false);
  });
