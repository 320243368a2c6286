import { sql } from "kysely";
import type { NotNull, Selectable } from "kysely";

import { sure } from "#base/units/sure.ts";
import { seatFigures } from "#core/ladder/seat-figures.ts";
import type { SeatFigures } from "#core/ladder/seat-figures.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import { countDay } from "#data/days/daily.ts";
import { serveRequest } from "#data/events/serve-request.ts";
import type { FinishedMatch, MatchRecord, MatchStart } from "#data/store/match.ts";

import { noteActivity } from "./activity.ts";
import { countMatch, countPlay } from "./figures.ts";
import { noteHighlights } from "./highlight.ts";
import { botSeats, isCasual, isRanked } from "./mode.ts";
import { countOpponents } from "./opponent.ts";
import { countPair } from "./pair.ts";
import { competitionColumns } from "./season.ts";
import { insertion, selection } from "./statement.ts";
import type { Database, DocumentTable, MatchTable, OpenTransaction, SeatTable } from "./tables.ts";
import { noteTurns } from "./turn-figures.ts";

/**
 * Stores a finished match, and counts it if it is ranked; `stats` is its packed document. False
 * when a match with this id is stored already; it then stays as it is.
 */
export async function saveMatch(
  transaction: OpenTransaction,
  match: FinishedMatch,
  stats: Uint8Array | null,
): Promise<boolean> {
  if ((await insertMatches(transaction, [toColumns(match)])) === 0n) return false;
  await insertSeats(transaction, toSeats(match));
  const pairing = JSON.stringify(match.pairing);
  await insertDocuments(transaction, [{ match_id: match.id, pairing, stats }]);
  await serveRequest(transaction, match);
  await countDay(transaction, match);
  if (match.mode !== "ranked") return true;
  const figures = seatFigures(match.stats);
  await countMatch(transaction, match, figures.length > 0);
  if (!match.voided) await countFight(transaction, match, figures);
  return true;
}

/** Counts everything about a ranked match that is not void. */
async function countFight(
  transaction: OpenTransaction,
  match: FinishedMatch,
  figures: readonly SeatFigures[],
): Promise<void> {
  await noteHighlights(transaction, match);
  await countPlay(transaction, match, figures);
  await noteTurns(transaction, { ...match, seats: botSeats(match) }, figures);
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
    winner_seat: match.winnerSeat,
    voided: Number(match.voided),
    rated: Number(match.rated),
    unrated_reason: match.unratedReason,
  };
}

function toSeats(match: MatchRecord): Selectable<SeatTable>[] {
  return match.seats.map((seat, index) => ({
    match_id: match.id,
    seat: index,
    bot_id: seat.botId,
    version_id: seat.versionId,
    account_id: seat.accountId,
    name: seat.name,
    version: seat.version,
    fighter: seat.fighter,
    rating_before: seat.ratingBefore,
    rating_after: seat.ratingAfter,
    deviation_after: seat.deviationAfter,
    score_after: seat.scoreAfter,
    rated_games: seat.ratedGames,
    ...competitionColumns(match),
    mode: match.mode,
    ended: match.ended,
  }));
}

/** The packed statistics of a match; null when it has none. */
export async function matchStats(database: Database, id: string): Promise<Uint8Array | null> {
  return (await documentsOf(database, id))[0]?.stats ?? null;
}

const documentsOf = selection((database, id: string) =>
  database.selectFrom("match_documents").select("stats").where("match_id", "=", id),
);

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

/** Ladders on which the bot has any match, casual ones too. */
export async function playedLadders(database: Database, botId: BotId): Promise<LadderId[]> {
  const ladders = [
    ...(await rankedLadders(database, botId)),
    ...(await laddersOf(database, botId, nextCasualLadder)),
  ];
  return [...new Set(ladders)].toSorted();
}

/** Sorted. */
export function rankedLadders(database: Database, botId: BotId): Promise<LadderId[]> {
  return laddersOf(database, botId, nextRankedLadder);
}

const nextLadder = (isSuch: typeof isRanked) =>
  selection((database, botId: string, last: string) =>
    database
      .selectFrom("seats")
      .select("ladder_id")
      .where("bot_id", "=", botId)
      .where("ladder_id", ">", last)
      .where(isSuch("seats"))
      .orderBy("ladder_id")
      .limit(sql.lit(1)),
  );

const nextRankedLadder = nextLadder(isRanked);
const nextCasualLadder = nextLadder(isCasual);

/** Steps from ladder to ladder through an index instead of reading all of the bot's seats. */
async function laddersOf(
  database: Database,
  botId: BotId,
  next: typeof nextRankedLadder,
): Promise<LadderId[]> {
  const ladders: string[] = [];
  for (let last = ""; ;) {
    const [row] = await next(database, botId, last);
    if (!row) return ladders;
    last = row.ladder_id;
    ladders.push(last);
  }
}

/** Oldest first. */
export async function startsSince(database: Database, since: string): Promise<MatchStart[]> {
  return (
    database
      .selectFrom((eb) => eb.selectFrom("ladder_tallies").select("ladder_id").distinct().as("l"))
      .innerJoin("matches", "matches.ladder_id", "l.ladder_id")
      .innerJoin("seats", "seats.match_id", "matches.id")
      .select(["seats.bot_id as botId", "matches.ladder_id as ladderId", "matches.started"])
      // Redundant, but it lets the index by end find the matches.
      .where("matches.ended", ">=", since)
      .where("matches.started", ">=", since)
      .where(isRanked("matches"))
      .orderBy("matches.started")
      .orderBy("matches.id")
      .orderBy("seats.seat")
      .$narrowType<{ botId: NotNull }>()
      .execute()
  );
}

type Wrong = { seatless: number; contrary: number; rated: number; tallies: number };

/**
 * Numbers of stored matches that lack a seat or have one of another season or mode, of those that
 * contradict themselves, of seats whose rating figures do not fit their match, and of competitions
 * with a wrong tally.
 */
export async function wrongMatches(database: Database): Promise<Wrong> {
  const { rows } = await sql<Wrong>`select
    (select count(*) from matches as m
      where 2 > (select count(*) from seats as s where s.match_id = m.id and s.seat in (0, 1)
        and s.ladder_id = m.ladder_id and s.season = m.season and s.mode = m.mode))
      as seatless,
    (select count(*) from matches
      where (rated = 1) <> (unrated_reason is null) or (rated = 1 and mode <> 'ranked')
        or (voided = 1 and (rated = 1 or winner_seat is not null)) or winner_seat not in (0, 1))
      as contrary,
    (select count(*) from seats as s join matches as m on m.id = s.match_id
      where (m.rated = 1) <> (s.rating_after is not null)
        or (s.rating_before is null) <> (s.rating_after is null)
        or (s.deviation_after is null) <> (s.score_after is null)
        or (s.deviation_after is not null and m.rated = 0))
      as rated,
    (select count(*) from
      (select ladder_id, season, sum(1 - voided) as games, sum(voided) as voided,
        sum(case when voided = 0 and winner_seat is null then 1 else 0 end) as draws,
        min(ended) as first_ended, max(ended) as last_ended
        from matches where mode = 'ranked' group by ladder_id, season) as counted
      left join ladder_tallies as t
        on t.ladder_id = counted.ladder_id and t.season = counted.season
      where t.ladder_id is null or t.games <> counted.games or t.voided <> counted.voided
        or t.draws <> counted.draws or t.first_ended <> counted.first_ended
        or t.last_ended <> counted.last_ended)
      as tallies`.execute(database);
  return sure(rows[0], "row");
}
