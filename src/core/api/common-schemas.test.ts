import assert from "node:assert/strict";
import { it } from "node:test";

import { Compile } from "typebox/compile";

import { AVATARS } from "#core/ids/avatars.ts";

import { AvatarSchema } from "./common-schemas.ts";

it("accepts only the twenty avatars and null", () => {
  const avatar = Compile(AvatarSchema);
  assert.equal(new Set(AVATARS).size, 20);
  for (const name of [...AVATARS, null]) assert.ok(avatar.Check(name), String(name));
  for (const name of ["", "orb", "Sage", "sage ", 7]) assert.ok(!avatar.Check(name), String(name));
});
