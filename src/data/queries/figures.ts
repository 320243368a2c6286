import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";

// What bots do in their matches, summed up as matches arrive, so that no season page has to read
// the statistics of single matches.
import { sure } from "#base/units/sure.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { SeatFigures } from "#core/ladder/seat-figures.ts";
import type { PaceSums } from "#core/ladder/style.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type {
  BotPlayFigures,
  CompetitionFigures,
  LadderFigures,
  LadderQuery,
} from "#data/store/figures.ts";
import type { MatchRecord } from "#data/store/match.ts";

import { highlights, highlightsEver } from "./highlight.ts";
import { botSeats } from "./mode.ts";
import { mapResults, rivalries, rivalriesEver } from "./opponent.ts";
import { competitionColumns, seasonColumn } from "./season.ts";
import { insertion } from "./statement.ts";
import type { Database, OpenTransaction, PlayTable, TallyTable, WeaponTable } from "./tables.ts";

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

/** Counts a ranked match, voided or not, on its ladder and in its season. */
export async function countMatch(
  transaction: OpenTransaction,
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
  await addTallies(transaction, [{ ...competitionColumns(match), ...row }]);
}

const addTallies = insertion((open, rows: readonly Selectable<TallyTable>[]) =>
  open
    .insertInto("ladder_tallies")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["ladder_id", "season"]).doUpdateSet({
        ...added("ladder_tallies", ["games", "draws", "voided", "stats_games"]),
        first_ended: sql`case when excluded.first_ended < ladder_tallies.first_ended
            then excluded.first_ended else ladder_tallies.first_ended end`,
        last_ended: sql`case when excluded.last_ended > ladder_tallies.last_ended
            then excluded.last_ended else ladder_tallies.last_ended end`,
      }),
    ),
);

/** Adds the seats' figures, given in seat order. */
export async function countPlay(
  transaction: OpenTransaction,
  match: MatchRecord,
  figures: readonly SeatFigures[],
): Promise<void> {
  const seats = seatsOf(match, figures);
  if (seats.length === 0) return;
  const played = seats.map(({ columns, figures }) => ({ ...columns, ...playColumns(figures) }));
  await addPlay(transaction, played);
  const weapons = seats.flatMap(({ columns, figures }) =>
    Object.entries(figures.weapons).map(([attack, { uses, hits, damage }]) => {
      return { ...columns, attack, uses, hits, damage };
    }),
  );
  if (weapons.length > 0) await addWeapons(transaction, weapons);
}

const addPlay = insertion((open, rows: readonly Selectable<PlayTable>[]) =>
  open
    .insertInto("bot_play")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["ladder_id", "season", "bot_id"]).doUpdateSet(added("bot_play", PLAY_SUMS)),
    ),
);

const addWeapons = insertion((open, rows: readonly Selectable<WeaponTable>[]) =>
  open
    .insertInto("bot_weapons")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["ladder_id", "season", "bot_id", "attack"])
        .doUpdateSet(added("bot_weapons", WEAPON_SUMS)),
    ),
);

/** Ordered by bot id, so that concurrent transactions lock rows in the same order. */
function seatsOf(match: MatchRecord, all: readonly SeatFigures[]) {
  const columns = competitionColumns(match);
  const seats = botSeats(match);
  return all
    .map((figures, seat) => ({
      columns: { ...columns, bot_id: sure(seats[seat], "seat").botId },
      figures,
    }))
    .toSorted((a, b) => (a.columns.bot_id < b.columns.bot_id ? -1 : 1));
}

function playColumns(figures: SeatFigures) {
  const { ticks, moves, dashes, uses, hits, healed, idles } = figures;
  return {
    games: 1,
    ticks,
    moves,
    dashes,
    uses,
    hits,
    damage_dealt: figures.damageDealt,
    damage_taken: figures.damageTaken,
    healed,
    wall_slams: figures.wallSlams,
    zone_damage: figures.zoneDamage,
    idles,
  };
}

function added<C extends string>(table: string, columns: readonly C[]) {
  const sums = columns.map((column) => {
    return [
      column,
      sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
    ];
  });
  return Object.fromEntries(sums) as Record<C, ReturnType<typeof sql<number>>>;
}

/** All sums of a competition. */
export async function competitionFigures(
  database: Database,
  of: Competition,
  rivalryLimit: number,
): Promise<CompetitionFigures> {
  return {
    totals: await totals(database, of),
    highlights: await highlights(database, of),
    rivalries: await rivalries(database, of, rivalryLimit),
    maps: await mapResults(database, of),
    play: await play(database, of),
    weapons: await weapons(database, of),
  };
}

async function totals(database: Database, of: Competition): Promise<CompetitionFigures["totals"]> {
  const row = await database
    .selectFrom("ladder_tallies")
    .select(["games", "draws", "voided", "stats_games as statsGames"])
    .where("ladder_id", "=", of.ladderId)
    .where("season", "=", seasonColumn(of.season))
    .executeTakeFirst();
  return row ? { ...row } : { games: 0, draws: 0, voided: 0, statsGames: 0 };
}

/** By bot id; of one bot alone where it is named. */
async function play(
  database: Database,
  of: Competition,
  botId?: BotId,
): Promise<CompetitionFigures["play"]> {
  let query = database
    .selectFrom("bot_play")
    .select(["bot_id as botId", "games", "ticks", "moves", "dashes", "uses", "hits"])
    .select(["damage_dealt as damageDealt", "damage_taken as damageTaken", "healed"])
    .select(["wall_slams as wallSlams", "zone_damage as zoneDamage", "idles"])
    .where("ladder_id", "=", of.ladderId)
    .where("season", "=", seasonColumn(of.season))
    .orderBy("bot_id");
  if (botId !== undefined) query = query.where("bot_id", "=", botId);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row }));
}

async function weapons(
  database: Database,
  of: Competition,
  botId?: BotId,
): Promise<CompetitionFigures["weapons"]> {
  let query = database
    .selectFrom("bot_weapons")
    .select(["bot_id as botId", "attack", "uses", "hits", "damage"])
    .where("ladder_id", "=", of.ladderId)
    .where("season", "=", seasonColumn(of.season))
    .orderBy("bot_id")
    .orderBy("attack");
  if (botId !== undefined) query = query.where("bot_id", "=", botId);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row }));
}

/** One bot's part of them, and what its pace is compared with. */
export async function botPlay(
  database: Database,
  of: Competition,
  botId: BotId,
): Promise<BotPlayFigures> {
  const [own] = await play(database, of, botId);
  return {
    play: own ?? null,
    weapons: await weapons(database, of, botId),
    all: await paceSums(database, of),
  };
}

/** In floating point: the sums of a ladder without seasons outgrow an integer of PostgreSQL. */
async function paceSums(database: Database, of: Competition): Promise<PaceSums> {
  const { rows } = await sql<Record<keyof PaceSums, number | null>>`
    select cast(sum(ticks) as double precision) as ticks,
      cast(sum(uses) as double precision) as uses,
      cast(sum(moves) as double precision) as moves,
      cast(sum(dashes) as double precision) as dashes
    from bot_play
    where ladder_id = ${of.ladderId} and season = ${seasonColumn(of.season)}`.execute(database);
  const { ticks, uses, moves, dashes } = sure(rows[0], "sums");
  return { ticks: ticks ?? 0, uses: uses ?? 0, moves: moves ?? 0, dashes: dashes ?? 0 };
}

/** Each rated game is in the results of both its bots. */
const BOTS_OF_A_GAME = 2;

/** What was played on a ladder in one season, or ever. */
export async function ladderFigures(
  database: Database,
  { ladderId, season, rivalries: most }: LadderQuery,
): Promise<LadderFigures> {
  const isEver = season === undefined && hasSeasons(ladderId);
  const of = { ladderId, season: season ?? null };
  const results = isEver ? resultsEver(ladderId) : resultsIn(ladderId, seasonColumn(of.season));
  const tallied = isEver ? sql`` : sql`and season = ${seasonColumn(of.season)}`;
  return {
    totals: await tallies(database, sql`ladder_id = ${ladderId} ${tallied}`),
    ...(await sides(database, results)),
    maps: await mapsPlayed(database, results),
    highlights: await (isEver ? highlightsEver(database, ladderId) : highlights(database, of)),
    rivalries: await (isEver
      ? rivalriesEver(database, ladderId, most)
      : rivalries(database, of, most)),
  };
}

type Rows = RawBuilder<unknown>;

const resultsIn = (ladderId: LadderId, season: string): Rows => sql`
  select bot_id, map, wins, draws, losses from bot_maps
  where ladder_id = ${ladderId} and season = ${season}`;

const resultsEver = (ladderId: LadderId): Rows => sql`
  select bot_id, map, wins, draws, losses from ever_maps where ladder_id = ${ladderId}`;

/** A row for each season. */
async function tallies(database: Database, tallied: Rows): Promise<LadderFigures["totals"]> {
  const { rows } = await sql<LadderFigures["totals"]>`
    select games, draws, voided from ladder_tallies where ${tallied}`.execute(database);
  const sum = (name: keyof LadderFigures["totals"]) =>
    rows.reduce((total, row) => total + row[name], 0);
  return { games: sum("games"), draws: sum("draws"), voided: sum("voided") };
}

async function sides(
  database: Database,
  results: Rows,
): Promise<Pick<LadderFigures, "players" | "house">> {
  const { rows } = await sql<{ house: number; bots: number; wins: number }>`
    select b.house, cast(count(*) as integer) as bots, cast(sum(one.wins) as integer) as wins
    from (select bot_id, sum(wins) as wins from (${results}) as played group by bot_id) as one
      join bots as b on b.id = one.bot_id
    group by b.house`.execute(database);
  const sideOf = (house: number) => {
    const { bots, wins } = rows.find((row) => row.house === house) ?? { bots: 0, wins: 0 };
    return { bots, wins };
  };
  return { players: sideOf(0), house: sideOf(1) };
}

async function mapsPlayed(database: Database, results: Rows): Promise<LadderFigures["maps"]> {
  const { rows } = await sql<LadderFigures["maps"][number]>`
    select map, cast(sum(wins + draws + losses) / ${sql.lit(BOTS_OF_A_GAME)} as integer) as games
    from (${results}) as played
    group by map
    order by games desc, map`.execute(database);
  return rows.map((row) => ({ ...row }));
}
