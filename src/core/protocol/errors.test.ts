import assert from "node:assert/strict";
import { test } from "node:test";

import { ERRORS, refusalParts } from "./errors.ts";
import type { HttpRefusal } from "./errors.ts";

test("a code has its usual status, or another one of its row", () => {
  const rows: [refusal: HttpRefusal, code: string, status: number][] = [
    ["account_banned", "account_banned", 403],
    [["account_banned", 409], "account_banned", 409],
    ["no_such_bot", "no_such_bot", 404],
  ];
  for (const [refusal, code, status] of rows)
    assert.deepEqual(refusalParts(refusal), { code, status });
});

/** Whether the compiler lets a route refuse with this code. */
type CanSay<T> = T extends HttpRefusal ? true : false;

test("no other pair of code and status can be said", () => {
  const pairs: [code: keyof typeof ERRORS, status: number, canSay: boolean][] = [
    ["account_banned", 409, true satisfies CanSay<["account_banned", 409]>],
    ["account_banned", 404, false satisfies CanSay<["account_banned", 404]>],
    ["account_banned", 403, false satisfies CanSay<["account_banned", 403]>],
    ["no_such_bot", 409, false satisfies CanSay<["no_such_bot", 409]>],
    ["replaced", 409, false satisfies CanSay<["replaced", 409]>],
  ];
  for (const [code, status, canSay] of pairs) {
    const { otherStatuses = [] } = ERRORS[code] as { otherStatuses?: readonly number[] };
    assert.equal(otherStatuses.includes(status), canSay, `${code} ${status}`);
  }
});

test("other statuses of a row differ from each other and from the usual one", () => {
  for (const [code, entry] of Object.entries(ERRORS)) {
    if (!("otherStatuses" in entry)) continue;
    const all = [entry.status, ...entry.otherStatuses];
    assert.equal(new Set(all).size, all.length, code);
    assert.ok(all.length > 1, code);
  }
});

test("a bot that an operator stopped is told where the reason is, and not the reason", () => {
  for (const code of ["suspended", "banned"] as const)
    assert.match(ERRORS[code].text, /\/bot\/<name>.* \/account tells its owner/, code);
});
