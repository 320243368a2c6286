// What the two databases do differently. All other code in this room serves both.
import type { Database, OpenTransaction } from "./tables.ts";

/** How a database spells the column types that a migration uses. */
export type ColumnTypes = {
  /** Compared byte by byte, so that both databases sort alike. */
  text: string;
  whole: string;
  real: string;
  bytes: string;
  /** Ends a `create table`: rows are kept in primary key order, or in a heap. */
  keyed: string;
  heap: string;
};

/** A step from one schema to the next. Numbers rise; a released step never changes. */
export type Migration = {
  number: number;
  name: string;
  /** `made` is the UTC instant of the run; it matters when this makes a new database. */
  statements(types: ColumnTypes, made: string): string[];
  /** Changes of rows that SQL cannot express. Runs after the statements, in their transaction. */
  convert?(open: OpenTransaction): Promise<void>;
};

export type Backend = {
  database: Database;
  types: ColumnTypes;
  /** Compresses a document with a checksum; `unpack` returns it or fails. */
  pack(text: string): Uint8Array | Promise<Uint8Array>;
  unpack(bytes: Uint8Array): string | Promise<string>;
  /** Resolves if a write transaction may begin; otherwise rejects with StoreError. */
  mayWrite(): Promise<void>;
  /** Serializes transactions, across processes too, that decide about the same subject. */
  lock(transaction: OpenTransaction, subject: string): Promise<void>;
  /** Faults that only this database can detect in itself; empty when it is sound. */
  faults(database: Database): Promise<string[]>;
};
