import type { Database } from "#data/queries/tables.ts";

import { SAMPLE_SEASON, sampleId, sampleTime } from "./store-samples.ts";

/** Rows per insert. Well below the parameter limits of both databases. */
const BATCH_SIZE = 500;
const MAPS = ["arena", "cross", "ring", "maze"];

/**
 * Inserts matches 0 to `count` - 1 between sample bots 0 to `bots` - 1 directly into the tables,
 * each with the packed document `stats`. Updates no counts except the end times in the tallies.
 * Used to test reads and saves with many rows.
 */
export async function fillMatches(
  database: Database,
  count: number,
  bots: number,
  stats: Uint8Array,
): Promise<void> {
  await database.insertInto("ladder_tallies").values(tallyRows(count)).execute();
  for (let first = 0; first < count; first += BATCH_SIZE) {
    const numbers = Array.from(
      { length: Math.min(BATCH_SIZE, count - first) },
      (_, i) => first + i,
    );
    await database.transaction().execute(async (tx) => {
      await tx
        .insertInto("matches")
        .values(numbers.map((number) => matchRow(number, count)))
        .execute();
      const seats = numbers.flatMap((number) => seatRows(number, count, bots));
      await tx.insertInto("seats").values(seats).execute();
      const documents = numbers.map((number) => ({
        match_id: sampleId("match", number),
        pairing: "{}",
        stats,
      }));
      await tx.insertInto("match_documents").values(documents).execute();
    });
  }
}

function tallyRows(count: number) {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const bySeason = Map.groupBy(numbers, (number) => filledSeason(number, count));
  const noSeasonRows = { games: 0, draws: 0, voided: 0, stats_games: 0 };
  return [...bySeason].map(([season, group]) => ({
    ladder_id: "public",
    season,
    ...noSeasonRows,
    first_ended: sampleTime(group[0]! + 60),
    last_ended: sampleTime(group[group.length - 1]! + 60),
  }));
}

function matchRow(number: number, count: number) {
  return {
    id: sampleId("match", number),
    ladder_id: "public",
    season: filledSeason(number, count),
    mode: "ranked" as const,
    map: MAPS[number % MAPS.length] ?? "",
    seed: number,
    started: sampleTime(number),
    ended: sampleTime(number + 60),
    duration_ms: 60_000,
    final_tick: 60,
    reason: "last_standing",
    winner_seat: null,
    voided: 0,
    ...(number % 8 === 0 ? UNRATED : RATED),
  };
}

const RATED = { rated: 1, unrated_reason: null } as const;
const UNRATED = { rated: 0, unrated_reason: "ladder_disabled" } as const;

function seatRows(number: number, count: number, bots: number) {
  return playersOf(number, bots).map((player, seat) => ({
    match_id: sampleId("match", number),
    seat,
    bot_id: sampleId("bot", player),
    version_id: sampleId("version", player),
    fighter: seat === 0 ? "A" : "B",
    account_id: null,
    name: `Bot-${player}`,
    version: `v${player}`,
    rating_before: null,
    rating_after: null,
    deviation_after: null,
    score_after: null,
    rated_games: null,
    mode: "ranked" as const,
    ladder_id: "public",
    season: filledSeason(number, count),
    ended: sampleTime(number + 60),
  }));
}

/**
 * Puts the last quarter of the matches in the samples' season and all other matches in earlier
 * seasons.
 */
function filledSeason(number: number, count: number): string {
  const isOlder = ["2025-10", "2025-11", "2025-12"];
  return isOlder[Math.floor((4 * number) / count)] ?? SAMPLE_SEASON;
}

export function playersOf(number: number, bots: number): [first: number, second: number] {
  const first = number % bots;
  return [first, (first + 1 + ((number * 7) % (bots - 1))) % bots];
}
