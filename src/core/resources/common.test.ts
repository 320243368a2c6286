import assert from "node:assert/strict";
import { it } from "node:test";

import { Compile } from "typebox/compile";

import { AVATARS } from "#core/words/avatars.ts";

import { Avatar } from "./common.ts";

it("knows twenty avatars and the plain orb, and nothing else", () => {
  const avatar = Compile(Avatar);
  assert.equal(new Set(AVATARS).size, 20);
  for (const name of [...AVATARS, null]) assert.ok(avatar.Check(name), String(name));
  for (const name of ["", "orb", "Sage", "sage ", 7]) assert.ok(!avatar.Check(name), String(name));
});
