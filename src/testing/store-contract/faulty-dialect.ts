// Dialect that calls a gate before each database step. Tests use the gate to fail or record steps,
// or to end the process at a step.
import { CompiledQuery } from "kysely";
import type { DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from "kysely";

/**
 * `done` is called after a successful commit. If it throws, the caller can't tell whether the
 * commit succeeded.
 */
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
  readonly innerConnection: DatabaseConnection;
  readonly #gate: QueryGate;

  constructor(innerConnection: DatabaseConnection, gate: QueryGate) {
    this.innerConnection = innerConnection;
    this.#gate = gate;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#gate.step(query);
    return this.innerConnection.executeQuery(query);
  }

  streamQuery<R>(query: CompiledQuery, size: number): AsyncIterableIterator<QueryResult<R>> {
    return this.innerConnection.streamQuery(query, size);
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

  async beginTransaction(
    gatedConnection: GatedConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    this.#gate.step(CompiledQuery.raw("begin"));
    await this.#inner.beginTransaction(gatedConnection.innerConnection, settings);
  }

  async commitTransaction(gatedConnection: GatedConnection): Promise<void> {
    this.#gate.step(CompiledQuery.raw("commit"));
    await this.#inner.commitTransaction(gatedConnection.innerConnection);
    this.#gate.done?.();
  }

  rollbackTransaction(gatedConnection: GatedConnection): Promise<void> {
    return this.#inner.rollbackTransaction(gatedConnection.innerConnection);
  }

  releaseConnection(gatedConnection: GatedConnection): Promise<void> {
    return this.#inner.releaseConnection(gatedConnection.innerConnection);
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}
