import { sql } from "kysely";
import type { Selectable } from "kysely";

import { noteActivity } from "./activity.ts";
import { countPair } from "./pair.ts";
import type { FinishedMatch, MatchRecord } from "./store.ts";
import type { Database, MatchTable, OpenTransaction, SeatTable } from "./tables.ts";

/**
 * Stores a finished match with all that is counted from it; `stats` is its packed document.
 * A match whose id is stored already is left as it is.
 */
export async function saveMatch(
  transaction: OpenTransaction,
  match: FinishedMatch,
  stats: Uint8Array | null,
): Promise<void> {
  const inserted = await transaction
    .insertInto("matches")
    .values(toColumns(match))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return;
  await transaction.insertInto("seats").values(toSeats(match)).execute();
  const pairing = JSON.stringify(match.pairing ?? null);
  const document = { match_id: match.id, pairing, stats };
  await transaction.insertInto("match_documents").values(document).execute();
  await countMatch(transaction, match);
  if (!match.rated || match.voided) return;
  await countPair(transaction, match);
  await noteActivity(transaction, match);
}

async function countMatch(transaction: OpenTransaction, match: MatchRecord): Promise<void> {
  const voided = Number(match.voided);
  await transaction
    .insertInto("ladder_tallies")
    .values({ ladder_id: match.ladderId, games: 1 - voided, voided })
    .onConflict((conflict) =>
      conflict.column("ladder_id").doUpdateSet({
        games: sql`ladder_tallies.games + excluded.games`,
        voided: sql`ladder_tallies.voided + excluded.voided`,
      }),
    )
    .execute();
}

function toColumns(match: MatchRecord): Selectable<MatchTable> {
  const { id, mode, map, seed, started, ended, reason } = match;
  return {
    id,
    mode,
    map,
    seed,
    started,
    ended,
    reason,
    ladder_id: match.ladderId,
    duration_ms: match.durationMs,
    final_tick: match.finalTick,
    winner_bot_id: match.winnerBotId,
    voided: Number(match.voided),
    rated: Number(match.rated),
  };
}

function toSeats(match: MatchRecord): Selectable<SeatTable>[] {
  return match.seats.map((seat, index) => ({
    match_id: match.id,
    seat: index,
    bot_id: seat.botId,
    version_id: seat.versionId,
    fighter: seat.fighter,
    rating_before: seat.ratingBefore,
    rating_after: seat.ratingAfter,
    ladder_id: match.ladderId,
    ended: match.ended,
  }));
}

/** The packed statistics of a match, null when it has none. */
export async function matchStats(database: Database, id: string): Promise<Uint8Array | null> {
  const row = await database
    .selectFrom("match_documents")
    .select("stats")
    .where("match_id", "=", id)
    .executeTakeFirst();
  return row?.stats ?? null;
}

export async function matchCounts(
  database: Database,
  ladderId: string,
): Promise<{ games: number; voided: number }> {
  const row = await database
    .selectFrom("ladder_tallies")
    .select(["games", "voided"])
    .where("ladder_id", "=", ladderId)
    .executeTakeFirst();
  return { games: row?.games ?? 0, voided: row?.voided ?? 0 };
}

export async function matchIds(database: Database): Promise<string[]> {
  const rows = await database.selectFrom("matches").select("id").execute();
  return rows.map((row) => row.id);
}

/** Steps from ladder to ladder through the index instead of reading all of the bot's seats. */
export async function playedLadders(database: Database, botId: string): Promise<string[]> {
  const ladders: string[] = [];
  for (let last = ""; ;) {
    const row = await database
      .selectFrom("seats")
      .select("ladder_id")
      .where("bot_id", "=", botId)
      .where("ladder_id", ">", last)
      .orderBy("ladder_id")
      .limit(1)
      .executeTakeFirst();
    if (!row) return ladders;
    last = row.ladder_id;
    ladders.push(last);
  }
}

/** Oldest first. */
export async function startsSince(
  database: Database,
  since: string,
): Promise<{ botId: string; started: string }[]> {
  return database
    .selectFrom("matches")
    .innerJoin("seats", "seats.match_id", "matches.id")
    .select(["seats.bot_id as botId", "matches.started"])
    .where("matches.started", ">=", since)
    .orderBy("matches.started")
    .orderBy("matches.id")
    .orderBy("seats.seat")
    .execute();
}

/** How many stored matches lack a seat, and how many ladders have a wrong tally. */
export async function wrongMatches(
  database: Database,
): Promise<{ seatless: number; tallies: number }> {
  const { rows } = await sql<{ seatless: number; tallies: number }>`select
    (select count(*) from matches as m
      where not exists (select 1 from seats as s where s.match_id = m.id and s.seat = 1))
      as seatless,
    (select count(*) from
      (select ladder_id, sum(1 - voided) as games, sum(voided) as voided
        from matches group by ladder_id) as counted
      left join ladder_tallies as t on t.ladder_id = counted.ladder_id
      where t.ladder_id is null or t.games <> counted.games or t.voided <> counted.voided)
      as tallies`.execute(database);
  return rows[0] ?? { seatless: 0, tallies: 0 };
}
