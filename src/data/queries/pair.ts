// Results per version pair and map, counted as matches arrive. They are all that a refit reads.
import { sql } from "kysely";
import type { Selectable } from "kysely";

import type { Competition } from "#core/ladder/season.ts";
import type { Results } from "#core/words/results.ts";
import type { PairCount } from "#data/store/figures.ts";
import type { MatchRecord } from "#data/store/match.ts";

import { botSeats } from "./mode.ts";
import type { BotSeat } from "./mode.ts";
import { differingRows } from "./recount.ts";
import { competitionColumns, seasonColumn } from "./season.ts";
import { insertion } from "./statement.ts";
import type { Database, OpenTransaction, PairTable } from "./tables.ts";

/** Counts a rated match. Throws RangeError unless its two seats have different versions. */
export async function countPair(transaction: OpenTransaction, match: MatchRecord): Promise<void> {
  const [first, second] = pairOf(match);
  const row = {
    ...competitionColumns(match),
    first_version: first.versionId,
    second_version: second.versionId,
    map: match.map,
    ...resultOf(match, first),
  };
  await addCounts(transaction, [row]);
}

const addCounts = insertion((open, rows: readonly Selectable<PairTable>[]) =>
  open
    .insertInto("pair_counts")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["ladder_id", "season", "first_version", "second_version", "map"])
        .doUpdateSet({
          wins: sql`pair_counts.wins + excluded.wins`,
          draws: sql`pair_counts.draws + excluded.draws`,
          losses: sql`pair_counts.losses + excluded.losses`,
        }),
    ),
);

export type PairedSeat = BotSeat & { seat: number };

/** The result of a rated match for one of its two seats. */
export function resultOf({ winnerSeat }: MatchRecord, { seat }: PairedSeat): Results {
  const draws = Number(winnerSeat === null);
  const wins = Number(winnerSeat === seat);
  return { wins, draws, losses: 1 - wins - draws };
}

/** The seats of a rated match, ordered by version id. */
export function pairOf(match: MatchRecord): [first: PairedSeat, second: PairedSeat] {
  const seats = botSeats(match).map((one, seat) => ({ ...one, seat }));
  const [first, second, ...more] = seats.toSorted((a, b) => (a.versionId < b.versionId ? -1 : 1));
  if (!first || !second || more.length > 0 || first.versionId === second.versionId)
    throw new RangeError("a rated match has two seats, of two versions");
  return [first, second];
}

export async function pairCounts(database: Database, of: Competition): Promise<PairCount[]> {
  return database
    .selectFrom("pair_counts")
    .select(["first_version as first", "second_version as second"])
    .select(["map", "wins", "draws", "losses"])
    .where("ladder_id", "=", of.ladderId)
    .where("season", "=", seasonColumn(of.season))
    .orderBy("first_version")
    .orderBy("second_version")
    .orderBy("map")
    .execute();
}

/** Number of counts that differ from a recount of the stored matches. */
export async function wrongPairCounts(database: Database): Promise<number> {
  return differingRows(database, RECOUNT, STORED);
}

const STORED = sql`select ladder_id, season, first_version, second_version, map, wins, draws, losses
  from pair_counts`;

const RECOUNT = sql`
  select m.ladder_id, m.season,
    a.version_id as first_version, b.version_id as second_version, m.map,
    sum(case when m.winner_seat = a.seat then 1 else 0 end) as wins,
    sum(case when m.winner_seat is null then 1 else 0 end) as draws,
    sum(case when m.winner_seat = b.seat then 1 else 0 end) as losses
  from matches as m
    join seats as a on a.match_id = m.id
    join seats as b on b.match_id = m.id and a.version_id < b.version_id
  where m.rated = 1 and m.voided = 0
  group by m.ladder_id, m.season, a.version_id, b.version_id, m.map`;
