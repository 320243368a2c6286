// Matches that stand out in a competition. The greatest of each kind is updated as matches arrive.
import { sql } from "kysely";
import type { Selectable } from "kysely";

import { bothOf } from "#base/units/sure.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { CompetitionFigures, HighlightKind } from "#data/store/figures.ts";
import type { FinishedMatch } from "#data/store/match.ts";

import { isRanked } from "./mode.ts";
import { competitionColumns, endsOf, seasonColumn } from "./season.ts";
import { insertion } from "./statement.ts";
import type { Database, HighlightTable, OpenTransaction } from "./tables.ts";

type Value = [kind: HighlightKind, value: number];

/** Notes a ranked match that was not voided. Among equals the first stays. */
export async function noteHighlights(
  transaction: OpenTransaction,
  match: FinishedMatch,
): Promise<void> {
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
  return {
    ...Object.fromEntries(kept.map(({ kind, match_id }) => [kind, match_id])),
    ...(ends && (await outermost(database, of, ends, "opener"))),
    ...(ends && (await outermost(database, of, ends, "finale"))),
  };
}

/** The first or the last match to end, voided ones aside. */
async function outermost(
  database: Database,
  of: Competition,
  ends: { first: string; last: string },
  kind: "opener" | "finale",
): Promise<Partial<Record<HighlightKind, string>>> {
  const order = kind === "opener" ? "asc" : "desc";
  const row = await database
    .selectFrom("matches")
    .select("id")
    .where("ladder_id", "=", of.ladderId)
    .where("season", "=", seasonColumn(of.season))
    .where("ended", ">=", ends.first)
    .where("ended", "<=", ends.last)
    .where("voided", "=", 0)
    .where(isRanked("matches"))
    .orderBy("ended", order)
    .orderBy("id", order)
    .limit(1)
    .executeTakeFirst();
  return row ? { [kind]: row.id } : {};
}
