// The orderly end: everybody is told, nothing new starts, what runs is played and stored.

import { SECOND, SECOND_MS } from "#base/units/time.ts";
import { printServerDraining } from "#core/protocol/print.ts";

import type { ArenaState } from "./arena-state.ts";
import type { Connection } from "./connection.ts";
import { leaveQueue } from "./queueing.ts";
import { tell, visitOf } from "./session.ts";

const CLOSE_SERVICE_RESTART = 1012;
const LOOK_EVERY_MS = 50;

export type DrainOutcome = { abandoned: number };

/** Resolves when no match is left, or when the drain time is over with some abandoned. */
export async function drainGames(arena: ArenaState): Promise<DrainOutcome> {
  const { clock, settings } = arena.deps;
  const begin = clock.now();
  const beginMs = clock.wall().getTime();
  const timeout = () => settings.current().drain_timeout_s;
  let told: number;
  do {
    told = timeout();
    announceEnd(arena, new Date(beginMs + told * SECOND_MS).toISOString());
    while (timeout() === told && arena.games.size > 0 && clock.now() < begin + told * SECOND)
      await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
  } while (timeout() !== told && arena.games.size > 0);
  await arena.seasons.archiving?.catch(() => {});
  arena.isClosed = true;
  for (const session of arena.sessions.values()) {
    const visit = visitOf(session);
    if (visit !== null) closeForRestart(visit.connection);
  }
  return { abandoned: arena.games.size };
}

/** Whoever is here is told; again when the operator moves the end. */
function announceEnd(arena: ArenaState, deadline: string): void {
  arena.drainDeadline = deadline;
  for (const session of arena.sessions.values()) {
    leaveQueue(session);
    tell(session, printServerDraining(deadline));
  }
}

/** Tells a newcomer that the server drains; after the last close it is closed as well. */
export function tellDrain({ drainDeadline, isClosed }: ArenaState, connection: Connection): void {
  if (drainDeadline !== null) connection.send(printServerDraining(drainDeadline));
  if (isClosed) closeForRestart(connection);
}

function closeForRestart(connection: Connection): void {
  connection.close(CLOSE_SERVICE_RESTART, "server restarting");
}
