import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { entranceOf } from "./enrollment.ts";
import type { EnrollmentState, Shown } from "./enrollment.ts";
import { ACCESSES, PUBLIC } from "./ladder.ts";
import type { LadderDefinition } from "./ladder.ts";
import { settingsRefusal } from "./settings-change.ts";
import type { SettingsChange } from "./settings-change.ts";

const NOON = "2026-01-05T12:00:00.000Z";
const LATER = "2026-01-06T12:00:00.000Z";
const CUP: LadderDefinition = { ...PUBLIC, id: "cup" };

/** In a word or two. */
function told(
  changes: Partial<LadderDefinition>,
  member: EnrollmentState | null,
  shown: Shown = {},
) {
  const entrance = entranceOf({ ...CUP, ...changes }, NOON, member, shown);
  if (entrance.kind === "refused") return entrance.code;
  return entrance.kind === "enters" ? entrance.to : entrance.kind;
}

describe("the entrance to a ladder", () => {
  it("depends on how it takes people", () => {
    const code = { invitation: "code" };
    const word = { password: "word" };
    const rows = ACCESSES.map((access) => [
      access,
      told({ access }, null),
      told({ access }, null, word),
      told({ access }, null, code),
      told({ access }, "pending"),
    ]);
    assert.deepEqual(rows, [
      ["open", "active", "active", "invitation", "active"],
      ["approval", "pending", "pending", "invitation", "pending"],
      ["invite", "invalid_invitation", "invalid_invitation", "invitation", "invalid_invitation"],
      ["password", "wrong_password", "password", "invitation", "wrong_password"],
    ]);
  });

  it("is shut to everybody on a ladder that is over or disabled", () => {
    for (const member of [null, "pending", "active", "revoked"] as const)
      for (const shown of [{}, { invitation: "code" }]) {
        assert.equal(told({ closesAt: NOON }, member, shown), "ladder_closed");
        assert.equal(told({ enabled: false }, member, shown), "ladder_closed");
      }
    assert.equal(told({ opensAt: LATER }, null), "active", "one that is to open takes people");
  });

  it("is shut for who was shown out, and needs nothing of members", () => {
    for (const access of ACCESSES) {
      assert.equal(told({ access }, "revoked", { invitation: "code" }), "enrollment_revoked");
      assert.equal(told({ access }, "active", { password: "word" }), "member");
    }
  });
});

describe("a change of settings", () => {
  const rows: [from: Partial<LadderDefinition>, change: SettingsChange, told: string | null][] = [
    [{ id: "public" }, { name: "Main" }, null],
    [{ id: "public" }, { visible: true, enabled: true, access: "open" }, null],
    [{ id: "public" }, { visible: false }, "invalid_ladder"],
    [{ id: "public" }, { enabled: false }, "invalid_ladder"],
    [{ id: "public" }, { access: "invite" }, "invalid_ladder"],
    [{ id: "public" }, { access: "password", password: "word" }, "invalid_ladder"],
    [{ id: "public" }, { password: "word" }, "password_unasked"],
    [{}, { visible: false, enabled: false, access: "invite" }, null],
    [{}, { access: "password" }, "password_needed"],
    [{}, { access: "password", password: null }, "password_needed"],
    [{}, { access: "password", password: "word" }, null],
    [{}, { password: "word" }, "password_unasked"],
    [{}, { password: null }, null],
    [{ access: "password" }, { password: "other" }, null],
    [{ access: "password" }, { password: null }, "password_needed"],
    [{ access: "password" }, { access: "password", name: "Same" }, null],
    [{ access: "password" }, { access: "open" }, null],
    [{ access: "password" }, { access: "open", password: null }, null],
    [{ access: "password" }, { access: "open", password: "word" }, "password_unasked"],
  ];
  for (const [from, change, told] of rows)
    it(`${JSON.stringify(change)} of ${JSON.stringify(from)} is ${told ?? "taken"}`, () => {
      assert.equal(settingsRefusal({ ...CUP, ...from }, change), told);
    });
});
