// Which ladders keep all their replays.

import { DAY_MS } from "#base/units/time.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { LadderId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { HeldLadder } from "#data/store/replay.ts";

type Window = Pick<LadderDefinition, "id" | "opensAt" | "closesAt">;

/** The ladders of a short window, until their archive is made. Each may keep `keep` replays. */
export function heldLadders(
  ladders: readonly Window[],
  archived: ReadonlySet<LadderId>,
  keep: number,
): HeldLadder[] {
  const held = ladders.filter((ladder) => isShort(ladder) && !archived.has(ladder.id));
  return held.map(({ id }) => ({ ladderId: id, keep }));
}

/** Replays need room, so their ladder must come to an end. */
function isShort({ opensAt, closesAt }: Window): boolean {
  if (opensAt === null || closesAt === null) return false;
  return Date.parse(closesAt) - Date.parse(opensAt) <= FIXED.archive_days * DAY_MS;
}
