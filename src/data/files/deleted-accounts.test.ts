import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

import { recordDeletedAccount } from "./deleted-accounts.ts";

it("lists one account per line, readable only by the owner", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bout-left-"));
  try {
    await recordDeletedAccount(folder, "a", "2026-01-05T12:00:00.000Z");
    await recordDeletedAccount(folder, "b", "2026-01-05T12:01:00.000Z");
    const path = join(folder, "left.jsonl");
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { account: string }).account),
      ["a", "b"],
    );
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
});
