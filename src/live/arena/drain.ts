// The orderly end: everybody is told, nothing new starts, and what runs is played and stored.

import { SECOND, SECOND_MS } from "#base/units/time.ts";
import { printServerDraining } from "#core/protocol/print.ts";
import type { MatchId } from "#core/words/ids.ts";

import type { ArenaState } from "./arena-state.ts";
import type { Connection } from "./connection.ts";
import { leaveQueue } from "./queueing.ts";
import { tell, visitOf } from "./session.ts";

const CLOSE_SERVICE_RESTART = 1012;
const LOOK_EVERY_MS = 50;
/** How much longer than the drain time a stop may take, in seconds. */
const LAST_RESULTS_S = 2;

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
  await lastResults(arena);
  await arena.seasons.archiving?.catch(() => {});
  arena.isClosed = true;
  for (const session of arena.sessions.values()) {
    const visit = visitOf(session);
    if (visit !== null) closeForRestart(visit.connection);
  }
  for (const { person } of arena.bouts.values()) if (person !== null) closeForRestart(person);
  return { abandoned: arena.games.size + arena.bouts.size };
}

/** What was fought out is stored and told, unless the store is out of reach or too slow. */
async function lastResults(arena: ArenaState): Promise<void> {
  const { clock } = arena.deps;
  const latest = clock.now() + LAST_RESULTS_S * SECOND;
  while (arena.concluding > arena.trouble.unsaved && clock.now() < latest)
    await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
}

/**
 * Runs the end of a match. One that fails once the arena is closed was abandoned with it; any other
 * fault leaves a result that nobody can believe.
 */
export async function concluding(
  arena: ArenaState,
  matchId: MatchId,
  work: () => Promise<void>,
): Promise<void> {
  const { deps } = arena;
  arena.concluding += 1;
  try {
    await work();
  } catch (error) {
    if (arena.isClosed) {
      deps.log.warn({ matchId, error }, "a match was abandoned while it was stored");
    } else {
      deps.log.error({ matchId, error }, "a match could not be concluded");
      deps.panic(error);
    }
  } finally {
    arena.concluding -= 1;
  }
}

const isFighting = ({ games, bouts }: ArenaState): boolean => games.size + bouts.size > 0;

/** Tells everybody connected, and again when the operator moves the end. */
function announceEnd(arena: ArenaState, deadline: string): void {
  arena.drainDeadline = deadline;
  for (const session of arena.sessions.values()) {
    leaveQueue(session);
    tell(session, printServerDraining(deadline));
  }
  for (const { person } of arena.bouts.values()) person?.send(printServerDraining(deadline));
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
