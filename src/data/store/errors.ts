// Error codes of the store, so that callers needn't parse driver messages.

/**
 * unavailable: not reachable, busy or stopped; retry, but a write may have been stored.
 * full: no space left; nothing was stored.
 * io: the disk failed; nothing about this call can be trusted.
 * damaged: the part of the database file that was read is corrupt.
 * newer_schema: written by a newer build.
 * missing_reference: a row that the new one refers to doesn't exist, or was just deleted.
 * invalid: rejected because of its values; retrying can't help.
 */
export type StoreErrorCode =
  | "unavailable"
  | "full"
  | "io"
  | "damaged"
  | "newer_schema"
  | "missing_reference"
  | "invalid";

/** Every rejection of a store call is a StoreError. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreError";
    this.code = code;
  }
}

/** Whether the store can't process calls now: it is unreachable, or its disk is full. */
export const isStoreDown = (error: unknown): error is StoreError =>
  error instanceof StoreError && (error.code === "unavailable" || error.code === "full");

/** Whether a write was rejected because a row that it refers to doesn't exist or was deleted. */
export const isMissingReference = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.code === "missing_reference";

/** Whether the values were rejected, so retrying can't help. */
export const isRejected = (error: unknown): error is StoreError =>
  isMissingReference(error) || (error instanceof StoreError && error.code === "invalid");

/** Primary result codes of SQLite (the low byte of `errcode`), sqlite.org/rescode.html. */
const SQLITE_CODES: Record<number, StoreErrorCode> = {
  5: "unavailable", // BUSY
  6: "unavailable", // LOCKED
  7: "unavailable", // NOMEM
  8: "unavailable", // READONLY
  10: "io", // IOERR
  11: "damaged", // CORRUPT
  13: "full", // FULL
  14: "unavailable", // CANTOPEN
  26: "damaged", // NOTADB
};
const SQLITE_PRIMARY_MASK = 0xff;
/** Extended result code of a violated foreign key. */
const SQLITE_CONSTRAINT_FOREIGNKEY = 787;

/** SQLSTATE values; the longest matching prefix decides. See the PostgreSQL manual, appendix A. */
const SQLSTATE_PREFIXES: [prefix: string, code: StoreErrorCode][] = [
  ["53100", "full"],
  ["XX001", "damaged"],
  ["XX002", "damaged"],
  ["23503", "missing_reference"],
  ["55P03", "unavailable"],
  ["08", "unavailable"],
  ["28", "unavailable"],
  ["3D", "unavailable"],
  ["40", "unavailable"],
  ["53", "unavailable"],
  ["57", "unavailable"],
  ["58", "io"],
];
const SQLSTATE = /^[0-9A-Z]{5}$/;

const SYSTEM_CODES: Record<string, StoreErrorCode> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EIO: "io",
};
const SYSTEM_CODE = /^E(?!RR_)[A-Z0-9]+$/;
/** zlib errors: the stored document isn't what was packed. */
const ZLIB_CODE = /^Z_/;

/** The `pg` client reports a lost connection without a code, only with a message. */
const LOST_CONNECTION = /connection|timeout|terminated|pool|not queryable/i;

type DriverError = { errcode?: number; code?: string; message?: string };

/** Wraps any error thrown by a driver or the system; returns a StoreError unchanged. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { message = String(error) } = error as DriverError;
  return new StoreError(codeOf(error as DriverError), message, { cause: error });
}

/** SQLSTATE class of transactions rolled back in favour of another one, as after a deadlock. */
const SQLSTATE_ROLLBACK = /^40/;

/** Whether a failed transaction is known to be rolled back because of the values it wrote. */
export function isRolledBack({ code, cause }: StoreError): boolean {
  if (code === "full" || code === "damaged") return true;
  return SQLSTATE_ROLLBACK.test((cause as DriverError | undefined)?.code ?? "");
}

function codeOf({ errcode, code, message }: DriverError): StoreErrorCode {
  if (errcode === SQLITE_CONSTRAINT_FOREIGNKEY) return "missing_reference";
  if (errcode !== undefined) return SQLITE_CODES[errcode & SQLITE_PRIMARY_MASK] ?? "invalid";
  if (code !== undefined) return textualCode(code);
  return LOST_CONNECTION.test(message ?? "") ? "unavailable" : "invalid";
}

function textualCode(code: string): StoreErrorCode {
  if (SYSTEM_CODE.test(code)) return SYSTEM_CODES[code] ?? "unavailable";
  if (ZLIB_CODE.test(code)) return "damaged";
  return SQLSTATE.test(code) ? sqlstateCode(code) : "invalid";
}

function sqlstateCode(state: string): StoreErrorCode {
  return SQLSTATE_PREFIXES.find(([prefix]) => state.startsWith(prefix))?.[1] ?? "invalid";
}
