import { assertDefined } from "#base/util/assert-defined.ts";
import { mapConcurrent } from "#base/util/map-concurrent.ts";
import { isScaleAnchor } from "#core/ids/house-bots.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { dueSeasons, seasonAt, seasonCompetition } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import { finalRanks, qualifiedVersions } from "#core/ladder/standings.ts";
import type { SeasonRecord } from "#data/store/season.ts";
import type { ArenaDeps } from "#live/arena/arena-deps.ts";
import type { ArenaState, Seasons } from "#live/arena/arena-state.ts";
import type { BoardLine, PairComparison, VersionPair } from "#live/matchmaker/matchmaker.ts";

import { openBoard, frozenBoard } from "./board.ts";
import type { Board } from "./board.ts";

type OpenedSeasons = { seasons: Seasons; boards: Map<LadderId, Board> };

/** Opens due seasons, and restores the live season and any unfinished archives. */
export async function openLiveSeasons(deps: ArenaDeps): Promise<OpenedSeasons> {
  const storedSeasons = await deps.store.seasons.list();
  const dueSeasonList = await openDueSeasons(deps, assertDefined(storedSeasons[0], "season").id);
  const openSeasonRecords = [...dueSeasonList.toReversed(), ...storedSeasons].filter(
    ({ archivedAt }) => archivedAt === null,
  );
  const [newest, ...closed] = openSeasonRecords.map(({ id }) => id);
  const live = assertDefined(newest, "open season");
  const closing = new Map<string, Board>();
  for (const season of closed.toReversed())
    closing.set(season, await loadBoard(deps, seasonCompetition(season)));
  const competition = seasonCompetition(live);
  const boards = new Map([[competition.ladderId, await loadBoard(deps, competition)]]);
  return { seasons: { live, closing, archiving: null }, boards };
}

/** Enough loads in parallel to keep the matchmaker busy while the store reads. */
const CONCURRENT_BOARD_LOADS = 4;

/** Opens a board for each ladder without seasons that has no board yet. */
export async function openBoards(deps: ArenaDeps, boards: Map<LadderId, Board>): Promise<void> {
  const missingLadders = deps.ladders.list().filter(({ id }) => !boards.has(id));
  await mapConcurrent(
    CONCURRENT_BOARD_LOADS,
    missingLadders,
    async ({ id: ladderId, finishedAt = null }) => {
      const competition = { ladderId, season: null };
      const loadOne = finishedAt === null ? loadBoard : loadFrozenBoard;
      boards.set(ladderId, await loadOne(deps, competition));
    },
  );
}

/** Loads the board of a finished ladder. The matchmaker drops the competition afterwards. */
async function loadFrozenBoard(deps: ArenaDeps, competition: Competition): Promise<Board> {
  await loadCompetition(deps, competition);
  const boardLines = await readFinalBoard(deps, competition);
  await deps.matchmaker.drop(competition);
  return frozenBoard(boardLines);
}

async function openDueSeasons(
  { store, clock }: ArenaDeps,
  newest: string,
): Promise<SeasonRecord[]> {
  const dueSeasonList = dueSeasons(newest, clock.wall().toISOString());
  const newSeasons = dueSeasonList.map((window) => ({ ...window, archivedAt: null }));
  if (newSeasons.length > 0) await store.seasons.open(newSeasons);
  return newSeasons;
}

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
    store.stats.pairs(competition),
    store.stats.activity(competition),
  ]);
  const anchorBots = bots.filter(isScaleAnchor).map(({ id }) => id);
  await matchmaker.load({ ...competition, pairs, activity, anchorBots });
}

/**
 * Returns the competition that a match starting now belongs to; null while its season isn't open.
 */
export function competitionNow(
  { seasons }: ArenaState,
  ladderId: LadderId,
  started: string,
): Competition | null {
  if (!hasSeasons(ladderId)) return { ladderId, season: null };
  return seasonAt(started, seasons.live) === seasons.live ? seasonCompetition(seasons.live) : null;
}

/**
 * Compares two versions in the ladder's live competition. A finished ladder is loaded for the
 * comparison.
 */
export async function compareOnLadder(
  arena: ArenaState,
  ladderId: LadderId,
  versions: VersionPair,
): Promise<PairComparison> {
  const { deps } = arena;
  const competition = liveCompetition(arena, ladderId);
  const { finishedAt = null } = deps.ladders.byId(ladderId) ?? {};
  if (finishedAt === null) return deps.matchmaker.compare(competition, versions);
  return serializeBoardWork(arena, async () => {
    await loadCompetition(deps, competition);
    const comparison = await deps.matchmaker.compare(competition, versions);
    await deps.matchmaker.drop(competition);
    return comparison;
  });
}

/** Runs tasks one at a time, so that no task drops a finished ladder another task still needs. */
export function serializeBoardWork<T>(arena: ArenaState, task: () => Promise<T>): Promise<T> {
  const result = arena.boardLoading.then(task);
  arena.boardLoading = result.catch(() => {});
  return result;
}

export function liveCompetition({ seasons }: ArenaState, ladderId: LadderId): Competition {
  return hasSeasons(ladderId) ? seasonCompetition(seasons.live) : { ladderId, season: null };
}

export function boardFor({ boards, seasons }: ArenaState, { ladderId, season }: Competition) {
  if (season === null || season === seasons.live) return boards.get(ladderId);
  return seasons.closing.get(season);
}

/** Opens the new season when it is due. A running match stays in the season in which it started. */
export async function rollOverSeason({ deps, seasons, boards }: ArenaState): Promise<void> {
  const dueSeasonList = await openDueSeasons(deps, seasons.live);
  for (const { id } of dueSeasonList) {
    const competition = seasonCompetition(id);
    const board = await loadBoard(deps, competition);
    const previousBoard = boards.get(competition.ladderId);
    if (previousBoard !== undefined) seasons.closing.set(seasons.live, previousBoard);
    boards.set(competition.ladderId, board);
    seasons.live = id;
    deps.log.info({ season: id }, "season opened");
  }
}

/**
 * Archives closed seasons whose last matches are stored. Rejects if the store fails; the next call
 * retries.
 */
export async function archiveSeasons(arena: ArenaState): Promise<void> {
  arena.seasons.archiving ??= archiveClosedSeasons(arena).finally(() => {
    arena.seasons.archiving = null;
  });
  await arena.seasons.archiving;
}

async function archiveClosedSeasons(arena: ArenaState): Promise<void> {
  for (const [season, board] of arena.seasons.closing)
    if (!arena.rankedMatches.values().some((match) => match.season === season))
      await archiveSeason(arena, season, board);
}

async function archiveSeason(
  { deps, seasons }: ArenaState,
  season: string,
  board: Board,
): Promise<void> {
  const { store, matchmaker, clock, settings, log } = deps;
  const boardLines = await readFinalBoard(deps, seasonCompetition(season));
  const { qualifying_games: qualifyingGames } = settings.current();
  const versions = await store.versions.byIds(qualifiedVersions(boardLines, qualifyingGames));
  const bots = await store.bots.byIds(versions.map(({ botId }) => botId));
  const standings = finalRanks(bots, versions, boardLines, qualifyingGames);
  await store.seasons.archive(season, clock.wall().toISOString(), standings);
  seasons.closing.delete(season);
  board.close();
  await matchmaker.drop(seasonCompetition(season));
  log.info({ season, places: standings.length }, "season archived");
}

/**
 * Returns a board with exact values, so that final standings don't depend on when or where they are
 * computed.
 */
export async function readFinalBoard(
  { matchmaker }: Pick<ArenaDeps, "matchmaker">,
  competition: Competition,
): Promise<ReadonlyMap<string, BoardLine>> {
  for (;;) {
    const page = await matchmaker.finalBoard(competition);
    if (page !== null) return new Map(page.lines.map((line) => [line.versionId, line]));
  }
}
