import assert from "node:assert/strict";
import { it } from "node:test";

import { bytesOf } from "./size.ts";

it("the size of a value is estimated on the high side", () => {
  assert.ok(bytesOf(Buffer.alloc(5000)) >= 5000);
  assert.ok(bytesOf("x".repeat(1000)) >= 1000);
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, name: "a name", notes: null }));
  const bytes = bytesOf({ rows, byId: new Map(rows.map((row) => [row.id, row])) });
  assert.ok(bytes >= 2 * JSON.stringify(rows).length && bytes < 100_000, `${bytes}`);
});
