// Records each ladder's ranks at the start of a UTC day. Rank changes in standings are relative to
// them.

import { DAY_MS } from "#base/util/time.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { finalRanks, qualifiedVersions } from "#core/ladder/standings.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";

import { boardFor, liveCompetition } from "./season.ts";

/**
 * Records the ranks of each ladder whose day has begun. Ranks don't change while the server is
 * down, so ranks at startup equal those at a missed midnight. Rejects if the store fails; the next
 * call retries.
 */
export async function recordDailyRanks(arena: ArenaState): Promise<void> {
  arena.dailyRanks.recording ??= recordDueRanks(arena).finally(() => {
    arena.dailyRanks.recording = null;
  });
  await arena.dailyRanks.recording;
}

async function recordDueRanks(arena: ArenaState): Promise<void> {
  const day = dayOf(arena.deps.clock.wall());
  for (const { id, finishedAt = null } of arena.deps.ladders.list())
    if (finishedAt === null && arena.dailyRanks.latestDays.get(id) !== day)
      await recordLadderRanks(arena, id, day);
}

async function recordLadderRanks(
  arena: ArenaState,
  ladderId: LadderId,
  day: string,
): Promise<void> {
  const { store, clock, settings, ladders } = arena.deps;
  const competition = liveCompetition(arena, ladderId);
  const board = boardFor(arena, competition)?.entries();
  if (board === undefined) return;
  const notedAt = clock.wall().toISOString();
  const { qualifying_games: qualifyingGames, places_kept_days: retentionDays } = settings.current();
  const versions = await store.versions.byIds(qualifiedVersions(board, qualifyingGames));
  const bots = await store.bots.byIds(versions.map(({ botId }) => botId));
  const listedBots = bots.filter((bot) => ladders.isListed(bot, ladderId));
  const botIds = finalRanks(listedBots, versions, board, qualifyingGames).map(({ botId }) => botId);
  const since = dayOf(new Date(Date.parse(day) - retentionDays * DAY_MS));
  await store.standings.record({ ...competition, day, notedAt, botIds }, since);
  arena.dailyRanks.latestDays.set(ladderId, day);
}

const dayOf = (date: Date): string => date.toISOString().slice(0, "YYYY-MM-DD".length);
