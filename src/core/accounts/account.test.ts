import assert from "node:assert/strict";
import { it } from "node:test";

import {
  handleKey,
  handleSuggestions,
  isAdmin,
  isConfiguredAdmin,
  isAllowedHandle,
  isHandle,
  isAfterSignOut,
} from "./account.ts";

it("accepts handles of 2 to 39 characters that begin with a letter or digit", () => {
  const validHandles = ["ab", "4x", "Ada.L", "a-_.", "x".repeat(39)];
  const invalidHandles = [
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
  for (const handle of validHandles) assert.ok(isAllowedHandle(handle), handle);
  for (const handle of invalidHandles) assert.ok(!isHandle(handle), JSON.stringify(handle));
});

it("rejects reserved words and ids as handles, case-insensitively", () => {
  const id = "019b8e2a-7d00-7000-8000-00000000000a";
  for (const handle of ["admin", "House", "house-kiter", "Deleted", "ME", "null", id]) {
    assert.ok(isHandle(handle), "it can still be looked up");
    assert.ok(!isAllowedHandle(handle), handle);
  }
  assert.equal(handleKey("Ada.L"), handleKey("aDA.l"));
});

const suggestHandles = (email: string | null, userName: string | null = null) =>
  handleSuggestions({ email, userName });

it("suggests the local part of an email address, or a name, shortened to a valid handle", () => {
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
    assert.equal(suggestHandles(email, userName)[0], first, `${email} ${userName}`);
});

it("suggests numbered handles after the first suggestion, all of them valid", () => {
  assert.deepEqual(suggestHandles("ada@x.org").slice(0, 3), ["ada", "ada-2", "ada-3"]);
  const long = suggestHandles(`${"y".repeat(60)}@x.org`);
  assert.equal(long[1], `${"y".repeat(37)}-2`);
  assert.ok(long.length === 20 && long.every(isAllowedHandle));
});

it("grants admin permissions by role, or by a configured and confirmed address", () => {
  const emails = new Set(["ada@example.org"]);
  const ada = {
    role: "player",
    email: "Ada@example.org",
    emailConfirmedAt: "2026-01-05T12:00:00.000Z",
    signsInWithEmail: true,
  } as const;
  assert.ok(isAdmin(ada, emails) && isConfiguredAdmin(ada, emails));
  for (const change of [
    { email: "eve@example.org" },
    { email: null },
    { emailConfirmedAt: null },
    { signsInWithEmail: false },
  ])
    assert.ok(!isAdmin({ ...ada, ...change }, emails), JSON.stringify(change));
  const named = { ...ada, role: "admin" } as const;
  assert.ok(isAdmin(named, new Set()) && !isConfiguredAdmin(named, new Set()));
});

it("invalidates sign-ins from before a sign-out of all sessions, comparing whole seconds", () => {
  assert.ok(isAfterSignOut(100, null) && isAfterSignOut(100, 100) && isAfterSignOut(101, 100));
  assert.ok(!isAfterSignOut(99, 100));
});
