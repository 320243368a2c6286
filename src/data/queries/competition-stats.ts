// Adds up bot statistics as matches are saved, so that season pages don't read the statistics of
// single matches.

import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import type { PaceTotals } from "#core/ladder/play-style.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { SeatStats } from "#core/ladder/seat-stats.ts";
import type { MatchRecord } from "#data/store/match.ts";
import type {
  BotPlayStats,
  CompetitionStats,
  LadderStats,
  LadderStatsQuery,
} from "#data/store/stats.ts";

import { competitionHighlights, allTimeHighlights } from "./highlight.ts";
import { botSeats } from "./match-mode.ts";
import { botMapResults, rivalries, allTimeRivalries } from "./opponent.ts";
import { competitionColumns, seasonColumn } from "./season.ts";
import { compiledInsert } from "./statement.ts";
import type {
  Database,
  OpenTransaction,
  BotPlayTable,
  LadderTallyTable,
  BotWeaponTable,
} from "./tables.ts";

const PLAY_SUMS = [
  "games",
  "ticks",
  "moves",
  "dashes",
  "uses",
  "hits",
  "damage_dealt",
  "damage_taken",
  "healed",
  "wall_slams",
  "zone_damage",
  "idles",
] as const;
const WEAPON_SUMS = ["uses", "hits", "damage"] as const;

/** Counts a ranked match in its competition, even if it is void. */
export async function countRankedMatch(
  tx: OpenTransaction,
  match: MatchRecord,
  hasStats: boolean,
): Promise<void> {
  const voided = Number(match.voided);
  const row = {
    games: 1 - voided,
    draws: match.winnerSeat === null ? 1 - voided : 0,
    voided,
    stats_games: hasStats ? 1 - voided : 0,
    first_ended: match.ended,
    last_ended: match.ended,
  };
  await incrementTallies(tx, [{ ...competitionColumns(match), ...row }]);
}

const incrementTallies = compiledInsert((tx, rows: readonly Selectable<LadderTallyTable>[]) =>
  tx
    .insertInto("ladder_tallies")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["ladder_id", "season"]).doUpdateSet({
        ...incrementedColumns("ladder_tallies", ["games", "draws", "voided", "stats_games"]),
        first_ended: sql`case when excluded.first_ended < ladder_tallies.first_ended
            then excluded.first_ended else ladder_tallies.first_ended end`,
        last_ended: sql`case when excluded.last_ended > ladder_tallies.last_ended
            then excluded.last_ended else ladder_tallies.last_ended end`,
      }),
    ),
);

export async function recordPlay(
  tx: OpenTransaction,
  match: MatchRecord,
  figures: readonly SeatStats[],
): Promise<void> {
  const seats = seatRows(match, figures);
  if (seats.length === 0) return;
  const playRows = seats.map(({ columns, figures: stats }) => ({
    ...columns,
    ...playColumns(stats),
  }));
  await incrementPlay(tx, playRows);
  const weapons = seats.flatMap(({ columns, figures: stats }) =>
    Object.entries(stats.weapons).map(([attack, { uses, hits, damage }]) => {
      return { ...columns, attack, uses, hits, damage };
    }),
  );
  if (weapons.length > 0) await incrementWeapons(tx, weapons);
}

const incrementPlay = compiledInsert((tx, rows: readonly Selectable<BotPlayTable>[]) =>
  tx
    .insertInto("bot_play")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["ladder_id", "season", "bot_id"])
        .doUpdateSet(incrementedColumns("bot_play", PLAY_SUMS)),
    ),
);

const incrementWeapons = compiledInsert((tx, rows: readonly Selectable<BotWeaponTable>[]) =>
  tx
    .insertInto("bot_weapons")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["ladder_id", "season", "bot_id", "attack"])
        .doUpdateSet(incrementedColumns("bot_weapons", WEAPON_SUMS)),
    ),
);

/** Sorts by bot ID, so that concurrent transactions lock rows in the same order. */
function seatRows(match: MatchRecord, statsBySeat: readonly SeatStats[]) {
  const columns = competitionColumns(match);
  const seats = botSeats(match);
  return statsBySeat
    .map((stats, seat) => ({
      columns: { ...columns, bot_id: assertDefined(seats[seat], "seat").botId },
      figures: stats,
    }))
    .toSorted((a, b) => (a.columns.bot_id < b.columns.bot_id ? -1 : 1));
}

function playColumns(stats: SeatStats) {
  const { ticks, moves, dashes, uses, hits, healed, idles } = stats;
  return {
    games: 1,
    ticks,
    moves,
    dashes,
    uses,
    hits,
    damage_dealt: stats.damageDealt,
    damage_taken: stats.damageTaken,
    healed,
    wall_slams: stats.wallSlams,
    zone_damage: stats.zoneDamage,
    idles,
  };
}

function incrementedColumns<C extends string>(table: string, columns: readonly C[]) {
  const sums = columns.map((column) => {
    return [
      column,
      sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
    ];
  });
  return Object.fromEntries(sums) as Record<C, ReturnType<typeof sql<number>>>;
}

export async function competitionStats(
  database: Database,
  competition: Competition,
  rivalryLimit: number,
): Promise<CompetitionStats> {
  return {
    totals: await competitionTotals(database, competition),
    highlights: await competitionHighlights(database, competition),
    rivalries: await rivalries(database, competition, rivalryLimit),
    maps: await botMapResults(database, competition),
    play: await selectPlay(database, competition),
    weapons: await selectWeapons(database, competition),
  };
}

async function competitionTotals(
  database: Database,
  competition: Competition,
): Promise<CompetitionStats["totals"]> {
  const row = await database
    .selectFrom("ladder_tallies")
    .select(["games", "draws", "voided", "stats_games as statsGames"])
    .where("ladder_id", "=", competition.ladderId)
    .where("season", "=", seasonColumn(competition.season))
    .executeTakeFirst();
  return row ? { ...row } : { games: 0, draws: 0, voided: 0, statsGames: 0 };
}

async function selectPlay(
  database: Database,
  competition: Competition,
  botId?: BotId,
): Promise<CompetitionStats["play"]> {
  let query = database
    .selectFrom("bot_play")
    .select(["bot_id as botId", "games", "ticks", "moves", "dashes", "uses", "hits"])
    .select(["damage_dealt as damageDealt", "damage_taken as damageTaken", "healed"])
    .select(["wall_slams as wallSlams", "zone_damage as zoneDamage", "idles"])
    .where("ladder_id", "=", competition.ladderId)
    .where("season", "=", seasonColumn(competition.season))
    .orderBy("bot_id");
  if (botId !== undefined) query = query.where("bot_id", "=", botId);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row }));
}

async function selectWeapons(
  database: Database,
  competition: Competition,
  botId?: BotId,
): Promise<CompetitionStats["weapons"]> {
  let query = database
    .selectFrom("bot_weapons")
    .select(["bot_id as botId", "attack", "uses", "hits", "damage"])
    .where("ladder_id", "=", competition.ladderId)
    .where("season", "=", seasonColumn(competition.season))
    .orderBy("bot_id")
    .orderBy("attack");
  if (botId !== undefined) query = query.where("bot_id", "=", botId);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row }));
}

export async function botPlayStats(
  database: Database,
  competition: Competition,
  botId: BotId,
): Promise<BotPlayStats> {
  const [botRow] = await selectPlay(database, competition, botId);
  return {
    play: botRow ?? null,
    weapons: await selectWeapons(database, competition, botId),
    competitionPace: await competitionPaceSums(database, competition),
  };
}

/**
 * Uses floating point, because the sums of a ladder without seasons exceed a PostgreSQL integer.
 */
async function competitionPaceSums(
  database: Database,
  competition: Competition,
): Promise<PaceTotals> {
  const { rows } = await sql<Record<keyof PaceTotals, number | null>>`
    select cast(sum(ticks) as double precision) as ticks,
      cast(sum(uses) as double precision) as uses,
      cast(sum(moves) as double precision) as moves,
      cast(sum(dashes) as double precision) as dashes
    from bot_play
    where ladder_id = ${competition.ladderId} and season = ${seasonColumn(competition.season)}`.execute(
    database,
  );
  const { ticks, uses, moves, dashes } = assertDefined(rows[0], "sums");
  return { ticks: ticks ?? 0, uses: uses ?? 0, moves: moves ?? 0, dashes: dashes ?? 0 };
}

/** Each rated game is counted in the results of both bots. */
const BOTS_PER_GAME = 2;

export async function ladderStats(
  database: Database,
  { ladderId, season, rivalries: rivalryLimit }: LadderStatsQuery,
): Promise<LadderStats> {
  const isAllTime = season === undefined && hasSeasons(ladderId);
  const competition = { ladderId, season: season ?? null };
  const resultRows = isAllTime
    ? allTimeResults(ladderId)
    : seasonResults(ladderId, seasonColumn(competition.season));
  const seasonCondition = isAllTime ? sql`` : sql`and season = ${seasonColumn(competition.season)}`;
  return {
    totals: await ladderTotals(database, sql`ladder_id = ${ladderId} ${seasonCondition}`),
    ...(await sideStats(database, resultRows)),
    maps: await mapStats(database, resultRows),
    highlights: await (isAllTime
      ? allTimeHighlights(database, ladderId)
      : competitionHighlights(database, competition)),
    rivalries: await (isAllTime
      ? allTimeRivalries(database, ladderId, rivalryLimit)
      : rivalries(database, competition, rivalryLimit)),
  };
}

type RowQuery = RawBuilder<unknown>;

const seasonResults = (ladderId: LadderId, season: string): RowQuery => sql`
  select bot_id, map, wins, draws, losses from bot_maps
  where ladder_id = ${ladderId} and season = ${season}`;

const allTimeResults = (ladderId: LadderId): RowQuery => sql`
  select bot_id, map, wins, draws, losses from ever_maps where ladder_id = ${ladderId}`;

async function ladderTotals(
  database: Database,
  condition: RowQuery,
): Promise<LadderStats["totals"]> {
  const { rows } = await sql<LadderStats["totals"]>`
    select games, draws, voided from ladder_tallies where ${condition}`.execute(database);
  const sum = (name: keyof LadderStats["totals"]) =>
    rows.reduce((total, row) => total + row[name], 0);
  return { games: sum("games"), draws: sum("draws"), voided: sum("voided") };
}

async function sideStats(
  database: Database,
  resultRows: RowQuery,
): Promise<Pick<LadderStats, "players" | "house">> {
  const { rows } = await sql<{ house: number; bots: number; wins: number }>`
    select b.house, cast(count(*) as integer) as bots, cast(sum(one.wins) as integer) as wins
    from (select bot_id, sum(wins) as wins from (${resultRows}) as played group by bot_id) as one
      join bots as b on b.id = one.bot_id
    group by b.house`.execute(database);
  const toSide = (house: number) => {
    const { bots, wins } = rows.find((row) => row.house === house) ?? { bots: 0, wins: 0 };
    return { bots, wins };
  };
  return { players: toSide(0), house: toSide(1) };
}

async function mapStats(database: Database, resultRows: RowQuery): Promise<LadderStats["maps"]> {
  const { rows } = await sql<LadderStats["maps"][number]>`
    select map, cast(sum(wins + draws + losses) / ${sql.lit(BOTS_PER_GAME)} as integer) as games
    from (${resultRows}) as played
    group by map
    order by games desc, map`.execute(database);
  return rows.map((row) => ({ ...row }));
}
