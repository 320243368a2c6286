import assert from "node:assert/strict";
import { it } from "node:test";

import { SECRET_PREFIXES, secretKindOf } from "./secret-prefix.ts";

it("recognizes secrets by unique prefixes", () => {
  const prefixes = Object.entries(SECRET_PREFIXES);
  for (const [kind, prefix] of prefixes) {
    assert.equal(secretKindOf(`${prefix}3q2-7w`), kind);
    assert.ok(
      prefixes.every(
        ([, otherPrefix]) => otherPrefix === prefix || !otherPrefix.startsWith(prefix),
      ),
    );
  }
  for (const text of ["", "bout_", "eyJhbGciOiJFUzI1NiJ9.e30.AAAA", "BOUT_KEY_x", "xbout_key_"])
    assert.equal(secretKindOf(text), null, text);
});
