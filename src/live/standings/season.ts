// Seasons of the public ladder in operation: the turn of the month, and archiving what has closed.

import { eachAtMost } from "#base/units/each-at-most.ts";
import { sure } from "#base/units/sure.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { dueSeasons, seasonAt, seasonCompetition } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import { finalPlaces, qualifiedVersions } from "#core/ladder/standings.ts";
import { holdsScale } from "#core/words/house.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { SeasonRecord } from "#data/store/season.ts";
import type { ArenaState, Seasons } from "#live/arena/arena-state.ts";
import type { ArenaDeps } from "#live/arena/deps.ts";
import type { BoardLine, PairComparison, VersionPair } from "#live/matchmaker/matchmaker.ts";

import { openBoard, settledBoard } from "./board.ts";
import type { Board } from "./board.ts";

type Opened = { seasons: Seasons; boards: Map<LadderId, Board> };

/** Restores the live season, opening it first if it is due, and whatever was left unfinished. */
export async function openSeasons(deps: ArenaDeps): Promise<Opened> {
  const known = await deps.store.seasons.list();
  const due = await openDue(deps, sure(known[0], "season").id);
  const open = [...due.toReversed(), ...known].filter(({ archivedAt }) => archivedAt === null);
  const [newest, ...closed] = open.map(({ id }) => id);
  const live = sure(newest, "open season");
  const closing = new Map<string, Board>();
  for (const season of closed.toReversed())
    closing.set(season, await loadBoard(deps, seasonCompetition(season)));
  const competition = seasonCompetition(live);
  const boards = new Map([[competition.ladderId, await loadBoard(deps, competition)]]);
  return { seasons: { live, closing, archiving: null }, boards };
}

/** Enough for the matchmaker to have work while the store reads. */
const BOARDS_AT_ONCE = 4;

/** Ladders without seasons are one competition each; a new ladder gets its board here. */
export async function openBoards(deps: ArenaDeps, boards: Map<LadderId, Board>): Promise<void> {
  const missing = deps.ladders.all().filter(({ id }) => !boards.has(id));
  await eachAtMost(BOARDS_AT_ONCE, missing, async ({ id: ladderId, finishedAt = null }) => {
    const competition = { ladderId, season: null };
    const load = finishedAt === null ? loadBoard : loadSettled;
    boards.set(ladderId, await load(deps, competition));
  });
}

/** The board of a ladder that is over. The matchmaker does not keep it. */
async function loadSettled(deps: ArenaDeps, competition: Competition): Promise<Board> {
  await loadCompetition(deps, competition);
  const lines = await finalLines(deps, competition);
  await deps.matchmaker.forget(competition);
  return settledBoard(lines);
}

async function openDue({ store, clock }: ArenaDeps, newest: string): Promise<SeasonRecord[]> {
  const due = dueSeasons(newest, clock.wall().toISOString());
  const opened = due.map((window) => ({ ...window, archivedAt: null }));
  if (opened.length > 0) await store.seasons.open(opened);
  return opened;
}

/** Makes a competition its ladder's live one, from everything that is stored of it. */
async function loadBoard(deps: ArenaDeps, competition: Competition): Promise<Board> {
  await loadCompetition(deps, competition);
  const board = openBoard(deps, competition);
  await board.refresh();
  return board;
}

async function loadCompetition(deps: ArenaDeps, competition: Competition): Promise<void> {
  const { store, matchmaker } = deps;
  const [bots, pairs, activity] = await Promise.all([
    store.bots.house(),
    store.figures.pairs(competition),
    store.figures.activity(competition),
  ]);
  const anchorBots = bots.filter(holdsScale).map(({ id }) => id);
  await matchmaker.load({ ...competition, pairs, activity, anchorBots });
}

/** The competition of a match that starts now; null while its season is not open. */
export function competitionNow(
  { seasons }: ArenaState,
  ladderId: LadderId,
  started: string,
): Competition | null {
  if (!hasSeasons(ladderId)) return { ladderId, season: null };
  return seasonAt(started, seasons.live) === seasons.live ? seasonCompetition(seasons.live) : null;
}

/** Compares two versions where their games count. Of a ladder that is over, it is loaded again. */
export async function compareOn(
  arena: ArenaState,
  ladderId: LadderId,
  versions: VersionPair,
): Promise<PairComparison> {
  const { deps } = arena;
  const competition = liveCompetition(arena, ladderId);
  const { finishedAt = null } = deps.ladders.byId(ladderId) ?? {};
  if (finishedAt === null) return deps.matchmaker.compare(competition, versions);
  return inTurn(arena, async () => {
    await loadCompetition(deps, competition);
    const comparison = await deps.matchmaker.compare(competition, versions);
    await deps.matchmaker.forget(competition);
    return comparison;
  });
}

/** One after another: what one still needs of a ladder that is over, no other forgets. */
export function inTurn<T>(arena: ArenaState, work: () => Promise<T>): Promise<T> {
  const done = arena.recalling.then(work);
  arena.recalling = done.catch(() => {});
  return done;
}

/** Where a ladder's new matches count. */
export function liveCompetition({ seasons }: ArenaState, ladderId: LadderId): Competition {
  return hasSeasons(ladderId) ? seasonCompetition(seasons.live) : { ladderId, season: null };
}

/** The board of a competition that is live or closing. */
export function boardOf({ boards, seasons }: ArenaState, { ladderId, season }: Competition) {
  if (season === null || season === seasons.live) return boards.get(ladderId);
  return seasons.closing.get(season);
}

/**
 * Turns the month: new matches count for the new season, running ones for the season they began in.
 */
export async function turnSeason({ deps, seasons, boards }: ArenaState): Promise<void> {
  const due = await openDue(deps, seasons.live);
  for (const { id } of due) {
    const competition = seasonCompetition(id);
    const board = await loadBoard(deps, competition);
    const former = boards.get(competition.ladderId);
    if (former !== undefined) seasons.closing.set(seasons.live, former);
    boards.set(competition.ladderId, board);
    seasons.live = id;
    deps.log.info({ season: id }, "a season has opened");
  }
}

/**
 * Archives closed seasons once their last matches are stored. Failures are retried at the next
 * call.
 */
export async function archiveSeasons(arena: ArenaState): Promise<void> {
  arena.seasons.archiving ??= archiveAll(arena).finally(() => {
    arena.seasons.archiving = null;
  });
  await arena.seasons.archiving;
}

async function archiveAll(arena: ArenaState): Promise<void> {
  for (const [season, board] of arena.seasons.closing)
    if (!arena.games.values().some((game) => game.season === season))
      await archive(arena, season, board);
}

async function archive({ deps, seasons }: ArenaState, season: string, board: Board): Promise<void> {
  const { store, matchmaker, clock, settings, log } = deps;
  const lines = await finalLines(deps, seasonCompetition(season));
  const { qualifying_games: enough } = settings.current();
  const versions = await store.versions.byIds(qualifiedVersions(lines, enough));
  const bots = await store.bots.byIds(versions.map(({ botId }) => botId));
  const places = finalPlaces(bots, versions, lines, enough);
  await store.seasons.archive(season, clock.wall().toISOString(), places);
  seasons.closing.delete(season);
  board.close();
  await matchmaker.forget(seasonCompetition(season));
  log.info({ season, places: places.length }, "a season was archived");
}

/** Every figure is exact, so that the standings do not depend on where or when they are written. */
export async function finalLines(
  { matchmaker }: Pick<ArenaDeps, "matchmaker">,
  competition: Competition,
): Promise<ReadonlyMap<string, BoardLine>> {
  for (;;) {
    const page = await matchmaker.settle(competition);
    if (page !== null) return new Map(page.lines.map((line) => [line.versionId, line]));
  }
}
