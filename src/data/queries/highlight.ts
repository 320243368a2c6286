// Matches that stand out in a competition. The greatest of each kind is updated as matches arrive.
import { sql } from "kysely";
import type { Selectable } from "kysely";

import { bothOf } from "#base/units/sure.ts";
import { newestFirst } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { CompetitionFigures, HighlightKind } from "#data/store/figures.ts";
import type { FinishedMatch } from "#data/store/match.ts";

import { isRanked } from "./mode.ts";
import { competitionColumns, endsOf, seasonColumn } from "./season.ts";
import { insertion } from "./statement.ts";
import type { Database, HighlightTable, OpenTransaction } from "./tables.ts";

type Value = [kind: HighlightKind, value: number];

/** Updates the highlights with a ranked match that was not voided. Unrated matches are none. */
export async function noteHighlights(
  transaction: OpenTransaction,
  match: FinishedMatch,
): Promise<void> {
  if (!match.rated) return;
  const rows = valuesOf(match).map(([kind, value]) => {
    return { ...competitionColumns(match), kind, match_id: match.id, value };
  });
  await keepGreatest(transaction, rows);
}

const keepGreatest = insertion((open, rows: readonly Selectable<HighlightTable>[]) =>
  open
    .insertInto("highlights")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["ladder_id", "season", "kind"])
        .doUpdateSet({ match_id: sql`excluded.match_id`, value: sql`excluded.value` })
        .where(sql<boolean>`excluded.value > highlights.value`),
    ),
);

/** The match's value for each kind of highlight that it qualifies for. */
function valuesOf(match: FinishedMatch): Value[] {
  const values: Value[] = [["longest", match.finalTick]];
  if (match.reason === "last_standing") values.push(["quickest", -match.finalTick]);
  if (match.settled) values.push(...movesOf(match));
  return values;
}

/** In whole points: the largest rating change, and how far the winner was below the loser. */
function movesOf({ seats, winnerSeat }: FinishedMatch): Value[] {
  const rated = seats.flatMap(({ ratingBefore, ratingAfter }) =>
    ratingBefore === null || ratingAfter === null
      ? []
      : [{ before: ratingBefore, change: Math.abs(ratingAfter - ratingBefore) }],
  );
  if (rated.length !== 2) return [];
  const values: Value[] = [["swing", Math.max(...rated.map(({ change }) => change))]];
  if (winnerSeat === null) return values;
  const [first, second] = bothOf(rated.map(({ before }) => before));
  const gap = winnerSeat === 0 ? second - first : first - second;
  return gap > 0 ? [...values, ["upset", gap]] : values;
}

/** Match ids by kind. */
export async function highlights(
  database: Database,
  of: Competition,
): Promise<CompetitionFigures["highlights"]> {
  const kept = await database
    .selectFrom("highlights")
    .select(["kind", "match_id"])
    .where("ladder_id", "=", of.ladderId)
    .where("season", "=", seasonColumn(of.season))
    .execute();
  const ends = await endsOf(database, of);
  const within = ends && { season: seasonColumn(of.season), ...ends };
  return {
    ...Object.fromEntries(kept.map(({ kind, match_id }) => [kind, match_id])),
    ...(within && (await outermost(database, of.ladderId, "opener", within))),
    ...(within && (await outermost(database, of.ladderId, "finale", within))),
  };
}

/** The same over all seasons of a ladder; of equal ones the oldest. */
export async function highlightsEver(
  database: Database,
  ladderId: LadderId,
): Promise<CompetitionFigures["highlights"]> {
  const kept = await database
    .selectFrom("highlights")
    .select(["season", "kind", "match_id", "value"])
    .where("ladder_id", "=", ladderId)
    .execute();
  const least = kept
    .toSorted((one, other) => newestFirst(one.season, other.season))
    .toSorted((one, other) => one.value - other.value);
  return {
    ...Object.fromEntries(least.map(({ kind, match_id }) => [kind, match_id])),
    ...(await outermost(database, ladderId, "opener")),
    ...(await outermost(database, ladderId, "finale")),
  };
}

/** The first or the last rated match to end, on a ladder or in one of its seasons. */
async function outermost(
  database: Database,
  ladderId: LadderId,
  kind: "opener" | "finale",
  within?: { season: string; first: string; last: string },
): Promise<Partial<Record<HighlightKind, string>>> {
  const order = kind === "opener" ? "asc" : "desc";
  const onLadder = database.selectFrom("matches").select("id").where("ladder_id", "=", ladderId);
  const sought =
    within === undefined
      ? onLadder
      : onLadder
          .where("season", "=", within.season)
          .where("ended", ">=", within.first)
          .where("ended", "<=", within.last);
  const row = await sought
    .where("rated", "=", 1)
    .where(isRanked("matches"))
    .orderBy("ended", order)
    .orderBy("id", order)
    .limit(1)
    .executeTakeFirst();
  return row ? { [kind]: row.id } : {};
}
