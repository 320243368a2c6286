import { DAY_MS } from "#base/util/time.ts";
import type { LadderId } from "#core/ids/ids.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { LadderRetention } from "#data/store/replay.ts";

type LadderWindow = Pick<LadderDefinition, "id" | "opensAt" | "closesAt">;

/**
 * Returns the short ladders that have no archive yet. They retain all replays, up to `retainCount`
 * each.
 */
export function ladderRetentions(
  ladders: readonly LadderWindow[],
  archivedIds: ReadonlySet<LadderId>,
  retainCount: number,
): LadderRetention[] {
  const retainedLadders = ladders.filter(
    (ladder) => hasShortWindow(ladder) && !archivedIds.has(ladder.id),
  );
  return retainedLadders.map(({ id }) => ({ ladderId: id, keep: retainCount }));
}

/** Replays take up disk space, so only ladders with a short, fixed window qualify. */
function hasShortWindow({ opensAt, closesAt }: LadderWindow): boolean {
  if (opensAt === null || closesAt === null) return false;
  return Date.parse(closesAt) - Date.parse(opensAt) <= FIXED_LIMITS.archive_days * DAY_MS;
}
