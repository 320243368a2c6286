// Seasons of the public ladder with their final standings, and daily standings. Rows are written
// once and never updated.
import type { Selectable } from "kysely";

import type { BotId, LadderId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { compareSeasonIds } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import type {
  FinalStanding,
  NamedStanding,
  SeasonPlace,
  SeasonRecord,
} from "#data/store/season.ts";
import type { DailyPlaces } from "#data/store/standings.ts";

import { compiledInsert, compiledSelect } from "./statement.ts";
import type { Database, OpenTransaction, FinalStandingTable } from "./tables.ts";

const NO_SEASON = "";

export function seasonColumn(season: string | null): string {
  return season ?? NO_SEASON;
}

export function parseSeasonColumn(column: string): string | null {
  return column === NO_SEASON ? null : column;
}

export function competitionColumns({ ladderId, season }: Competition) {
  return { ladder_id: ladderId, season: seasonColumn(season) };
}

/**
 * Returns the end times of the first and last match of a competition, or null if it has no match.
 */
export async function competitionEnds(
  database: Database,
  competition: Competition,
): Promise<{ first: string; last: string } | null> {
  const { ladder_id, season } = competitionColumns(competition);
  return (await selectEnds(database, ladder_id, season))[0] ?? null;
}

const selectEnds = compiledSelect((database, ladderId: string, season: string) =>
  database
    .selectFrom("ladder_tallies")
    .select(["first_ended as first", "last_ended as last"])
    .where("ladder_id", "=", ladderId)
    .where("season", "=", season),
);

export async function listSeasons(database: Database): Promise<SeasonRecord[]> {
  const rows = await database.selectFrom("seasons").selectAll().execute();
  return rows
    .map(({ id, opens_at, closes_at, archived_at }) => {
      return { id, opensAt: opens_at, closesAt: closes_at, archivedAt: archived_at };
    })
    .toSorted((a, b) => compareSeasonIds(a.id, b.id));
}

export async function addSeasons(
  tx: OpenTransaction,
  newSeasons: readonly SeasonRecord[],
): Promise<boolean> {
  let isNew = false;
  for (const { id, opensAt, closesAt, archivedAt } of newSeasons) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("seasons")
      .values({ id, opens_at: opensAt, closes_at: closesAt, archived_at: archivedAt })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    isNew ||= (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
  return isNew;
}

export async function archiveSeason(
  tx: OpenTransaction,
  id: string,
  archivedAt: string,
  places: readonly FinalStanding[],
): Promise<boolean> {
  const result = await tx
    .updateTable("seasons")
    .set({ archived_at: archivedAt })
    .where("id", "=", id)
    .where("archived_at", "is", null)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await writeStandings(tx, { ladderId: DEFAULT_LADDER, season: id }, places);
  return true;
}

/** Writes the final standings of a competition. Call only if it has no final standings. */
export async function writeStandings(
  tx: OpenTransaction,
  competition: Competition,
  places: readonly FinalStanding[],
): Promise<void> {
  for (let start = 0; start < places.length; start += ROWS_PER_INSERT) {
    const chunk = places.slice(start, start + ROWS_PER_INSERT);
    await insertStandings(
      tx,
      chunk.map((place) => toColumns(competition, place)),
    );
  }
}

const ROWS_PER_INSERT = 50;

const insertStandings = compiledInsert((tx, rows: readonly Selectable<FinalStandingTable>[]) =>
  tx.insertInto("final_standings").values(rows),
);

/**
 * Selects the current names of bots and owners. Deleted bots keep the names stored with the
 * standings.
 */
const selectStandings = compiledSelect((database, ladderId: string, season: string) =>
  database
    .selectFrom("final_standings as f")
    .leftJoin("bots as b", "b.id", "f.bot_id")
    .leftJoin("accounts as a", "a.id", "b.owner_id")
    .select(["f.rank", "f.bot_id", "f.version_id", "f.house", "f.label", "f.rating", "f.deviation"])
    .select(["f.wins", "f.draws", "f.losses", "b.owner_id", "a.banned_at"])
    .select((eb) => [
      eb.fn.coalesce("b.name", "f.name").as("name"),
      eb.fn.coalesce("b.owner", "f.owner").as("owner"),
    ])
    .where("f.ladder_id", "=", ladderId)
    .where("f.season", "=", season)
    .orderBy("f.rank"),
);

export async function readFinalStandings(
  database: Database,
  competition: Competition,
): Promise<NamedStanding[]> {
  const { ladder_id, season } = competitionColumns(competition);
  const rows = await selectStandings(database, ladder_id, season);
  // Copied field by field, because spreading hundreds of rows takes longer than the query.
  return rows.map((row) => ({
    rank: row.rank,
    botId: row.bot_id,
    versionId: row.version_id,
    name: row.name,
    owner: row.owner,
    house: row.house === 1,
    label: row.label,
    rating: row.rating,
    deviation: row.deviation,
    wins: row.wins,
    draws: row.draws,
    losses: row.losses,
    ownerId: row.owner_id ?? "",
    ownerBanned: row.banned_at !== null,
  }));
}

export async function finalPlacesOf(database: Database, botId: BotId): Promise<SeasonPlace[]> {
  const rows = await database
    .selectFrom("final_standings")
    .selectAll()
    .where("bot_id", "=", botId)
    .where("ladder_id", "=", DEFAULT_LADDER)
    .execute();
  return toSeasonPlaces(rows);
}

export async function listChampions(database: Database): Promise<SeasonPlace[]> {
  const rows = await database
    .selectFrom("seasons as s")
    .innerJoin("final_standings as f", (join) =>
      join
        .onRef("f.season", "=", "s.id")
        .on("f.ladder_id", "=", DEFAULT_LADDER)
        .on("f.rank", "=", FIRST_RANK),
    )
    .selectAll("f")
    .execute();
  return toSeasonPlaces(rows);
}

const FIRST_RANK = 1;

function toSeasonPlaces(rows: readonly Selectable<FinalStandingTable>[]): SeasonPlace[] {
  return rows
    .map((row) => ({ season: row.season, ...toPlace(row) }))
    .toSorted((a, b) => compareSeasonIds(a.season, b.season));
}

function toColumns(competition: Competition, place: FinalStanding): Selectable<FinalStandingTable> {
  const { botId: bot_id, versionId: version_id, house, ...otherColumns } = place;
  return {
    ...competitionColumns(competition),
    bot_id,
    version_id,
    house: Number(house),
    ...otherColumns,
  };
}

function toPlace(row: Selectable<FinalStandingTable>): FinalStanding {
  const { ladder_id: _ladder, season: _season, bot_id, version_id, house, ...otherColumns } = row;
  return { botId: bot_id, versionId: version_id, house: house === 1, ...otherColumns };
}

export async function recordDailyPlaces(
  tx: OpenTransaction,
  places: DailyPlaces,
  since: string,
): Promise<boolean> {
  const { day, notedAt, botIds } = places;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("noted_places")
    .values({ ...competitionColumns(places), day, noted_at: notedAt, bot_ids: botIds.join(" ") })
    .onConflict((conflict) => conflict.columns(["ladder_id", "day"]).doNothing())
    .executeTakeFirst();
  const { numDeletedRows } = await tx
    .deleteFrom("noted_places")
    .where("ladder_id", "=", places.ladderId)
    .where((eb) => eb.or([eb("day", "<", since), eb("day", ">", day)]))
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) + numDeletedRows > 0n;
}

export async function latestDailyPlaces(
  database: Database,
  ladderId: LadderId,
): Promise<DailyPlaces | null> {
  const row = await database
    .selectFrom("noted_places")
    .selectAll()
    .where("ladder_id", "=", ladderId)
    .orderBy("day", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const botIds = row.bot_ids.split(" ").filter((id) => id !== "");
  return {
    ladderId,
    season: parseSeasonColumn(row.season),
    day: row.day,
    notedAt: row.noted_at,
    botIds,
  };
}
