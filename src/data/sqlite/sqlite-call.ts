// Messages between a line and the thread that has the database file open.

import type { StoreErrorCode } from "#data/store/errors.ts";
import type { MethodName } from "#data/store/store.ts";

import type { Access } from "./sqlite-driver.ts";

/** `made` as in `openStore`, `keepsCopy` as in the options of an upgrade. */
export type Setup = {
  path: string;
  access: Access;
  made?: string | undefined;
  keepsCopy?: boolean;
};
/** A call for the thread. */
export type LineCall = { method: MethodName | "close"; values: unknown[] };
export type LineAnswer =
  | { value: unknown }
  | { failure: { code: StoreErrorCode; message: string } };
