import assert from "node:assert/strict";
import { it } from "node:test";

import { estimateBytes } from "./size-estimate.ts";

it("estimates the size of a value on the high side", () => {
  assert.ok(estimateBytes(Buffer.alloc(5000)) >= 5000);
  assert.ok(estimateBytes("x".repeat(1000)) >= 1000);
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, name: "a name", notes: null }));
  const bytes = estimateBytes({ rows, byId: new Map(rows.map((row) => [row.id, row])) });
  assert.ok(bytes >= 2 * JSON.stringify(rows).length && bytes < 100_000, `${bytes}`);
});
