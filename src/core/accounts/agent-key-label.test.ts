import assert from "node:assert/strict";
import { it } from "node:test";

import { isAgentKeyLabel } from "./agent-key-label.ts";

it("accepts labels of 1 to 60 visible code points", () => {
  const validLabels = ["a", "my agent", "ci @ work #3 / 50%", "..", "Zoë", "🤖".repeat(60)];
  const invalidLabels = [
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
  for (const label of validLabels) assert.ok(isAgentKeyLabel(label), label);
  for (const label of invalidLabels) assert.ok(!isAgentKeyLabel(label), JSON.stringify(label));
});
