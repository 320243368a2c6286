// The end of a ladder's window, at the second: a timer for the next one. It is set again each round,
// since ladders change and the wall clock may jump.

import type { ArenaState } from "./arena-state.ts";
import { dismissUnadmitted } from "./queueing.ts";

/** Dismisses bots that may not wait any more, now and when the next ladder closes. */
export function watchEdges(arena: ArenaState): void {
  arena.cancelEdge();
  arena.cancelEdge = () => {};
  dismissUnadmitted(arena);
  const { clock } = arena.deps;
  const nextMs = nextClosing(arena) - clock.wall().getTime();
  if (nextMs < Infinity) arena.cancelEdge = clock.after(nextMs, () => watchEdges(arena));
}

/** In ms of the wall clock; Infinity for none. */
function nextClosing({ deps: { clock, ladders } }: ArenaState): number {
  const now = clock.wall().getTime();
  const closings = ladders
    .all()
    .flatMap(({ closesAt }) => (closesAt === null ? [] : Date.parse(closesAt)));
  return Math.min(...closings.filter((at) => at > now));
}
