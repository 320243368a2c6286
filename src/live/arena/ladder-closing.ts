// Timer for the next ladder closing. It is rescheduled every round, because ladders can change and
// the wall clock can jump.

import { SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { ArenaState } from "./arena-state.ts";
import { dismissIneligible } from "./queueing.ts";

const GRACE_MS = FIXED_LIMITS.closing_grace_s * SECOND_MS;

/** Dismisses bots on closed ladders, ends overdue matches, and schedules the next run. */
export function scheduleLadderClosing(arena: ArenaState): void {
  arena.cancelClosingTimer();
  arena.cancelClosingTimer = () => {};
  dismissIneligible(arena);
  endOverdueMatches(arena);
  const { clock } = arena.deps;
  const nextMs = nextClosingMs(arena) - clock.wall().getTime();
  if (nextMs < Infinity)
    arena.cancelClosingTimer = clock.after(nextMs, () => scheduleLadderClosing(arena));
}

/** A slow match must not delay the final standings. */
function endOverdueMatches({ deps, rankedMatches }: ArenaState): void {
  const nowMs = deps.clock.wall().getTime();
  for (const { ladderId, runner } of rankedMatches.values()) {
    const closesAt = deps.ladders.byId(ladderId)?.closesAt ?? null;
    if (closesAt !== null && nowMs >= Date.parse(closesAt) + GRACE_MS)
      runner.handleEvent({ type: "cut_short" });
  }
}

/** Wall clock time in ms; Infinity if no ladder is going to close. */
function nextClosingMs({ deps: { clock, ladders } }: ArenaState): number {
  const now = clock.wall().getTime();
  const closingTimes = ladders.list().flatMap(({ closesAt }) => {
    if (closesAt === null) return [];
    const closingMs = Date.parse(closesAt);
    return [closingMs, closingMs + GRACE_MS];
  });
  return Math.min(...closingTimes.filter((at) => at > now));
}
