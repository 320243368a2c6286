// Results per version pair and map, counted when a match is stored. Refitting ratings reads nothing
// else.
import { sql } from "kysely";
import type { Selectable } from "kysely";

import type { Results } from "#core/ids/results.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { MatchRecord } from "#data/store/match.ts";
import type { PairCount } from "#data/store/stats.ts";

import { countDifferingRows } from "./differing-rows.ts";
import { botSeats } from "./match-mode.ts";
import type { BotSeat } from "./match-mode.ts";
import { competitionColumns, seasonColumn } from "./season.ts";
import { compiledInsert } from "./statement.ts";
import type { Database, OpenTransaction, PairCountTable } from "./tables.ts";

/** Counts a rated match. Throws RangeError unless the two seats have different versions. */
export async function countPair(tx: OpenTransaction, match: MatchRecord): Promise<void> {
  const [first, second] = versionPair(match);
  const row = {
    ...competitionColumns(match),
    first_version: first.versionId,
    second_version: second.versionId,
    map: match.map,
    ...seatResult(match, first),
  };
  await incrementPairCounts(tx, [row]);
}

const incrementPairCounts = compiledInsert((tx, rows: readonly Selectable<PairCountTable>[]) =>
  tx
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

export type VersionSeat = BotSeat & { seat: number };

export function seatResult({ winnerSeat }: MatchRecord, { seat }: VersionSeat): Results {
  const draws = Number(winnerSeat === null);
  const wins = Number(winnerSeat === seat);
  return { wins, draws, losses: 1 - wins - draws };
}

/** Returns the seats of a rated match, sorted by version ID. */
export function versionPair(match: MatchRecord): [first: VersionSeat, second: VersionSeat] {
  const seats = botSeats(match).map((botSeat, seat) => ({ ...botSeat, seat }));
  const [first, second, ...extraSeats] = seats.toSorted((a, b) =>
    a.versionId < b.versionId ? -1 : 1,
  );
  if (!first || !second || extraSeats.length > 0 || first.versionId === second.versionId)
    throw new RangeError("a rated match needs two seats with different versions");
  return [first, second];
}

export async function pairCounts(
  database: Database,
  competition: Competition,
): Promise<PairCount[]> {
  return database
    .selectFrom("pair_counts")
    .select(["first_version as first", "second_version as second"])
    .select(["map", "wins", "draws", "losses"])
    .where("ladder_id", "=", competition.ladderId)
    .where("season", "=", seasonColumn(competition.season))
    .orderBy("first_version")
    .orderBy("second_version")
    .orderBy("map")
    .execute();
}

export async function countWrongPairs(database: Database): Promise<number> {
  return countDifferingRows(database, RECOUNTED, STORED_COUNTS);
}

const STORED_COUNTS = sql`select ladder_id, season, first_version, second_version, map, wins, draws, losses
  from pair_counts`;

const RECOUNTED = sql`
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
