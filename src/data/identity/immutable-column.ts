import type { ColumnType } from "kysely";

/** Set on insert and never changed. */
export type Fixed<T> = ColumnType<T, T, never>;
