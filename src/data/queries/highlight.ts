import { sql } from "kysely";
import type { Selectable } from "kysely";

import { firstTwo } from "#base/util/assert-defined.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { compareSeasonIds } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { CompetitionStats, HighlightKind } from "#data/store/stats.ts";

import { isRanked } from "./match-mode.ts";
import { competitionColumns, competitionEnds, seasonColumn } from "./season.ts";
import { compiledInsert } from "./statement.ts";
import type { Database, HighlightTable, OpenTransaction } from "./tables.ts";

type HighlightValue = [kind: HighlightKind, value: number];

/** Updates the highlights with a ranked match that isn't void. Ignores unrated matches. */
export async function recordHighlights(tx: OpenTransaction, match: FinishedMatch): Promise<void> {
  if (!match.rated) return;
  const rows = highlightValues(match).map(([kind, value]) => {
    return { ...competitionColumns(match), kind, match_id: match.id, value };
  });
  await upsertGreatest(tx, rows);
}

const upsertGreatest = compiledInsert((tx, rows: readonly Selectable<HighlightTable>[]) =>
  tx
    .insertInto("highlights")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["ladder_id", "season", "kind"])
        .doUpdateSet({ match_id: sql`excluded.match_id`, value: sql`excluded.value` })
        .where(sql<boolean>`excluded.value > highlights.value`),
    ),
);

function highlightValues(match: FinishedMatch): HighlightValue[] {
  const values: HighlightValue[] = [["longest", match.finalTick]];
  if (match.reason === "last_standing") values.push(["quickest", -match.finalTick]);
  if (match.settled) values.push(...ratingHighlights(match));
  return values;
}

/**
 * Returns the largest rating change, and the rating difference if the lower-rated player won. Both
 * in whole points.
 */
function ratingHighlights({ seats, winnerSeat }: FinishedMatch): HighlightValue[] {
  const ratingChanges = seats.flatMap(({ ratingBefore, ratingAfter }) =>
    ratingBefore === null || ratingAfter === null
      ? []
      : [{ before: ratingBefore, change: Math.abs(ratingAfter - ratingBefore) }],
  );
  if (ratingChanges.length !== 2) return [];
  const values: HighlightValue[] = [
    ["swing", Math.max(...ratingChanges.map(({ change }) => change))],
  ];
  if (winnerSeat === null) return values;
  const [firstRating, secondRating] = firstTwo(
    ratingChanges.map(({ before: ratingBefore }) => ratingBefore),
  );
  const gap = winnerSeat === 0 ? secondRating - firstRating : firstRating - secondRating;
  return gap > 0 ? [...values, ["upset", gap]] : values;
}

export async function competitionHighlights(
  database: Database,
  competition: Competition,
): Promise<CompetitionStats["highlights"]> {
  const storedHighlights = await database
    .selectFrom("highlights")
    .select(["kind", "match_id"])
    .where("ladder_id", "=", competition.ladderId)
    .where("season", "=", seasonColumn(competition.season))
    .execute();
  const matchEnds = await competitionEnds(database, competition);
  const window = matchEnds && { season: seasonColumn(competition.season), ...matchEnds };
  return {
    ...Object.fromEntries(storedHighlights.map(({ kind, match_id }) => [kind, match_id])),
    ...(window && (await firstOrLastMatch(database, competition.ladderId, "opener", window))),
    ...(window && (await firstOrLastMatch(database, competition.ladderId, "finale", window))),
  };
}

/** Returns the highlights across all seasons of a ladder. In a tie, the oldest match wins. */
export async function allTimeHighlights(
  database: Database,
  ladderId: LadderId,
): Promise<CompetitionStats["highlights"]> {
  const storedHighlights = await database
    .selectFrom("highlights")
    .select(["season", "kind", "match_id", "value"])
    .where("ladder_id", "=", ladderId)
    .execute();
  const ascending = storedHighlights
    .toSorted((a, b) => compareSeasonIds(a.season, b.season))
    .toSorted((a, b) => a.value - b.value);
  return {
    ...Object.fromEntries(ascending.map(({ kind, match_id }) => [kind, match_id])),
    ...(await firstOrLastMatch(database, ladderId, "opener")),
    ...(await firstOrLastMatch(database, ladderId, "finale")),
  };
}

async function firstOrLastMatch(
  database: Database,
  ladderId: LadderId,
  kind: "opener" | "finale",
  window?: { season: string; first: string; last: string },
): Promise<Partial<Record<HighlightKind, string>>> {
  const order = kind === "opener" ? "asc" : "desc";
  const ladderMatches = database
    .selectFrom("matches")
    .select("id")
    .where("ladder_id", "=", ladderId);
  const query =
    window === undefined
      ? ladderMatches
      : ladderMatches
          .where("season", "=", window.season)
          .where("ended", ">=", window.first)
          .where("ended", "<=", window.last);
  const row = await query
    .where("rated", "=", 1)
    .where(isRanked("matches"))
    .orderBy("ended", order)
    .orderBy("id", order)
    .limit(1)
    .executeTakeFirst();
  return row ? { [kind]: row.id } : {};
}
