import assert from "node:assert/strict";
import { it } from "node:test";
import { deflateSync, inflateSync } from "node:zlib";

import { toStoreError, StoreError } from "./errors.ts";
import type { StoreErrorCode } from "./errors.ts";

type ErrorFields = { message?: string; code?: string; errcode?: number };

const SQLITE_ERROR_CODE = "ERR_SQLITE_ERROR";

const CASES: [expected: StoreErrorCode, error: ErrorFields][] = [
  ["unavailable", { code: SQLITE_ERROR_CODE, errcode: 5, message: "database is locked" }],
  [
    "unavailable",
    { code: SQLITE_ERROR_CODE, errcode: 14, message: "unable to open database file" },
  ],
  ["full", { code: SQLITE_ERROR_CODE, errcode: 13, message: "database or disk is full" }],
  ["io", { code: SQLITE_ERROR_CODE, errcode: 10, message: "disk I/O error" }],
  ["io", { code: SQLITE_ERROR_CODE, errcode: 1034, message: "disk I/O error" }],
  [
    "damaged",
    { code: SQLITE_ERROR_CODE, errcode: 11, message: "database disk image is malformed" },
  ],
  ["damaged", { code: SQLITE_ERROR_CODE, errcode: 26, message: "file is not a database" }],
  [
    "missing_reference",
    { code: SQLITE_ERROR_CODE, errcode: 787, message: "FOREIGN KEY constraint failed" },
  ],
  ["missing_reference", { code: "23503", message: "violates foreign key constraint" }],
  ["invalid", { code: SQLITE_ERROR_CODE, errcode: 1, message: "no such table: connection" }],
  ["full", { code: "53100", message: "could not extend file" }],
  ["unavailable", { code: "53300", message: "too many clients already" }],
  ["unavailable", { code: "57P01", message: "terminating due to administrator command" }],
  ["unavailable", { code: "40P01", message: "deadlock detected" }],
  ["unavailable", { code: "28P01", message: "password authentication failed" }],
  ["io", { code: "58030", message: "could not fsync file" }],
  ["damaged", { code: "XX001", message: "invalid page in block 7" }],
  ["unavailable", { code: "ECONNREFUSED", message: "connect ECONNREFUSED" }],
  ["unavailable", { code: "EPIPE", message: "write EPIPE" }],
  ["unavailable", { message: "Connection terminated unexpectedly" }],
  ["unavailable", { message: "timeout exceeded when trying to connect" }],
  ["full", { code: "ENOSPC", message: "no space left on device" }],
  ["io", { code: "EIO", message: "i/o error, fsync" }],
  ["invalid", { code: "ERR_INVALID_ARG_TYPE", message: "cannot be bound" }],
  ["invalid", new RangeError("out of range")],
];

for (const [expected, fields] of CASES) {
  it(`classifies "${fields.message}" (${fields.errcode ?? fields.code ?? "no code"}) as ${expected}`, () => {
    const error = Object.assign(new Error(fields.message), fields);
    const converted = toStoreError(error);
    assert.equal(converted.code, expected);
    assert.equal(converted.cause, error);
  });
}

it("returns a StoreError unchanged", () => {
  const error = new StoreError("newer_schema", "x");
  assert.equal(toStoreError(error), error);
});

it("reports damage if any byte of a packed document is flipped", () => {
  const packed = deflateSync("a document, a document, a document");
  for (const index of packed.keys()) {
    const flipped = Buffer.from(packed);
    flipped[index]! ^= 0x55;
    assert.throws(
      () => inflateSync(flipped),
      (error) => toStoreError(error).code === "damaged",
    );
  }
});
