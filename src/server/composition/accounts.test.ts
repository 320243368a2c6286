import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

import { fakeIdentity } from "#testing/fixtures/fake-identity.ts";

import { accountSideOf } from "./accounts.ts";

const clock = { wall: () => new Date("2026-01-05T12:00:00.000Z") };

it("has no accounts without a provider", () => {
  assert.equal(accountSideOf(null, { data: ".", "admin-email": [] }, clock), null);
});

it("knows the configured admins, and notes who left in the data folder", async () => {
  const data = await mkdtemp(join(tmpdir(), "bout-accounts-"));
  try {
    const { provider } = fakeIdentity(() => 0);
    const side = accountSideOf(provider, { data, "admin-email": ["ada@x.org"] }, clock);
    assert.deepEqual([...(side?.adminEmails ?? [])], ["ada@x.org"]);
    await side?.noteLeft("account-1");
    const line = JSON.parse(await readFile(join(data, "left.jsonl"), "utf8")) as object;
    assert.deepEqual(line, { account: "account-1", at: "2026-01-05T12:00:00.000Z" });
  } finally {
    await rm(data, { recursive: true });
  }
});
