// What passes between a line to a database file and the thread at its end.

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
/** What the thread is asked for. */
export type LineCall = { method: MethodName | "close"; values: unknown[] };
export type LineAnswer =
  | { value: unknown }
  | { failure: { code: StoreErrorCode; message: string } };
