import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import type { Database } from "./tables.ts";

/** Returns how many rows only one of two selects returns. Both must select the same columns. */
export async function countDifferingRows(
  database: Database,
  recounted: RawBuilder<unknown>,
  stored: RawBuilder<unknown>,
): Promise<number> {
  // Nested, because the two databases group compound selects differently.
  const { rows } = await sql<{ wrong: number }>`
    with recounted as (${recounted}), stored as (${stored})
    select count(*) as wrong from (
      select * from (select * from recounted except select * from stored) as missing
      union all
      select * from (select * from stored except select * from recounted) as surplus
    ) as difference`.execute(database);
  return rows[0]?.wrong ?? 0;
}
