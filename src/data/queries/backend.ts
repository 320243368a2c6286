// What the two databases do differently; everything else in this room is one code for both.
import type { Database, OpenTransaction } from "./tables.ts";

/** How a database spells the column types that a migration uses. */
export type ColumnTypes = {
  /** Compared byte by byte, so that both databases sort alike. */
  text: string;
  whole: string;
  real: string;
  bytes: string;
  /** Ends a `create table`: rows kept in the order of the primary key, or in a heap. */
  keyed: string;
  heap: string;
};

/** One step from a schema to the next; numbers rise, a released step never changes. */
export type Migration = {
  number: number;
  name: string;
  /** `made` is the UTC instant at which it is run, should a new database be made of it. */
  statements(types: ColumnTypes, made: string): string[];
};

export type Backend = {
  database: Database;
  types: ColumnTypes;
  /** Compresses a document with a checksum, and gives it back or fails. */
  pack(text: string): Uint8Array | Promise<Uint8Array>;
  unpack(bytes: Uint8Array): string | Promise<string>;
  /** Resolves when a transaction that writes may begin; rejects with StoreError while it may not. */
  mayWrite(): Promise<void>;
  /** Makes transactions of several processes that decide about one subject wait for each other. */
  lock(transaction: OpenTransaction, subject: string): Promise<void>;
  /** Names of faults that only this database can find in itself; empty when it is sound. */
  faults(database: Database): Promise<string[]>;
};
