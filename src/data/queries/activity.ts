// When versions last played, and from which seats. Rated games only, counted as they arrive.
import { sql } from "kysely";
import type { Selectable } from "kysely";

import type { Competition } from "#core/ladder/season.ts";
import type { VersionActivity } from "#data/store/figures.ts";
import type { MatchRecord } from "#data/store/match.ts";

import { pairOf } from "./pair.ts";
import { competitionColumns, seasonColumn } from "./season.ts";
import { insertion } from "./statement.ts";
import type { ActivityTable, Database, OpenTransaction } from "./tables.ts";

/** Notes a rated match for both of its versions. Matches may arrive in any order. */
export async function noteActivity(
  transaction: OpenTransaction,
  match: MatchRecord,
): Promise<void> {
  await addActivity(transaction, toRows(match));
}

const LATER = sql`(excluded.last_played, excluded.last_match_id)
  > (version_activity.last_played, version_activity.last_match_id)`;

const addActivity = insertion((open, rows: readonly Selectable<ActivityTable>[]) =>
  open
    .insertInto("version_activity")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["ladder_id", "season", "version_id"]).doUpdateSet({
        last_played: sql`case when ${LATER} then excluded.last_played
          else version_activity.last_played end`,
        last_match_id: sql`case when ${LATER} then excluded.last_match_id
          else version_activity.last_match_id end`,
        seat_balance: sql`version_activity.seat_balance + excluded.seat_balance`,
      }),
    ),
);

/** Ordered by version id, so that concurrent transactions lock rows in the same order. */
function toRows(match: MatchRecord) {
  return pairOf(match).map((seat) => ({
    ...competitionColumns(match),
    version_id: seat.versionId,
    bot_id: seat.botId,
    last_played: match.ended,
    last_match_id: match.id,
    seat_balance: seat.seat === 0 ? 1 : -1,
  }));
}

/** Ordered by version id. */
export async function activity(database: Database, of: Competition): Promise<VersionActivity[]> {
  return database
    .selectFrom("version_activity")
    .select(["version_id as versionId", "bot_id as botId", "last_played as lastPlayed"])
    .select(["last_match_id as lastMatchId", "seat_balance as seatBalance"])
    .where("ladder_id", "=", of.ladderId)
    .where("season", "=", seasonColumn(of.season))
    .orderBy("version_id")
    .execute()
    .then((rows) => rows.map((row) => ({ ...row })));
}
