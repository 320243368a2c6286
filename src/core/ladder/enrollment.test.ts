import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { nextEnrollmentStep } from "./enrollment.ts";
import type { EnrollmentState, EnrollmentCredentials } from "./enrollment.ts";
import { LADDER_ACCESS_MODES, PUBLIC_LADDER } from "./ladder.ts";
import type { LadderDefinition } from "./ladder.ts";
import { ladderSettingsRefusal } from "./settings-change.ts";
import type { LadderSettingsChange } from "./settings-change.ts";

const NOON = "2026-01-05T12:00:00.000Z";
const LATER = "2026-01-06T12:00:00.000Z";
const CUP: LadderDefinition = { ...PUBLIC_LADDER, id: "cup" };

function stepText(
  changes: Partial<LadderDefinition>,
  memberStep: EnrollmentState | null,
  credentials: EnrollmentCredentials = {},
) {
  const step = nextEnrollmentStep({ ...CUP, ...changes }, NOON, memberStep, credentials);
  if (step.kind === "refused") return step.code;
  return step.kind === "enters" ? step.to : step.kind;
}

describe("enrollment", () => {
  it("depends on the access mode", () => {
    const code = { invitation: "code" };
    const passwordText = { password: "word" };
    const rows = LADDER_ACCESS_MODES.map((access) => [
      access,
      stepText({ access }, null),
      stepText({ access }, null, passwordText),
      stepText({ access }, null, code),
      stepText({ access }, "pending"),
    ]);
    assert.deepEqual(rows, [
      ["open", "active", "active", "invitation", "active"],
      ["approval", "pending", "pending", "invitation", "pending"],
      ["invite", "invalid_invitation", "invalid_invitation", "invitation", "invalid_invitation"],
      ["password", "wrong_password", "password", "invitation", "wrong_password"],
    ]);
  });

  it("is closed if the ladder has closed or is disabled", () => {
    for (const memberStep of [null, "pending", "active", "revoked"] as const)
      for (const credentials of [{}, { invitation: "code" }]) {
        assert.equal(stepText({ closesAt: NOON }, memberStep, credentials), "ladder_closed");
        assert.equal(stepText({ enabled: false }, memberStep, credentials), "ladder_closed");
      }
    assert.equal(
      stepText({ opensAt: LATER }, null),
      "active",
      "a ladder that opens later accepts members",
    );
  });

  it("is refused for revoked members and needs no credentials for active ones", () => {
    for (const access of LADDER_ACCESS_MODES) {
      assert.equal(stepText({ access }, "revoked", { invitation: "code" }), "enrollment_revoked");
      assert.equal(stepText({ access }, "active", { password: "word" }), "member");
    }
  });
});

describe("a settings change", () => {
  const rows: [
    from: Partial<LadderDefinition>,
    change: LadderSettingsChange,
    told: string | null,
  ][] = [
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
      assert.equal(ladderSettingsRefusal({ ...CUP, ...from }, change), told);
    });
});
