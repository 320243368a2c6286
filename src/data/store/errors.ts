// Error codes of the store, so that callers don't need to parse driver messages.

/**
 * unavailable: the store is unreachable, busy or stopped. Retry, but note that a write may have
 * been stored.
 * full: no space left. Nothing was stored.
 * io: the disk failed. Make no assumptions about the outcome.
 * damaged: the part of the database file that was read is corrupt.
 * newer_schema: a newer build has written the database.
 * missing_reference: a row that the new row refers to doesn't exist or was just deleted.
 * invalid: the values were rejected. Retrying can't help.
 */
export type StoreErrorCode =
  | "unavailable"
  | "full"
  | "io"
  | "damaged"
  | "newer_schema"
  | "missing_reference"
  | "invalid";

/** Store methods reject only with this error. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreError";
    this.code = code;
  }
}

/**
 * Returns whether the store can't process calls now, because it is unreachable or its disk is full.
 */
export const isStoreDown = (error: unknown): error is StoreError =>
  error instanceof StoreError && (error.code === "unavailable" || error.code === "full");

/** Returns whether a write was rejected because a row that it refers to doesn't exist. */
export const isMissingReference = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.code === "missing_reference";

/** Returns whether the values were rejected, so that retrying can't help. */
export const isRejected = (error: unknown): error is StoreError =>
  isMissingReference(error) || (error instanceof StoreError && error.code === "invalid");

/** Primary SQLite result codes (the low byte of `errcode`). See sqlite.org/rescode.html. */
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
/** Extended result code for a violated foreign key. */
const SQLITE_CONSTRAINT_FOREIGNKEY = 787;

/**
 * SQLSTATE prefixes, of which the longest match applies. See appendix A of the PostgreSQL manual.
 */
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
/** zlib errors: the stored document is corrupt. */
const ZLIB_CODE = /^Z_/;

/** The `pg` client reports a lost connection only by message, without a code. */
const LOST_CONNECTION = /connection|timeout|terminated|pool|not queryable/i;

type DriverError = { errcode?: number; code?: string; message?: string };

/**
 * Converts any error from a driver or the system to a StoreError. Returns a StoreError unchanged.
 */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { message = String(error) } = error as DriverError;
  return new StoreError(codeOf(error as DriverError), message, { cause: error });
}

/**
 * SQLSTATE class of transactions that were rolled back in favour of another transaction, such as
 * after a deadlock.
 */
const SQLSTATE_ROLLBACK = /^40/;

/**
 * Returns whether a failed transaction was certainly rolled back and the values it wrote may be the
 * cause.
 */
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
