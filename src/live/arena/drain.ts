import { SECOND_US, SECOND_MS } from "#base/util/time.ts";
import type { MatchId } from "#core/ids/ids.ts";
import { printServerDraining } from "#core/protocol/print-messages.ts";

import type { ArenaState } from "./arena-state.ts";
import type { Connection } from "./connection.ts";
import { leaveQueue } from "./queueing.ts";
import { sendToSession, connectionStateOf } from "./session.ts";

const CLOSE_SERVICE_RESTART = 1012;
const POLL_MS = 50;
/** Extra seconds to store results after the drain timeout. */
const RESULT_GRACE_S = 2;

export type DrainOutcome = { abandoned: number };

/**
 * Resolves when all matches have ended or the drain timeout has passed. Closes every connection and
 * returns how many matches were abandoned.
 */
export async function drainMatches(arena: ArenaState): Promise<DrainOutcome> {
  const { clock, settings } = arena.deps;
  const startedAt = clock.now();
  const startedMs = clock.wall().getTime();
  const currentTimeout = () => settings.current().drain_timeout_s;
  let announcedTimeout: number;
  do {
    announcedTimeout = currentTimeout();
    announceDrain(arena, new Date(startedMs + announcedTimeout * SECOND_MS).toISOString());
    while (
      currentTimeout() === announcedTimeout &&
      hasRunningMatches(arena) &&
      clock.now() < startedAt + announcedTimeout * SECOND_US
    )
      await new Promise<void>((resolve) => void clock.after(POLL_MS, resolve));
  } while (currentTimeout() !== announcedTimeout && hasRunningMatches(arena));
  await waitForResults(arena);
  await arena.seasons.archiving?.catch(() => {});
  arena.isClosed = true;
  for (const session of arena.sessions.values()) {
    const connectionState = connectionStateOf(session);
    if (connectionState !== null) closeForRestart(connectionState.connection);
  }
  for (const { human } of arena.unrankedMatches.values())
    if (human !== null) closeForRestart(human);
  arena.watchHub.close();
  return { abandoned: arena.rankedMatches.size + arena.unrankedMatches.size };
}

/** Skips results that the store keeps rejecting, and gives up after `RESULT_GRACE_S`. */
async function waitForResults(arena: ArenaState): Promise<void> {
  const { clock } = arena.deps;
  const graceEnd = clock.now() + RESULT_GRACE_S * SECOND_US;
  while (arena.resultsInProgress > arena.unsavedResults.count && clock.now() < graceEnd)
    await new Promise<void>((resolve) => void clock.after(POLL_MS, resolve));
}

/**
 * Runs `conclude` for a finished match. If it fails, the match counts as abandoned when the arena
 * is already closed. Otherwise results can't be trusted, and `panic` is called.
 */
export async function runMatchEnd(
  arena: ArenaState,
  matchId: MatchId,
  conclude: () => Promise<void>,
): Promise<void> {
  const { deps } = arena;
  arena.resultsInProgress += 1;
  try {
    await conclude();
  } catch (error) {
    if (arena.isClosed) {
      deps.log.warn({ matchId, error }, "match abandoned while its result was being stored");
    } else {
      deps.log.error({ matchId, error }, "could not conclude match");
      deps.panic(error);
    }
  } finally {
    arena.resultsInProgress -= 1;
  }
}

const hasRunningMatches = ({ rankedMatches, unrankedMatches }: ArenaState): boolean =>
  rankedMatches.size + unrankedMatches.size > 0;

/** Called again whenever the operator changes the drain timeout. */
function announceDrain(arena: ArenaState, deadline: string): void {
  arena.drainDeadline = deadline;
  for (const session of arena.sessions.values()) {
    leaveQueue(session);
    sendToSession(session, printServerDraining(deadline));
  }
  for (const { human } of arena.unrankedMatches.values())
    human?.send(printServerDraining(deadline));
}

/**
 * Sends a new connection the drain notice if the server is draining, and closes it if all other
 * connections are already closed.
 */
export function sendDrainNotice(
  { drainDeadline, isClosed }: ArenaState,
  connection: Connection,
): void {
  if (drainDeadline !== null) connection.send(printServerDraining(drainDeadline));
  if (isClosed) closeForRestart(connection);
}

export function refuseForDrain(connection: Connection, deadline: string): void {
  connection.send(printServerDraining(deadline));
  closeForRestart(connection);
}

function closeForRestart(connection: Connection): void {
  connection.close(CLOSE_SERVICE_RESTART, "server restarting");
}
