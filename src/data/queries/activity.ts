import { sql } from "kysely";
import type { Selectable } from "kysely";

import type { Competition } from "#core/ladder/season.ts";
import type { MatchRecord } from "#data/store/match.ts";
import type { VersionActivity } from "#data/store/stats.ts";

import { versionPair } from "./pair-counts.ts";
import { competitionColumns, seasonColumn } from "./season.ts";
import { compiledInsert } from "./statement.ts";
import type { VersionActivityTable, Database, OpenTransaction } from "./tables.ts";

/** Records a rated match for both versions. Matches may be recorded in any order. */
export async function recordActivity(tx: OpenTransaction, match: MatchRecord): Promise<void> {
  await addActivity(tx, toActivityRows(match));
}

const IS_LATER = sql`(excluded.last_played, excluded.last_match_id)
  > (version_activity.last_played, version_activity.last_match_id)`;

const addActivity = compiledInsert((tx, rows: readonly Selectable<VersionActivityTable>[]) =>
  tx
    .insertInto("version_activity")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["ladder_id", "season", "version_id"]).doUpdateSet({
        last_played: sql`case when ${IS_LATER} then excluded.last_played
          else version_activity.last_played end`,
        last_match_id: sql`case when ${IS_LATER} then excluded.last_match_id
          else version_activity.last_match_id end`,
        seat_balance: sql`version_activity.seat_balance + excluded.seat_balance`,
      }),
    ),
);

/** Sorts by version ID, so that concurrent transactions lock rows in the same order. */
function toActivityRows(match: MatchRecord) {
  return versionPair(match).map((seat) => ({
    ...competitionColumns(match),
    version_id: seat.versionId,
    bot_id: seat.botId,
    last_played: match.ended,
    last_match_id: match.id,
    seat_balance: seat.seat === 0 ? 1 : -1,
  }));
}

export async function versionActivity(
  database: Database,
  competition: Competition,
): Promise<VersionActivity[]> {
  return database
    .selectFrom("version_activity")
    .select(["version_id as versionId", "bot_id as botId", "last_played as lastPlayed"])
    .select(["last_match_id as lastMatchId", "seat_balance as seatBalance"])
    .where("ladder_id", "=", competition.ladderId)
    .where("season", "=", seasonColumn(competition.season))
    .orderBy("version_id")
    .execute()
    .then((rows) => rows.map((row) => ({ ...row })));
}
