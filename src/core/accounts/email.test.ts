import assert from "node:assert/strict";
import { it } from "node:test";

import { isEmail } from "./email.ts";

it("addresses are one mailbox each", () => {
  for (const one of ["a@b", "ada+bots@example.org", "ära@exämple.org", `${"a".repeat(64)}@b.org`])
    assert.ok(isEmail(one), one);
});

const NONE = [
  ["without a mailbox", "@example.org"],
  ["without a host", "ada@"],
  ["of two hosts", "a@b@c"],
  ["lists", "ada@example.org,eve@example.org"],
  ["groups", "all:ada@example.org;"],
  ["with a name", "Ada <ada@example.org>"],
  ["quoted", '"eve@evil.example x"@example.org'],
  ["with a line break", "ada@example.org\r\nBcc: eve@example.org"],
  ["with a control character", "ada\u0007@example.org"],
  ["with a direction of writing", "ada\u202e@example.org"],
  ["too long", `${"a".repeat(64)}@${"b".repeat(250)}`],
] as const;

for (const [what, text] of NONE)
  it(`addresses are nothing ${what}`, () => {
    assert.equal(isEmail(text), false);
  });
