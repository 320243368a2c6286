import type { StoreErrorCode } from "#data/store/errors.ts";
import type { MethodName } from "#data/store/store.ts";

import type { Access } from "./sqlite-driver.ts";

export type SqliteWorkerOptions = {
  path: string;
  access: Access;
  now?: string | undefined;
  keepsCopy?: boolean;
};
export type SqliteCall = { method: MethodName | "close"; args: unknown[] };
export type SqliteResult =
  | { value: unknown }
  | { failure: { code: StoreErrorCode; message: string } };
