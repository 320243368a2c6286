import { sql } from "kysely";
import type { Selectable } from "kysely";

import { seatFigures } from "#core/ladder/seat-figures.ts";
import type { SeatFigures } from "#core/ladder/seat-figures.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { FinishedMatch, MatchRecord } from "#data/store/match.ts";

import { noteActivity } from "./activity.ts";
import { countMatch, countPlay } from "./figures.ts";
import { noteHighlights } from "./highlight.ts";
import { countOpponents } from "./opponent.ts";
import { countPair } from "./pair.ts";
import { printPairing } from "./pairing-document.ts";
import { competitionColumns } from "./season.ts";
import { insertion } from "./statement.ts";
import type { Database, DocumentTable, MatchTable, OpenTransaction, SeatTable } from "./tables.ts";
import { noteTurns } from "./turn-figures.ts";

/**
 * Stores a finished match with all that is counted from it; `stats` is its packed document.
 * A match whose id is stored already is left as it is: false then.
 */
export async function saveMatch(
  transaction: OpenTransaction,
  match: FinishedMatch,
  stats: Uint8Array | null,
): Promise<boolean> {
  if ((await insertMatches(transaction, [toColumns(match)])) === 0n) return false;
  await insertSeats(transaction, toSeats(match));
  const pairing = printPairing(match);
  await insertDocuments(transaction, [{ match_id: match.id, pairing, stats }]);
  const figures = seatFigures(match.stats);
  await countMatch(transaction, match, figures.length > 0);
  if (!match.voided) await countFight(transaction, match, figures);
  return true;
}

/** Everything that is counted of a match that is not void. */
async function countFight(
  transaction: OpenTransaction,
  match: FinishedMatch,
  figures: readonly SeatFigures[],
): Promise<void> {
  await noteHighlights(transaction, match);
  await countPlay(transaction, match, figures);
  await noteTurns(transaction, match, figures);
  if (!match.rated) return;
  await countPair(transaction, match);
  await noteActivity(transaction, match);
  await countOpponents(transaction, match);
}

const insertMatches = insertion((open, rows: readonly Selectable<MatchTable>[]) =>
  open
    .insertInto("matches")
    .values(rows)
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

const insertSeats = insertion((open, rows: readonly Selectable<SeatTable>[]) =>
  open.insertInto("seats").values(rows),
);

const insertDocuments = insertion((open, rows: readonly Selectable<DocumentTable>[]) =>
  open.insertInto("match_documents").values(rows),
);

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
    ...competitionColumns(match),
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
    ...competitionColumns(match),
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
  ladderId: LadderId,
): Promise<{ games: number; voided: number }> {
  const rows = await database
    .selectFrom("ladder_tallies")
    .select(["games", "voided"])
    .where("ladder_id", "=", ladderId)
    .execute();
  const sum = (name: "games" | "voided") => rows.reduce((total, row) => total + row[name], 0);
  return { games: sum("games"), voided: sum("voided") };
}

export async function matchIds(database: Database): Promise<string[]> {
  const rows = await database.selectFrom("matches").select("id").execute();
  return rows.map((row) => row.id);
}

/** Steps from ladder to ladder through the index instead of reading all of the bot's seats. */
export async function playedLadders(database: Database, botId: BotId): Promise<string[]> {
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
): Promise<{ botId: BotId; started: string }[]> {
  return (
    database
      .selectFrom("matches")
      .innerJoin("seats", "seats.match_id", "matches.id")
      .select(["seats.bot_id as botId", "matches.started"])
      .where("matches.ladder_id", "in", (eb) => eb.selectFrom("ladder_tallies").select("ladder_id"))
      // What started since has ended since, and by their ends matches are found.
      .where("matches.ended", ">=", since)
      .where("matches.started", ">=", since)
      .orderBy("matches.started")
      .orderBy("matches.id")
      .orderBy("seats.seat")
      .execute()
  );
}

/**
 * How many stored matches lack a seat or have one of another season, and how many competitions have
 * a wrong tally.
 */
export async function wrongMatches(
  database: Database,
): Promise<{ seatless: number; tallies: number }> {
  const { rows } = await sql<{ seatless: number; tallies: number }>`select
    (select count(*) from matches as m
      where 2 > (select count(*) from seats as s where s.match_id = m.id
        and s.seat in (0, 1) and s.ladder_id = m.ladder_id and s.season = m.season))
      as seatless,
    (select count(*) from
      (select ladder_id, season, sum(1 - voided) as games, sum(voided) as voided,
        sum(case when voided = 0 and winner_bot_id is null then 1 else 0 end) as draws,
        min(ended) as first_ended, max(ended) as last_ended
        from matches group by ladder_id, season) as counted
      left join ladder_tallies as t
        on t.ladder_id = counted.ladder_id and t.season = counted.season
      where t.ladder_id is null or t.games <> counted.games or t.voided <> counted.voided
        or t.draws <> counted.draws or t.first_ended <> counted.first_ended
        or t.last_ended <> counted.last_ended)
      as tallies`.execute(database);
  return rows[0] ?? { seatless: 0, tallies: 0 };
}
