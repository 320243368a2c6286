// Finalizes ladders other than public: writes the final standings once and drops the ladder from
// the matchmaker. A finalized ladder stays closed even if the clock is set back.

import type { LadderId } from "#core/ids/ids.ts";
import { hasSeasons, phaseAt } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { finalRanks, qualifiedVersions } from "#core/ladder/standings.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import type { BoardLine } from "#live/matchmaker/matchmaker.ts";

import { frozenBoard } from "./board.ts";
import { readFinalBoard, serializeBoardWork } from "./season.ts";

/**
 * Finalizes closed ladders whose last match is stored, and drops deleted ladders. Rejects if the
 * store fails; the next call retries.
 */
export async function finalizeLadders(arena: ArenaState): Promise<void> {
  arena.finalStandingsWrite ??= finalizeDueLadders(arena).finally(() => {
    arena.finalStandingsWrite = null;
  });
  await arena.finalStandingsWrite;
}

async function finalizeDueLadders(arena: ArenaState): Promise<void> {
  const { ladders } = arena.deps;
  for (const ladderId of arena.boards.keys())
    if (ladders.byId(ladderId) === null) await dropLadder(arena, ladderId);
  for (const ladder of ladders.list())
    if (isReadyToFinalize(arena, ladder)) await finalizeLadder(arena, ladder);
}

/** Before its board is open, a ladder's matches are unknown. */
function isReadyToFinalize(
  { deps, rankedMatches, boards }: ArenaState,
  ladder: LadderDefinition,
): boolean {
  const { id, finishedAt = null } = ladder;
  if (hasSeasons(id) || finishedAt !== null || !boards.has(id)) return false;
  if (phaseAt(ladder, deps.clock.wall().toISOString()) !== "closed") return false;
  return !rankedMatches.values().some(({ ladderId }) => ladderId === id);
}

async function finalizeLadder(arena: ArenaState, { id }: LadderDefinition): Promise<void> {
  const { store, clock, ladders, log } = arena.deps;
  const boardLines = await readFinalBoard(arena.deps, { ladderId: id, season: null });
  const standings = await finalStandingsOf(arena, id, boardLines);
  const at = clock.wall().toISOString();
  const isNew = await store.ladders.finish(id, at, standings);
  const finishedAt = isNew ? at : ((await store.ladders.byId(id))?.finishedAt ?? null);
  const currentLadder = ladders.byId(id);
  // The ladder may have been deleted or changed in the meantime.
  if (currentLadder === null || finishedAt === null) return;
  ladders.upsert({ ...currentLadder, finishedAt });
  arena.boards.get(id)?.close();
  arena.boards.set(id, frozenBoard(boardLines));
  await serializeBoardWork(arena, () => arena.deps.matchmaker.drop({ ladderId: id, season: null }));
  log.info({ ladder: id, places: standings.length }, "final standings written");
}

/** Excludes bots that aren't listed on the ladder. */
async function finalStandingsOf(
  { deps: { store, ladders, settings } }: ArenaState,
  ladderId: LadderId,
  boardLines: ReadonlyMap<string, BoardLine>,
): Promise<FinalStanding[]> {
  const { qualifying_games: qualifyingGames } = settings.current();
  const versions = await store.versions.byIds(qualifiedVersions(boardLines, qualifyingGames));
  const bots = await store.bots.byIds(versions.map(({ botId }) => botId));
  const listedBots = bots.filter((bot) => ladders.isListed(bot, ladderId));
  return finalRanks(listedBots, versions, boardLines, qualifyingGames);
}

async function dropLadder(arena: ArenaState, ladderId: LadderId): Promise<void> {
  const { deps, boards } = arena;
  boards.get(ladderId)?.close();
  boards.delete(ladderId);
  await serializeBoardWork(arena, () => deps.matchmaker.drop({ ladderId, season: null }));
}
