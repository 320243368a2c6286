// Kysely driver for node:sqlite. After a failed commit or an I/O error, a connection may have a
// wrong view of the file, so the next use opens a new connection.
import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";

import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";

import { toStoreError } from "#data/store/errors.ts";

export type Access = "read" | "write";

/** Milliseconds that a statement waits for another process's lock. */
const LOCK_WAIT_MS = 30_000;
/**
 * Max cached prepared statements. Lists are bound as parameters, so there are few distinct SQL
 * strings.
 */
const STATEMENT_LIMIT = 200;
/** Size in bytes to which the write-ahead log is truncated after a burst. */
const LOG_LIMIT = 64 * 1024 * 1024;
/**
 * Page cache size in KiB. With a smaller read cache, reading a thousand scattered matches takes
 * twice as long, because they come from the file each time.
 */
const CACHE_KIB: Record<Access, number> = { read: 20 * 1024, write: 12 * 1024 };

const cachePragma = (access: Access): string => `pragma cache_size = -${CACHE_KIB[access]}`;
const WRITER_PRAGMAS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma journal_size_limit = ${LOG_LIMIT};
  pragma cell_size_check = on`;

/** Returns a dialect for one file with a single connection, which the first query opens. */
export function sqliteDialect(path: string, access: Access): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new NodeSqliteDriver(path, access),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

type PreparedStatement = { statement: StatementSync; returnsRows: boolean };

class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();
  /** Set when SQLite's in-memory state can no longer be trusted. Never reset. */
  isPoisoned = false;

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
      const { statement, returnsRows } = this.#prepare(sql);
      const values = parameters as SQLInputValue[];
      if (returnsRows) return { rows: statement.all(...values) as R[] };
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    } catch (error) {
      this.isPoisoned ||= toStoreError(error).code === "io";
      throw error;
    }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error("rows are read in full; streaming isn't supported");
  }

  begin(): void {
    this.#database.exec("begin immediate");
  }

  commit(): void {
    try {
      this.#database.exec("commit");
    } catch (error) {
      this.isPoisoned = true;
      throw error;
    }
  }

  /** Never throws. Closing the connection discards a transaction that couldn't be rolled back. */
  rollback(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec("rollback");
    } catch {
      this.isPoisoned = true;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): PreparedStatement {
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    if (this.#statements.size >= STATEMENT_LIMIT) this.#statements.clear();
    const statement = this.#database.prepare(sql);
    const statements = { statement, returnsRows: statement.columns().length > 0 };
    this.#statements.set(sql, statements);
    return statements;
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
    if (!connection.isPoisoned) return;
    this.#connection = null;
    connection.close();
  }

  async destroy(): Promise<void> {
    this.#connection?.close();
    this.#connection = null;
  }
}
