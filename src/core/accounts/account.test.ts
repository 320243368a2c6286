import assert from "node:assert/strict";
import { it } from "node:test";

import {
  handleKey,
  handleSuggestions,
  isAdmin,
  isConfiguredAdmin,
  isFreeHandle,
  isHandle,
  outlastsSignOut,
} from "./account.ts";

it("takes handles of 2 to 39 characters that begin with a letter or digit", () => {
  const good = ["ab", "4x", "Ada.L", "a-_.", "x".repeat(39)];
  const bad = [
    "",
    "a",
    "x".repeat(40),
    ".ab",
    "-ab",
    "_ab",
    "a b",
    "a@b",
    "аda",
    "ａda",
    "ab\n",
    "a/b",
  ];
  for (const handle of good) assert.ok(isFreeHandle(handle), handle);
  for (const handle of bad) assert.ok(!isHandle(handle), JSON.stringify(handle));
});

it("keeps reserved words and ids from being handles, in any letter case", () => {
  const id = "019b8e2a-7d00-7000-8000-00000000000a";
  for (const handle of ["admin", "House", "house-kiter", "Deleted", "ME", "null", id]) {
    assert.ok(isHandle(handle), "it is found all the same");
    assert.ok(!isFreeHandle(handle), handle);
  }
  assert.equal(handleKey("Ada.L"), handleKey("aDA.l"));
});

const suggested = (email: string | null, userName: string | null = null) =>
  handleSuggestions({ email, userName });

it("suggests the local part of an address, or a name, cut to what a handle may be", () => {
  const cases: [email: string | null, userName: string | null, first: string | undefined][] = [
    ["ada@example.org", "Countess", "ada"],
    ["ada.l+bots@example.org", null, "ada.lbots"],
    ["__x9@example.org", null, "x9"],
    [null, "Zoë K.", "ZoK."],
    [`${"y".repeat(60)}@example.org`, null, "y".repeat(39)],
    ["support@example.org", null, "support-2"],
    ["admin@example.org", null, undefined],
    ["é@example.org", null, undefined],
    ["a@example.org", null, "a-2"],
    [null, null, undefined],
  ];
  for (const [email, userName, first] of cases)
    assert.equal(suggested(email, userName)[0], first, `${email} ${userName}`);
});

it("suggests numbered ones after the first, all of which could be handles", () => {
  assert.deepEqual(suggested("ada@x.org").slice(0, 3), ["ada", "ada-2", "ada-3"]);
  const long = suggested(`${"y".repeat(60)}@x.org`);
  assert.equal(long[1], `${"y".repeat(37)}-2`);
  assert.ok(long.length === 20 && long.every(isFreeHandle));
});

it("makes an admin of the role, or of an address that is configured and proved", () => {
  const emails = new Set(["ada@example.org"]);
  const ada = {
    role: "player",
    email: "Ada@example.org",
    emailConfirmedAt: "2026-01-05T12:00:00.000Z",
    emailSignsIn: true,
  } as const;
  assert.ok(isAdmin(ada, emails) && isConfiguredAdmin(ada, emails));
  for (const change of [
    { email: "eve@example.org" },
    { email: null },
    { emailConfirmedAt: null },
    { emailSignsIn: false },
  ])
    assert.ok(!isAdmin({ ...ada, ...change }, emails), JSON.stringify(change));
  const named = { ...ada, role: "admin" } as const;
  assert.ok(isAdmin(named, new Set()) && !isConfiguredAdmin(named, new Set()));
});

it("ends what was signed in before a sign-out, in whole seconds", () => {
  assert.ok(outlastsSignOut(100, null) && outlastsSignOut(100, 100) && outlastsSignOut(101, 100));
  assert.ok(!outlastsSignOut(99, 100));
});
