// Who stands where on each ladder when a UTC day begins: standings show how far bots have moved since.

import { DAY_MS } from "#base/units/time.ts";
import { finalPlaces, qualifiedVersions } from "#core/ladder/standings.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";

import { boardOf, liveCompetition } from "./season.ts";

/**
 * Notes the places of ladders whose day has begun. While no server runs nobody moves, so the places
 * that it finds at its start are those of the midnight that it has missed. Failures are retried at
 * the next call.
 */
export async function notePlaces(arena: ArenaState): Promise<void> {
  arena.places.noting ??= noteAll(arena).finally(() => {
    arena.places.noting = null;
  });
  await arena.places.noting;
}

async function noteAll(arena: ArenaState): Promise<void> {
  const day = dayOf(arena.deps.clock.wall());
  for (const { id, finishedAt = null } of arena.deps.ladders.all())
    if (finishedAt === null && arena.places.days.get(id) !== day) await note(arena, id, day);
}

async function note(arena: ArenaState, ladderId: LadderId, day: string): Promise<void> {
  const { store, clock, settings, ladders } = arena.deps;
  const competition = liveCompetition(arena, ladderId);
  const board = boardOf(arena, competition)?.entries();
  if (board === undefined) return;
  const notedAt = clock.wall().toISOString();
  const { qualifying_games: enough, places_kept_days: days } = settings.current();
  const versions = await store.versions.byIds(qualifiedVersions(board, enough));
  const bots = await store.bots.byIds(versions.map(({ botId }) => botId));
  const listed = bots.filter((bot) => ladders.lists(bot, ladderId));
  const botIds = finalPlaces(listed, versions, board, enough).map(({ botId }) => botId);
  const since = dayOf(new Date(Date.parse(day) - days * DAY_MS));
  await store.standings.note({ ...competition, day, notedAt, botIds }, since);
  arena.places.days.set(ladderId, day);
}

const dayOf = (date: Date): string => date.toISOString().slice(0, "YYYY-MM-DD".length);
