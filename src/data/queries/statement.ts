// Caches compiled statements that run for every match. Building and compiling one takes longer than
// running it.
import assert from "node:assert";

import { CompiledQuery } from "kysely";
import type { Compilable, DialectAdapter, RawBuilder } from "kysely";

import type { Database } from "./tables.ts";

/** Text of one statement per dialect. */
type CompiledTexts = WeakMap<DialectAdapter, CompiledQuery>;

/**
 * An insert of rows with the same columns in the same order; `buildQuery` may bind only the values
 * of the rows. Returns the number of rows inserted or updated.
 */
export function compiledInsert<R extends object>(
  buildQuery: (database: Database, rows: readonly R[]) => Compilable,
): (database: Database, rows: readonly R[]) => Promise<bigint> {
  const textsBySize: CompiledTexts[] = [];
  return async (database, rows) => {
    const texts = (textsBySize[rows.length] ??= new WeakMap());
    const values = rows.flatMap((row) => Object.values(row) as unknown[]);
    const query = compileOnce(texts, database, values, () => buildQuery(database, rows));
    return (await database.executeQuery(query)).numAffectedRows ?? 0n;
  };
}

/** A query that binds each of its values once, in the order in which `buildQuery` takes them. */
export function compiledSelect<V extends readonly unknown[], R>(
  buildQuery: (database: Database, ...values: V) => Compilable<R>,
): (database: Database, ...values: V) => Promise<R[]> {
  const texts: CompiledTexts = new WeakMap();
  return async (database, ...values) => {
    const query = compileOnce(texts, database, values, () => buildQuery(database, ...values));
    return (await database.executeQuery<R>(query)).rows;
  };
}

/**
 * A query whose text depends on its values. It binds the values that aren't undefined, in order;
 * `variantName` identifies any other variation.
 */
export function compiledVariants<Q, R>(
  buildQuery: (database: Database, query: Q) => Compilable<R>,
  bindingsOf: (query: Q) => { variantName: string; values: readonly unknown[] },
): (database: Database, query: Q) => Promise<R[]> {
  const textsByVariant = new Map<string, CompiledTexts>();
  return async (database, query) => {
    const { variantName, values } = bindingsOf(query);
    const boundValues = values.filter((value) => value !== undefined);
    const variant = variantName + values.map((value) => (value === undefined ? "-" : "+")).join("");
    const texts = textsByVariant.getOrInsertComputed(variant, (): CompiledTexts => new WeakMap());
    const statement = compileOnce(texts, database, boundValues, () => buildQuery(database, query));
    return (await database.executeQuery<R>(statement)).rows;
  };
}

/** A statement written as SQL, for `buildQuery`. */
export const toCompilable = <R>(database: Database, statement: RawBuilder<R>): Compilable<R> => ({
  compile: () => statement.compile(database),
});

function compileOnce<R>(
  texts: CompiledTexts,
  database: Database,
  parameters: readonly unknown[],
  buildQuery: () => Compilable<R>,
): CompiledQuery<R> {
  const { adapter } = database.getExecutor();
  const cached = texts.get(adapter);
  if (cached) return { ...(cached as CompiledQuery<R>), parameters };
  const compiled = buildQuery().compile();
  assert.deepEqual(compiled.parameters, parameters, "a statement must bind its values in order");
  texts.set(adapter, CompiledQuery.raw(compiled.sql));
  return compiled;
}
