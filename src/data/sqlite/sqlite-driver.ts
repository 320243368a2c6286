// Kysely over node:sqlite. A connection whose commit or I/O failed is never used again: its view of
// the file may be wrong, so the next use opens a new one.
import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";

import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";

import { storeError } from "#data/store/errors.ts";

export type Access = "read" | "write";

/** How long a statement waits for another process's lock, in milliseconds. */
const LOCK_WAIT_MS = 30_000;
/** Prepared statements kept; there are few SQL texts because lists are bound, not spelled out. */
const STATEMENT_LIMIT = 200;
/** After a burst the write-ahead log is cut to this size, in bytes. */
const LOG_LIMIT = 64 * 1024 * 1024;
/**
 * Page cache, in KiB (SQLite takes KiB as a negative number of pages). With less for reads, a
 * thousand scattered matches are read from the file again each time, which doubles what they take.
 */
const CACHE_KIB: Record<Access, number> = { read: 20 * 1024, write: 12 * 1024 };

const cachePragma = (access: Access): string => `pragma cache_size = -${CACHE_KIB[access]}`;
const WRITER_PRAGMAS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma journal_size_limit = ${LOG_LIMIT};
  pragma cell_size_check = on`;

/** The dialect for one file and one connection, which the first query opens. */
export function sqliteDialect(path: string, access: Access): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new NodeSqliteDriver(path, access),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

type Prepared = { statement: StatementSync; reads: boolean };

class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();
  /** Set once what SQLite holds in memory is no longer trusted; never reset. */
  poisoned = false;

  constructor(path: string, access: Access) {
    this.#database = new DatabaseSync(path, {
      readOnly: access === "read",
      timeout: LOCK_WAIT_MS,
    });
    this.#database.exec(cachePragma(access));
    if (access === "write") this.#database.exec(WRITER_PRAGMAS);
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const { statement, reads } = this.#prepare(sql);
      const values = parameters as SQLInputValue[];
      if (reads) return { rows: statement.all(...values) as R[] };
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    } catch (error) {
      this.poisoned ||= storeError(error).code === "io";
      throw error;
    }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error("rows are read at once, not streamed");
  }

  begin(): void {
    this.#database.exec("begin immediate");
  }

  commit(): void {
    try {
      this.#database.exec("commit");
    } catch (error) {
      this.poisoned = true;
      throw error;
    }
  }

  /** Never throws: what is not rolled back here goes with the connection when it is closed. */
  rollback(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec("rollback");
    } catch {
      this.poisoned = true;
    }
  }

  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    if (this.#prepared.size >= STATEMENT_LIMIT) this.#prepared.clear();
    const statement = this.#database.prepare(sql);
    const prepared = { statement, reads: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

class NodeSqliteDriver implements Driver {
  readonly #path: string;
  readonly #access: Access;
  #connection: NodeSqliteConnection | null = null;

  constructor(path: string, access: Access) {
    this.#path = path;
    this.#access = access;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<NodeSqliteConnection> {
    this.#connection ??= new NodeSqliteConnection(this.#path, this.#access);
    return this.#connection;
  }

  async beginTransaction(connection: NodeSqliteConnection): Promise<void> {
    connection.begin();
  }

  async commitTransaction(connection: NodeSqliteConnection): Promise<void> {
    connection.commit();
  }

  async rollbackTransaction(connection: NodeSqliteConnection): Promise<void> {
    connection.rollback();
  }

  async releaseConnection(connection: NodeSqliteConnection): Promise<void> {
    if (!connection.poisoned) return;
    this.#connection = null;
    connection.close();
  }

  async destroy(): Promise<void> {
    this.#connection?.close();
    this.#connection = null;
  }
}
