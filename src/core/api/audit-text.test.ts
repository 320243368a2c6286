import assert from "node:assert/strict";
import { it } from "node:test";

import { auditActorText, auditChangeText, auditPersonText } from "./audit-text.ts";

const ADA = { id: "a1", handle: "ada" };

it("names the account that owns an agent key, and the key's label", () => {
  const key = { kind: "agent_key", id: "k1", name: "ops", account: ADA } as const;
  assert.equal(auditActorText(key), "ada (agent key ops)");
  assert.equal(auditActorText({ ...key, account: null }), "(agent key ops)");
});

it("names accounts, bots and the system", () => {
  assert.equal(auditActorText({ kind: "account", id: "a1", name: "ada", account: ADA }), "ada");
  assert.equal(
    auditActorText({ kind: "owner_key", id: "7", name: null, account: null }),
    "owner key 7",
  );
  assert.equal(auditActorText({ kind: "bot", id: "b", name: "Rex", account: null }), "Rex");
  assert.equal(auditActorText({ kind: "system", id: null, name: null, account: null }), "system");
});

it("names a person by handle, or by id without a handle", () => {
  assert.equal(auditPersonText({ person: ADA }), "ada");
  assert.equal(auditPersonText({ person: { id: "a1", handle: null } }), "a1");
  assert.equal(auditPersonText({ person: null }), null);
});

for (const [detail, text] of [
  [null, null],
  [{ from: "player", to: "admin" }, "player → admin"],
  [{ ladder: "cup", from: null, to: "active" }, "none → active, ladder: cup"],
  [{ name: { from: "Old", to: "New" } }, "name: Old → New"],
  [{ account: "a1", achievement: "first-win" }, "achievement: first-win"],
  [
    {
      revision: 2,
      changes: [
        { field: "tick_s", ladder_id: null, from: 1, to: 2 },
        { field: "max_concurrent", ladder_id: "cup", from: null, to: 8 },
      ],
    },
    "revision: 2, tick_s: 1 → 2, max_concurrent of cup: none → 8",
  ],
] as const)
  it(`describes ${JSON.stringify(detail)}`, () => {
    assert.equal(auditChangeText({ detail }), text);
  });
