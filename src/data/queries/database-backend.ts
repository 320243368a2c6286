// Differences between SQLite and PostgreSQL. The rest of this directory works with both.
import type { Database, OpenTransaction } from "./tables.ts";

export type ColumnTypes = {
  /** Compared byte by byte, so that both databases sort alike. */
  text: string;
  whole: string;
  real: string;
  bytes: string;
  /**
   * End of a `create table` statement: `keyed` stores rows in primary key order, `heap` in a heap.
   */
  keyed: string;
  heap: string;
};

/** A migration to the next schema. Numbers ascend. Never change a released migration. */
export type Migration = {
  number: number;
  name: string;
  /** `now` is the UTC instant of the run. It only matters for a new database. */
  statements(types: ColumnTypes, now: string): string[];
  /** Row changes that SQL can't express. Runs after the statements, in the same transaction. */
  convert?(tx: OpenTransaction): Promise<void>;
};

export type Backend = {
  database: Database;
  types: ColumnTypes;
  /**
   * Compresses a document with a checksum. `unpack` returns the document, or throws if it is
   * damaged.
   */
  pack(text: string): Uint8Array | Promise<Uint8Array>;
  unpack(bytes: Uint8Array): string | Promise<string>;
  /** Rejects with StoreError if no write transaction may begin. */
  ensureWritable(): Promise<void>;
  /** Serializes transactions that lock the same subject, across processes too. */
  lock(tx: OpenTransaction, subject: string): Promise<void>;
  /** Returns faults that only the database itself can detect, or an empty list. */
  faults(database: Database): Promise<string[]>;
};
