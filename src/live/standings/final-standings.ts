// The end of a ladder other than public: its final standings are written once, and the matchmaker
// forgets it. Whatever the clock says later, it stays closed.

import { hasSeasons, phaseAt } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { finalPlaces, qualifiedVersions } from "#core/ladder/standings.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import type { BoardLine } from "#live/matchmaker/matchmaker.ts";

import { settledBoard } from "./board.ts";
import { finalLines, inTurn } from "./season.ts";

/**
 * Finishes ladders that have closed once the last match that started in time is stored, and forgets
 * those that were deleted. Failures are retried at the next call.
 */
export async function finishLadders(arena: ArenaState): Promise<void> {
  arena.finishing ??= finishAll(arena).finally(() => {
    arena.finishing = null;
  });
  await arena.finishing;
}

async function finishAll(arena: ArenaState): Promise<void> {
  const { ladders } = arena.deps;
  for (const ladderId of arena.boards.keys())
    if (ladders.byId(ladderId) === null) await forget(arena, ladderId);
  for (const ladder of ladders.all()) if (isDue(arena, ladder)) await finish(arena, ladder);
}

/** Until its board is open, nothing is known of what was played. */
function isDue({ deps, games, boards }: ArenaState, ladder: LadderDefinition): boolean {
  const { id, finishedAt = null } = ladder;
  if (hasSeasons(id) || finishedAt !== null || !boards.has(id)) return false;
  if (phaseAt(ladder, deps.clock.wall().toISOString()) !== "closed") return false;
  return !games.values().some(({ ladderId }) => ladderId === id);
}

async function finish(arena: ArenaState, { id }: LadderDefinition): Promise<void> {
  const { store, clock, ladders, log } = arena.deps;
  const lines = await finalLines(arena.deps, { ladderId: id, season: null });
  const places = await placesOf(arena, id, lines);
  const at = clock.wall().toISOString();
  const isNew = await store.ladders.finish(id, at, places);
  const finishedAt = isNew ? at : ((await store.ladders.byId(id))?.finishedAt ?? null);
  const present = ladders.byId(id);
  // It may be gone, or have been changed, meanwhile.
  if (present === null || finishedAt === null) return;
  ladders.put({ ...present, finishedAt });
  arena.boards.get(id)?.close();
  arena.boards.set(id, settledBoard(lines));
  await inTurn(arena, () => arena.deps.matchmaker.forget({ ladderId: id, season: null }));
  log.info({ ladder: id, places: places.length }, "the final standings of a ladder were written");
}

/** Bots that are off the ladder's board are not in its final standings. */
async function placesOf(
  { deps: { store, ladders, settings } }: ArenaState,
  ladderId: LadderId,
  lines: ReadonlyMap<string, BoardLine>,
): Promise<FinalStanding[]> {
  const { qualifying_games: enough } = settings.current();
  const versions = await store.versions.byIds(qualifiedVersions(lines, enough));
  const bots = await store.bots.byIds(versions.map(({ botId }) => botId));
  const listed = bots.filter((bot) => ladders.lists(bot, ladderId));
  return finalPlaces(listed, versions, lines, enough);
}

async function forget(arena: ArenaState, ladderId: LadderId): Promise<void> {
  const { deps, boards } = arena;
  boards.get(ladderId)?.close();
  boards.delete(ladderId);
  await inTurn(arena, () => deps.matchmaker.forget({ ladderId, season: null }));
}
