// Differences between the two databases. All other code in this directory serves both.
import type { Database, OpenTransaction } from "./tables.ts";

/** Column types for migrations, in the spelling of a database. */
export type ColumnTypes = {
  /** Compared byte by byte, so that both databases sort alike. */
  text: string;
  whole: string;
  real: string;
  bytes: string;
  /** Ends a `create table`: rows are stored in primary key order, or in a heap. */
  keyed: string;
  heap: string;
};

/** A migration to the next schema. Numbers ascend; a released migration never changes. */
export type Migration = {
  number: number;
  name: string;
  /** `now` is the UTC instant of the run; it matters when a new database is created. */
  statements(types: ColumnTypes, now: string): string[];
  /** Row changes that SQL can't express. Runs after the statements, in their transaction. */
  convert?(tx: OpenTransaction): Promise<void>;
};

export type Backend = {
  database: Database;
  types: ColumnTypes;
  /** Compresses a document with a checksum; `unpack` returns it or throws. */
  pack(text: string): Uint8Array | Promise<Uint8Array>;
  unpack(bytes: Uint8Array): string | Promise<string>;
  /** Resolves if a write transaction may begin; otherwise rejects with StoreError. */
  ensureWritable(): Promise<void>;
  /** Serializes transactions that decide about the same subject, across processes too. */
  lock(tx: OpenTransaction, subject: string): Promise<void>;
  /** Faults that only this database can detect in itself; empty if it is sound. */
  faults(database: Database): Promise<string[]>;
};
