// Limits on how much an account creates in a day. Deleting something does not lower the count, so
// creating and deleting in a loop can't fill the database with audit entries.

import { sql } from "kysely";

import { dayOf } from "#base/units/time.ts";
import type { AccountId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";

import type { CreationKind } from "./account-tables.ts";

const MOST = {
  agent_key: FIXED.agent_keys_per_day,
  bot: FIXED.new_bots_per_day,
  notes_byte: FIXED.version_notes_bytes_per_day,
  rename: FIXED.renames_per_day,
  token: FIXED.new_tokens_per_day,
} as const satisfies Record<CreationKind, number>;

/** Adds to a count of the UTC day of `at`; false, and no change, where that exceeds the limit. */
export async function countCreation(
  open: OpenTransaction,
  accountId: AccountId,
  kind: CreationKind,
  at: string,
  created = 1,
): Promise<boolean> {
  const row = { account_id: accountId, kind, day: dayOf(at), created };
  const total = sql<number>`excluded.created +
    case when daily_creations.day = excluded.day then daily_creations.created else 0 end`;
  const counted = await open
    .insertInto("daily_creations")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "kind"])
        .doUpdateSet({ day: sql`excluded.day`, created: total })
        .where(sql<boolean>`${total} <= ${MOST[kind]}`),
    )
    .executeTakeFirst();
  return counted.numInsertedOrUpdatedRows !== 0n;
}
