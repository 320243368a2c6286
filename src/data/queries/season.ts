// Seasons of public and their final standings, and the standings of single days. All of them are
// written once.
import type { Selectable } from "kysely";

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { newestFirst } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { FinalStanding, ReadStanding, SeasonPlace, SeasonRecord } from "#data/store/season.ts";
import type { NotedPlaces } from "#data/store/standings.ts";

import { insertion, selection } from "./statement.ts";
import type { Database, OpenTransaction, StandingTable } from "./tables.ts";

/** The season column on ladders without seasons. */
const NONE = "";

export function seasonColumn(season: string | null): string {
  return season ?? NONE;
}

export function seasonOf(column: string): string | null {
  return column === NONE ? null : column;
}

/** Ladder and season as the columns of every table that counts. */
export function competitionColumns({ ladderId, season }: Competition) {
  return { ladder_id: ladderId, season: seasonColumn(season) };
}

/** When the first and the last match of a competition ended; null when it has none. */
export async function endsOf(
  database: Database,
  of: Competition,
): Promise<{ first: string; last: string } | null> {
  const { ladder_id, season } = competitionColumns(of);
  return (await endsIn(database, ladder_id, season))[0] ?? null;
}

const endsIn = selection((database, ladderId: string, season: string) =>
  database
    .selectFrom("ladder_tallies")
    .select(["first_ended as first", "last_ended as last"])
    .where("ladder_id", "=", ladderId)
    .where("season", "=", season),
);

/** Newest first, preseason last. */
export async function seasons(database: Database): Promise<SeasonRecord[]> {
  const rows = await database.selectFrom("seasons").selectAll().execute();
  return rows
    .map(({ id, opens_at, closes_at, archived_at }) => {
      return { id, opensAt: opens_at, closesAt: closes_at, archivedAt: archived_at };
    })
    .toSorted((one, other) => newestFirst(one.id, other.id));
}

/** False when all of them exist. */
export async function openSeasons(
  transaction: OpenTransaction,
  opened: readonly SeasonRecord[],
): Promise<boolean> {
  let isNew = false;
  for (const { id, opensAt, closesAt, archivedAt } of opened) {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto("seasons")
      .values({ id, opens_at: opensAt, closes_at: closesAt, archived_at: archivedAt })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    isNew ||= (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
  return isNew;
}

/** False, changing nothing, when the season is archived already or does not exist. */
export async function archiveSeason(
  transaction: OpenTransaction,
  id: string,
  archivedAt: string,
  places: readonly FinalStanding[],
): Promise<boolean> {
  const marked = await transaction
    .updateTable("seasons")
    .set({ archived_at: archivedAt })
    .where("id", "=", id)
    .where("archived_at", "is", null)
    .executeTakeFirst();
  if (marked.numUpdatedRows === 0n) return false;
  await writePlaces(transaction, { ladderId: DEFAULT_LADDER, season: id }, places);
  return true;
}

/** Final standings of a competition that has none yet. */
export async function writePlaces(
  transaction: OpenTransaction,
  of: Competition,
  places: readonly FinalStanding[],
): Promise<void> {
  for (let first = 0; first < places.length; first += PLACES_AT_ONCE) {
    const portion = places.slice(first, first + PLACES_AT_ONCE);
    await addPlaces(
      transaction,
      portion.map((place) => toColumns(of, place)),
    );
  }
}

/** In one statement. */
const PLACES_AT_ONCE = 50;

const addPlaces = insertion((open, rows: readonly Selectable<StandingTable>[]) =>
  open.insertInto("final_standings").values(rows),
);

/** With the present names of bots and owners; of bots that are gone, those of then. */
const placesWithNames = selection((database, ladderId: string, season: string) =>
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

/** By rank. */
export async function finalStandings(database: Database, of: Competition): Promise<ReadStanding[]> {
  const { ladder_id, season } = competitionColumns(of);
  const rows = await placesWithNames(database, ladder_id, season);
  // Field by field: hundreds of rows, for which `...` takes longer than the query.
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

/** On public, newest season first. */
export async function finalPlacesOf(database: Database, botId: BotId): Promise<SeasonPlace[]> {
  const rows = await database
    .selectFrom("final_standings")
    .selectAll()
    .where("bot_id", "=", botId)
    .where("ladder_id", "=", DEFAULT_LADDER)
    .execute();
  return inSeasons(rows);
}

/** On public, newest season first. Looks up one row a season, however many were ranked in it. */
export async function champions(database: Database): Promise<SeasonPlace[]> {
  const rows = await database
    .selectFrom("seasons as s")
    .innerJoin("final_standings as f", (join) =>
      join
        .onRef("f.season", "=", "s.id")
        .on("f.ladder_id", "=", DEFAULT_LADDER)
        .on("f.rank", "=", FIRST),
    )
    .selectAll("f")
    .execute();
  return inSeasons(rows);
}

const FIRST = 1;

function inSeasons(rows: readonly Selectable<StandingTable>[]): SeasonPlace[] {
  return rows
    .map((row) => ({ season: row.season, ...toPlace(row) }))
    .toSorted((one, other) => newestFirst(one.season, other.season));
}

function toColumns(of: Competition, place: FinalStanding): Selectable<StandingTable> {
  const { botId: bot_id, versionId: version_id, house, ...same } = place;
  return { ...competitionColumns(of), bot_id, version_id, house: Number(house), ...same };
}

function toPlace(row: Selectable<StandingTable>): FinalStanding {
  const { ladder_id: _ladder, season: _season, bot_id, version_id, house, ...same } = row;
  return { botId: bot_id, versionId: version_id, house: house === 1, ...same };
}

/** Keeps the days from `since` to the noted one. False if nothing had to change. */
export async function notePlaces(
  transaction: OpenTransaction,
  places: NotedPlaces,
  since: string,
): Promise<boolean> {
  const { day, notedAt, botIds } = places;
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("noted_places")
    .values({ ...competitionColumns(places), day, noted_at: notedAt, bot_ids: botIds.join(" ") })
    .onConflict((conflict) => conflict.columns(["ladder_id", "day"]).doNothing())
    .executeTakeFirst();
  const { numDeletedRows } = await transaction
    .deleteFrom("noted_places")
    .where("ladder_id", "=", places.ladderId)
    .where((eb) => eb.or([eb("day", "<", since), eb("day", ">", day)]))
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) + numDeletedRows > 0n;
}

export async function latestPlaces(
  database: Database,
  ladderId: LadderId,
): Promise<NotedPlaces | null> {
  const row = await database
    .selectFrom("noted_places")
    .selectAll()
    .where("ladder_id", "=", ladderId)
    .orderBy("day", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const botIds = row.bot_ids.split(" ").filter((id) => id !== "");
  return { ladderId, season: seasonOf(row.season), day: row.day, notedAt: row.noted_at, botIds };
}
