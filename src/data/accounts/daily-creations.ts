// Limits how much an account creates per day. Deletions don't lower the count, so creating and
// deleting in a loop can't fill the database with audit entries.

import { sql } from "kysely";

import { utcDayOf } from "#base/util/time.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";

import type { CreationKind } from "./account-tables.ts";

const DAILY_LIMITS = {
  agent_key: FIXED_LIMITS.agent_keys_per_day,
  bot: FIXED_LIMITS.new_bots_per_day,
  notes_byte: FIXED_LIMITS.version_notes_bytes_per_day,
  rename: FIXED_LIMITS.renames_per_day,
  token: FIXED_LIMITS.new_tokens_per_day,
} as const satisfies Record<CreationKind, number>;

/**
 * Adds `amount` to the count for the UTC day of `at`. Returns false, without counting, if the total
 * would exceed the limit.
 */
export async function countCreation(
  tx: OpenTransaction,
  accountId: AccountId,
  kind: CreationKind,
  at: string,
  amount = 1,
): Promise<boolean> {
  const row = { account_id: accountId, kind, day: utcDayOf(at), created: amount };
  const total = sql<number>`excluded.created +
    case when daily_creations.day = excluded.day then daily_creations.created else 0 end`;
  const result = await tx
    .insertInto("daily_creations")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "kind"])
        .doUpdateSet({ day: sql`excluded.day`, created: total })
        .where(sql<boolean>`${total} <= ${DAILY_LIMITS[kind]}`),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows !== 0n;
}
