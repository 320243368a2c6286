// Compares stored sums with a recount.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import type { Database } from "./tables.ts";

/** Number of rows that only one of two selects of the same columns returns. */
export async function countDifferingRows(
  database: Database,
  recounted: RawBuilder<unknown>,
  stored: RawBuilder<unknown>,
): Promise<number> {
  // Nested, because the two databases associate compound selects differently.
  const { rows } = await sql<{ wrong: number }>`
    with recounted as (${recounted}), stored as (${stored})
    select count(*) as wrong from (
      select * from (select * from recounted except select * from stored) as missing
      union all
      select * from (select * from stored except select * from recounted) as surplus
    ) as difference`.execute(database);
  return rows[0]?.wrong ?? 0;
}
