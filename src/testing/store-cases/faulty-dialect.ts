// A dialect that calls a gate before each step, so that a test can make any single step fail,
// record it, or end the process at it.
import { CompiledQuery } from "kysely";
import type { DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from "kysely";

/** `done` is called after a successful commit: throwing there makes its outcome unknown. */
export type QueryGate = { step(query: CompiledQuery): void; done?(): void };

export function faultyDialect(dialect: Dialect, gate: QueryGate): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => new FaultyDriver(dialect.createDriver(), gate),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

class GatedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #gate: QueryGate;

  constructor(inner: DatabaseConnection, gate: QueryGate) {
    this.inner = inner;
    this.#gate = gate;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#gate.step(query);
    return this.inner.executeQuery(query);
  }

  streamQuery<R>(query: CompiledQuery, size: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery(query, size);
  }
}

class FaultyDriver implements Driver {
  readonly #inner: Driver;
  readonly #gate: QueryGate;

  constructor(inner: Driver, gate: QueryGate) {
    this.#inner = inner;
    this.#gate = gate;
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  async acquireConnection(): Promise<GatedConnection> {
    return new GatedConnection(await this.#inner.acquireConnection(), this.#gate);
  }

  async beginTransaction(gated: GatedConnection, settings: TransactionSettings): Promise<void> {
    this.#gate.step(CompiledQuery.raw("begin"));
    await this.#inner.beginTransaction(gated.inner, settings);
  }

  async commitTransaction(gated: GatedConnection): Promise<void> {
    this.#gate.step(CompiledQuery.raw("commit"));
    await this.#inner.commitTransaction(gated.inner);
    this.#gate.done?.();
  }

  rollbackTransaction(gated: GatedConnection): Promise<void> {
    return this.#inner.rollbackTransaction(gated.inner);
  }

  releaseConnection(gated: GatedConnection): Promise<void> {
    return this.#inner.releaseConnection(gated.inner);
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}
