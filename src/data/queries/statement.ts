// Caches the compiled text of statements that run for every match. Building and compiling a
// statement takes longer than running it.
import assert from "node:assert";

import { CompiledQuery } from "kysely";
import type { Compilable, DialectAdapter, RawBuilder } from "kysely";

import type { Database } from "./tables.ts";

type CompiledTexts = WeakMap<DialectAdapter, CompiledQuery>;

/**
 * Returns a function that inserts rows and returns how many were inserted or updated. All rows must
 * have the same columns in the same order. `buildQuery` may bind only values of the rows.
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

/**
 * Returns a function that runs a select. `buildQuery` must bind each argument once, in the order of
 * its parameters.
 */
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
 * Returns a function that runs a select whose text depends on its arguments. The query binds all
 * defined values, in order. `variantName` identifies any other difference in the text.
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

/** Lets `buildQuery` return a statement written as SQL. */
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
