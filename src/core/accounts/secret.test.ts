import assert from "node:assert/strict";
import { it } from "node:test";

import { SECRET_PREFIXES, secretKind } from "./secret.ts";

it("tells secrets apart by how they begin, and none begins like another", () => {
  const prefixes = Object.entries(SECRET_PREFIXES);
  for (const [kind, prefix] of prefixes) {
    assert.equal(secretKind(`${prefix}3q2-7w`), kind);
    assert.ok(prefixes.every(([, other]) => other === prefix || !other.startsWith(prefix)));
  }
  for (const text of ["", "bout_", "eyJhbGciOiJFUzI1NiJ9.e30.AAAA", "BOUT_KEY_x", "xbout_key_"])
    assert.equal(secretKind(text), null, text);
});
