import assert from "node:assert/strict";
import { it } from "node:test";

import { isKeyLabel } from "./key.ts";

it("takes as a label any text of 1 to 60 code points that shows what it has", () => {
  const good = ["a", "my agent", "ci @ work #3 / 50%", "..", "Zoë", "🤖".repeat(60)];
  const bad = [
    "",
    " a",
    "a ",
    "a\nb",
    "a\u0000",
    "a\u202Eb",
    "\uD800",
    "x".repeat(61),
    "🤖".repeat(61),
  ];
  for (const label of good) assert.ok(isKeyLabel(label), label);
  for (const label of bad) assert.ok(!isKeyLabel(label), JSON.stringify(label));
});
