// The orderly end: everybody is told, nothing new starts, and what runs is played and stored.

import { SECOND, SECOND_MS } from "#base/units/time.ts";
import { printServerDraining } from "#core/protocol/print.ts";

import type { ArenaState } from "./arena-state.ts";
import type { Connection } from "./connection.ts";
import { leaveQueue } from "./queueing.ts";
import { tell, visitOf } from "./session.ts";

const CLOSE_SERVICE_RESTART = 1012;
const LOOK_EVERY_MS = 50;

export type DrainOutcome = { abandoned: number };

/** Resolves when no match is left, or when the drain time is over and the rest are abandoned. */
export async function drainGames(arena: ArenaState): Promise<DrainOutcome> {
  const { clock, settings } = arena.deps;
  const begin = clock.now();
  const beginMs = clock.wall().getTime();
  const timeout = () => settings.current().drain_timeout_s;
  let told: number;
  do {
    told = timeout();
    announceEnd(arena, new Date(beginMs + told * SECOND_MS).toISOString());
    while (timeout() === told && isFighting(arena) && clock.now() < begin + told * SECOND)
      await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
  } while (timeout() !== told && isFighting(arena));
  await arena.seasons.archiving?.catch(() => {});
  arena.isClosed = true;
  for (const session of arena.sessions.values()) {
    const visit = visitOf(session);
    if (visit !== null) closeForRestart(visit.connection);
  }
  for (const { person } of arena.bouts.values()) closeForRestart(person);
  return { abandoned: arena.games.size + arena.bouts.size };
}

const isFighting = ({ games, bouts }: ArenaState): boolean => games.size + bouts.size > 0;

/** Tells everybody connected, and again when the operator moves the end. */
function announceEnd(arena: ArenaState, deadline: string): void {
  arena.drainDeadline = deadline;
  for (const session of arena.sessions.values()) {
    leaveQueue(session);
    tell(session, printServerDraining(deadline));
  }
  for (const { person } of arena.bouts.values()) person.send(printServerDraining(deadline));
}

/** Tells a newcomer that the server is draining, and closes it if the others are closed already. */
export function tellDrain({ drainDeadline, isClosed }: ArenaState, connection: Connection): void {
  if (drainDeadline !== null) connection.send(printServerDraining(drainDeadline));
  if (isClosed) closeForRestart(connection);
}

/** Closes a connection that came too late for anything but this word. */
export function sendAway(connection: Connection, deadline: string): void {
  connection.send(printServerDraining(deadline));
  closeForRestart(connection);
}

function closeForRestart(connection: Connection): void {
  connection.close(CLOSE_SERVICE_RESTART, "server restarting");
}
