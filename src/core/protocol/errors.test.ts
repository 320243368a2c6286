import assert from "node:assert/strict";
import { test } from "node:test";

import { ERROR_CATALOGUE, splitRefusal } from "./errors.ts";
import type { HttpRefusal } from "./errors.ts";

test("a refusal has the usual status of its code, or another status listed for it", () => {
  const rows: [refusal: HttpRefusal, code: string, status: number][] = [
    ["account_banned", "account_banned", 403],
    [["account_banned", 409], "account_banned", 409],
    ["no_such_bot", "no_such_bot", 404],
  ];
  for (const [refusal, code, status] of rows)
    assert.deepEqual(splitRefusal(refusal), { code, status });
});

type CanRefuseWith<T> = T extends HttpRefusal ? true : false;

test("rejects all other pairs of code and status", () => {
  const pairs: [code: keyof typeof ERROR_CATALOGUE, status: number, canSay: boolean][] = [
    ["account_banned", 409, true satisfies CanRefuseWith<["account_banned", 409]>],
    ["account_banned", 404, false satisfies CanRefuseWith<["account_banned", 404]>],
    ["account_banned", 403, false satisfies CanRefuseWith<["account_banned", 403]>],
    ["no_such_bot", 409, false satisfies CanRefuseWith<["no_such_bot", 409]>],
    ["replaced", 409, false satisfies CanRefuseWith<["replaced", 409]>],
  ];
  for (const [code, status, canRefuse] of pairs) {
    const { otherStatuses = [] } = ERROR_CATALOGUE[code] as { otherStatuses?: readonly number[] };
    assert.equal(otherStatuses.includes(status), canRefuse, `${code} ${status}`);
  }
});

test("other statuses of a code are unique and differ from the usual status", () => {
  for (const [code, entry] of Object.entries(ERROR_CATALOGUE)) {
    if (!("otherStatuses" in entry)) continue;
    const allCodes = [entry.status, ...entry.otherStatuses];
    assert.equal(new Set(allCodes).size, allCodes.length, code);
    assert.ok(allCodes.length > 1, code);
  }
});

test("tells a moderated bot where to find the reason without revealing it", () => {
  for (const code of ["suspended", "banned"] as const)
    assert.match(ERROR_CATALOGUE[code].text, /\/bot\/<name>.* \/account shows its owner/, code);
});
