import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { temporaryTestFolder } from "#testing/harness/bout-process.ts";

import { findOutboxCode } from "./outbox.ts";

const line = (to: string, type: string, code: string | null) => JSON.stringify({ to, type, code });

test("returns the code from the latest confirmation email to the address", async () => {
  const path = join(temporaryTestFolder(), "outbox.jsonl");
  assert.equal(await findOutboxCode(path, "ada@example.org"), null);
  const lines = [
    line("ada@example.org", "signup", "111111"),
    line("Ada@Example.org", "signup", "222222"),
    line("ada@example.org", "recovery", "333333"),
    line("eve@example.org", "signup", "444444"),
    line("ada@example.org", "signup", null),
    '{"to":"ada@example.org","type":"signup","code":"555',
  ];
  writeFileSync(path, lines.join("\n"));
  assert.equal(await findOutboxCode(path, "ADA@example.org"), "222222");
  assert.equal(await findOutboxCode(path, "bob@example.org"), null);
});
