import { sql } from "kysely";
import type { NotNull, Selectable } from "kysely";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import { parseSeatStats } from "#core/ladder/seat-stats.ts";
import type { SeatStats } from "#core/ladder/seat-stats.ts";
import { countDailyMatch } from "#data/daily-stats/daily-counts.ts";
import { serveRequest } from "#data/events/serve-opponent-request.ts";
import type { FinishedMatch, MatchRecord, MatchStart } from "#data/store/match.ts";

import { recordActivity } from "./activity.ts";
import { countRankedMatch, recordPlay } from "./competition-stats.ts";
import { recordHighlights } from "./highlight.ts";
import { botSeats, isCasual, isRanked } from "./match-mode.ts";
import { countOpponents } from "./opponent.ts";
import { countPair } from "./pair-counts.ts";
import { competitionColumns } from "./season.ts";
import { compiledInsert, compiledSelect } from "./statement.ts";
import type {
  Database,
  MatchDocumentTable,
  MatchTable,
  OpenTransaction,
  SeatTable,
} from "./tables.ts";
import { recordTurns } from "./turn-stats.ts";

export async function insertMatch(
  tx: OpenTransaction,
  match: FinishedMatch,
  stats: Uint8Array | null,
): Promise<boolean> {
  if ((await insertMatches(tx, [toColumns(match)])) === 0n) return false;
  await insertSeats(tx, toSeats(match));
  const pairing = JSON.stringify(match.pairing);
  await insertDocuments(tx, [{ match_id: match.id, pairing, stats }]);
  await serveRequest(tx, match);
  await countDailyMatch(tx, match);
  if (match.mode !== "ranked") return true;
  const figures = parseSeatStats(match.stats);
  await countRankedMatch(tx, match, figures.length > 0);
  if (!match.voided) await countPlayedMatch(tx, match, figures);
  return true;
}

async function countPlayedMatch(
  tx: OpenTransaction,
  match: FinishedMatch,
  stats: readonly SeatStats[],
): Promise<void> {
  await recordHighlights(tx, match);
  await recordPlay(tx, match, stats);
  await recordTurns(tx, { ...match, seats: botSeats(match) }, stats);
  if (!match.rated) return;
  await countPair(tx, match);
  await recordActivity(tx, match);
  await countOpponents(tx, match);
}

const insertMatches = compiledInsert((tx, rows: readonly Selectable<MatchTable>[]) =>
  tx
    .insertInto("matches")
    .values(rows)
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

const insertSeats = compiledInsert((tx, rows: readonly Selectable<SeatTable>[]) =>
  tx.insertInto("seats").values(rows),
);

const insertDocuments = compiledInsert((tx, rows: readonly Selectable<MatchDocumentTable>[]) =>
  tx.insertInto("match_documents").values(rows),
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
  return match.seats.map((seat, seatIndex) => ({
    match_id: match.id,
    seat: seatIndex,
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

export async function packedStats(database: Database, id: string): Promise<Uint8Array | null> {
  return (await documentsOf(database, id))[0]?.stats ?? null;
}

const documentsOf = compiledSelect((database, id: string) =>
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

export async function playedLadders(database: Database, botId: BotId): Promise<LadderId[]> {
  const ladders = [
    ...(await rankedLadders(database, botId)),
    ...(await collectLadders(database, botId, nextCasualLadder)),
  ];
  return [...new Set(ladders)].toSorted();
}

export function rankedLadders(database: Database, botId: BotId): Promise<LadderId[]> {
  return collectLadders(database, botId, nextRankedLadder);
}

const createNextLadder = (modeCondition: typeof isRanked) =>
  compiledSelect((database, botId: string, lastLadderId: string) =>
    database
      .selectFrom("seats")
      .select("ladder_id")
      .where("bot_id", "=", botId)
      .where("ladder_id", ">", lastLadderId)
      .where(modeCondition("seats"))
      .orderBy("ladder_id")
      .limit(sql.lit(1)),
  );

const nextRankedLadder = createNextLadder(isRanked);
const nextCasualLadder = createNextLadder(isCasual);

/** Skips from ladder to ladder in the index instead of reading all seats of the bot. */
async function collectLadders(
  database: Database,
  botId: BotId,
  selectNext: typeof nextRankedLadder,
): Promise<LadderId[]> {
  const ladders: string[] = [];
  for (let lastLadderId = ""; ;) {
    const [row] = await selectNext(database, botId, lastLadderId);
    if (!row) return ladders;
    lastLadderId = row.ladder_id;
    ladders.push(lastLadderId);
  }
}

export async function startsSince(database: Database, since: string): Promise<MatchStart[]> {
  return (
    database
      .selectFrom((eb) => eb.selectFrom("ladder_tallies").select("ladder_id").distinct().as("l"))
      .innerJoin("matches", "matches.ladder_id", "l.ladder_id")
      .innerJoin("seats", "seats.match_id", "matches.id")
      .select(["seats.bot_id as botId", "matches.ladder_id as ladderId", "matches.started"])
      // Redundant, but allows use of the index by end time.
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

type MatchInconsistencies = { seatless: number; contrary: number; rated: number; tallies: number };

/**
 * Returns how many matches have a missing or mismatched seat, how many are inconsistent, how many
 * seats have ratings that don't fit the match, and how many competitions have a wrong tally.
 */
export async function findMatchInconsistencies(database: Database): Promise<MatchInconsistencies> {
  const { rows } = await sql<MatchInconsistencies>`select
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
  return assertDefined(rows[0], "row");
}
