// A bot is never punished for what is not its fault, and the arena finds no fault in itself.

import type { Watch } from "./watch.ts";

/** Log lines that a sound arena never writes, whatever the world does to it. */
const ALARMS: ReadonlySet<string> = new Set([
  "a match failed and is void",
  "a match could not be concluded",
  "a match could not be started",
  "a result cannot be stored and is void",
  "a round failed",
  "a board could not be read",
]);

export function watchFairClock(): Watch {
  return {
    name: "no bot pays for the server",
    on: {
      wronged: ({ botId, matchId, reason }) =>
        `${botId} answered in time in ${matchId} and is charged with ${reason}`,
      given_up: ({ bot }) => `${bot} answered everything and is given up`,
    },
  };
}

export function watchAlarms(): Watch {
  return {
    name: "no alarm",
    on: { logged: ({ text, detail }) => (ALARMS.has(text) ? `${text}: ${detail}` : null) },
  };
}
