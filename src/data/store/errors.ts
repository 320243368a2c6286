// Every failure of the store has one of these codes, so that a caller can decide without reading
// messages of a driver.

/**
 * unavailable: not reached, busy or stopped; a write's outcome may be unknown, try again.
 * full: no space, nothing was stored. io: the disk failed, believe nothing of this call.
 * damaged: the database file is not sound where it was read. newer_schema: written by a newer
 * build. invalid: refused for its values, a retry cannot help.
 */
export type StoreErrorCode = "unavailable" | "full" | "io" | "damaged" | "newer_schema" | "invalid";

/** What every rejected call of the store rejects with. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreError";
    this.code = code;
  }
}

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

/** SQLSTATE values, the longest matching prefix decides; PostgreSQL manual, appendix A. */
const SQLSTATE_PREFIXES: [prefix: string, code: StoreErrorCode][] = [
  ["53100", "full"],
  ["XX001", "damaged"],
  ["XX002", "damaged"],
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
/** zlib: a stored document is not what was packed. */
const ZLIB_CODE = /^Z_/;

/** The `pg` client gives a lost connection no code, only a text. */
const LOST_CONNECTION = /connection|timeout|terminated|pool|not queryable/i;

type DriverError = { errcode?: number; code?: string; message?: string };

/** Gives any error thrown by a driver or the system its store code; a StoreError stays itself. */
export function storeError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { message = String(error) } = error as DriverError;
  return new StoreError(codeOf(error as DriverError), message, { cause: error });
}

/** SQLSTATE class of transactions that lost against another one, as in a deadlock. */
const LOST_TO_ANOTHER = /^40/;

/** Whether a failed transaction is known to be undone for the sake of what was written in it. */
export function wasUndone({ code, cause }: StoreError): boolean {
  if (code === "full" || code === "damaged") return true;
  return LOST_TO_ANOTHER.test((cause as DriverError | undefined)?.code ?? "");
}

function codeOf({ errcode, code, message }: DriverError): StoreErrorCode {
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
