// The orderly end: everybody is told, nothing new starts, what runs is played and stored.

import { printServerDraining } from "#core/protocol/print.ts";

import type { Hall } from "./arena-state.ts";
import type { Connection } from "./connection.ts";
import { leaveQueue } from "./queueing.ts";
import { tell, visitOf } from "./session.ts";

const CLOSE_SERVICE_RESTART = 1012;
const LOOK_EVERY_MS = 50;

export type DrainOutcome = { abandoned: number };

/** Resolves when no match is left, or when the drain time is over with some abandoned. */
export async function drainGames(hall: Hall): Promise<DrainOutcome> {
  const { clock, limits } = hall.deps;
  const end = clock.now() + limits.drain_timeout_s * 1e6;
  const deadline = new Date(clock.wall().getTime() + limits.drain_timeout_s * 1000).toISOString();
  hall.drainDeadline = deadline;
  for (const session of hall.sessions.values()) {
    leaveQueue(session);
    tell(session, printServerDraining(deadline));
  }
  while (hall.games.size > 0 && clock.now() < end)
    await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
  await hall.seasons.archiving?.catch(() => {});
  hall.isClosed = true;
  for (const session of hall.sessions.values()) {
    const visit = visitOf(session);
    if (visit !== null) closeForRestart(visit.connection);
  }
  return { abandoned: hall.games.size };
}

/** Tells a newcomer that the server drains; after the last close it is closed as well. */
export function tellDrain({ drainDeadline, isClosed }: Hall, connection: Connection): void {
  if (drainDeadline !== null) connection.send(printServerDraining(drainDeadline));
  if (isClosed) closeForRestart(connection);
}

function closeForRestart(connection: Connection): void {
  connection.close(CLOSE_SERVICE_RESTART, "server restarting");
}
