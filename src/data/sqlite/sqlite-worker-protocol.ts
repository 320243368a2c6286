// Messages between a client and the worker thread that has the database file open.

import type { StoreErrorCode } from "#data/store/errors.ts";
import type { MethodName } from "#data/store/store.ts";

import type { Access } from "./sqlite-driver.ts";

/** `now` as in `openStore`, `keepsCopy` as in the options of an upgrade. */
export type SqliteWorkerOptions = {
  path: string;
  access: Access;
  now?: string | undefined;
  keepsCopy?: boolean;
};
/** A call to the worker thread. */
export type SqliteCall = { method: MethodName | "close"; args: unknown[] };
export type SqliteResult =
  | { value: unknown }
  | { failure: { code: StoreErrorCode; message: string } };
