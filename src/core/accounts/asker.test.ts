import assert from "node:assert/strict";
import { it } from "node:test";

import { askerOf, readBearer } from "./asker.ts";

it("reads one token after Bearer, in any letter case", () => {
  const headers = ["Bearer abc", "bearer abc", "BEARER   abc", "Bearer abc  "];
  for (const header of headers)
    assert.deepEqual(readBearer(header), { kind: "token", token: "abc" }, header);
  for (const token of ["bout_bot_3q2-7w", "a.b.c", "a~b+c/d=="])
    assert.deepEqual(readBearer(`Bearer ${token}`), { kind: "token", token });
});

it("says what is wrong with a header without a token", () => {
  assert.deepEqual(readBearer(undefined), { kind: "refused", code: "missing_authorization" });
  for (const header of ["Bearer", "Bearer ", "Bearer a b", "Bearer a,b", "Bearer é", "Bearer =a"])
    assert.deepEqual(readBearer(header), { kind: "refused", code: "invalid_token" }, header);
  for (const header of [
    "",
    " ",
    "abc",
    "Basic YTpi",
    "Bearerabc",
    "Token Bearer abc",
    "Bearer:a",
  ]) {
    const read = readBearer(header);
    assert.ok(read.kind === "refused" && read.code === "invalid_token", header);
    assert.match(read.text ?? "", /lacks the word Bearer/, header);
  }
});

const STATUSES = ["active", "suspended", "banned", "retired"] as const;
type Status = (typeof STATUSES)[number];

const FRESH: Record<Status, string> = {
  active: "bot",
  suspended: "suspended",
  banned: "banned",
  retired: "retired",
};
const STALE: Record<Status, string> = {
  active: "invalid_token",
  suspended: "invalid_token",
  banned: "banned",
  retired: "invalid_token",
};

it("knows a bot by its token, a stale one only while the ban lasts", () => {
  for (const status of STATUSES)
    for (const stale of [false, true]) {
      const bot = { status, name: "Rex" };
      const asker = askerOf({ bot, stale });
      const told = asker.kind === "bot" ? asker.kind : asker.code;
      assert.equal(told, (stale ? STALE : FRESH)[status], `${status}, stale: ${stale}`);
      if (asker.kind === "bot") assert.equal(asker.bot, bot);
    }
  assert.deepEqual(askerOf(null), { kind: "refused", code: "invalid_token" });
});
