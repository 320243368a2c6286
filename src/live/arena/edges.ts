// The closing of ladders, to the second: a timer for the next instant at which something happens. It
// is set again each round, since ladders change and the wall clock may jump.

import { SECOND_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";

import type { ArenaState } from "./arena-state.ts";
import { dismissUnadmitted } from "./queueing.ts";

const GRACE_MS = FIXED.closing_grace_s * SECOND_MS;

/**
 * Dismisses bots that may not wait any more, and ends matches that run on for too long after the
 * closing, now and at the next such instant.
 */
export function watchEdges(arena: ArenaState): void {
  arena.cancelEdge();
  arena.cancelEdge = () => {};
  dismissUnadmitted(arena);
  endOverdue(arena);
  const { clock } = arena.deps;
  const nextMs = nextEdge(arena) - clock.wall().getTime();
  if (nextMs < Infinity) arena.cancelEdge = clock.after(nextMs, () => watchEdges(arena));
}

/** Nobody waits for final standings because a match is drawn out. */
function endOverdue({ deps, games }: ArenaState): void {
  const nowMs = deps.clock.wall().getTime();
  for (const { ladderId, running } of games.values()) {
    const closesAt = deps.ladders.byId(ladderId)?.closesAt ?? null;
    if (closesAt !== null && nowMs >= Date.parse(closesAt) + GRACE_MS)
      running.take({ type: "cut_short" });
  }
}

/** In ms of the wall clock; Infinity for none. */
function nextEdge({ deps: { clock, ladders } }: ArenaState): number {
  const now = clock.wall().getTime();
  const edges = ladders.all().flatMap(({ closesAt }) => {
    if (closesAt === null) return [];
    const closing = Date.parse(closesAt);
    return [closing, closing + GRACE_MS];
  });
  return Math.min(...edges.filter((at) => at > now));
}
