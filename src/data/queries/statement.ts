// Statements that run for every match. Building and compiling one takes longer than running it, so
// the text is kept, and only the values change.
import assert from "node:assert";

import { CompiledQuery } from "kysely";
import type { Compilable, DialectAdapter, RawBuilder } from "kysely";

import type { Database } from "./tables.ts";

/** The text of one statement in each dialect. */
type Texts = WeakMap<DialectAdapter, CompiledQuery>;

/**
 * An insert of rows that all have the same columns in the same order; `build` may bind values of
 * the rows only. Resolves with the number of rows inserted or updated.
 */
export function insertion<R extends object>(
  build: (database: Database, rows: readonly R[]) => Compilable,
): (database: Database, rows: readonly R[]) => Promise<bigint> {
  const textsBySize: Texts[] = [];
  return async (database, rows) => {
    const texts = (textsBySize[rows.length] ??= new WeakMap());
    const values = rows.flatMap((row) => Object.values(row) as unknown[]);
    const query = queryOf(texts, database, values, () => build(database, rows));
    return (await database.executeQuery(query)).numAffectedRows ?? 0n;
  };
}

/** A query that binds each of its values once, in the order in which `build` takes them. */
export function selection<V extends readonly unknown[], R>(
  build: (database: Database, ...values: V) => Compilable<R>,
): (database: Database, ...values: V) => Promise<R[]> {
  const texts: Texts = new WeakMap();
  return async (database, ...values) => {
    const query = queryOf(texts, database, values, () => build(database, ...values));
    return (await database.executeQuery<R>(query)).rows;
  };
}

/**
 * A query whose text depends on what is asked: it binds those of its values that are not undefined,
 * in their order, and `kind` names what else makes a difference.
 */
export function variants<Q, R>(
  build: (database: Database, query: Q) => Compilable<R>,
  boundBy: (query: Q) => { kind: string; values: readonly unknown[] },
): (database: Database, query: Q) => Promise<R[]> {
  const textsByVariant = new Map<string, Texts>();
  return async (database, query) => {
    const { kind, values } = boundBy(query);
    const bound = values.filter((value) => value !== undefined);
    const variant = kind + values.map((value) => (value === undefined ? "-" : "+")).join("");
    const texts = textsByVariant.getOrInsertComputed(variant, (): Texts => new WeakMap());
    const statement = queryOf(texts, database, bound, () => build(database, query));
    return (await database.executeQuery<R>(statement)).rows;
  };
}

/** A statement written as SQL, for `build`. */
export const textOf = <R>(database: Database, statement: RawBuilder<R>): Compilable<R> => ({
  compile: () => statement.compile(database),
});

function queryOf<R>(
  texts: Texts,
  database: Database,
  parameters: readonly unknown[],
  build: () => Compilable<R>,
): CompiledQuery<R> {
  const { adapter } = database.getExecutor();
  const known = texts.get(adapter);
  if (known) return { ...(known as CompiledQuery<R>), parameters };
  const built = build().compile();
  assert.deepEqual(built.parameters, parameters, "a statement binds its values in their order");
  texts.set(adapter, CompiledQuery.raw(built.sql));
  return built;
}
