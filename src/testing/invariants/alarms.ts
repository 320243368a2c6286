// The server never blames a bot for a server fault, and the arena logs no internal errors.

import type { Watch } from "./watch.ts";

/** Messages that a correct arena never logs, whatever else fails. */
const ALARMS: ReadonlySet<string> = new Set([
  "match failed and is void",
  "could not conclude match",
  "could not start match",
  "could not store match result; match is void",
  "round failed",
  "could not read board",
]);

export function watchBlame(): Watch {
  return {
    name: "no bot is blamed for server faults",
    on: {
      wronged: ({ botId, matchId, reason }) =>
        `${botId} responded in time in ${matchId} but was charged with ${reason}`,
      given_up: ({ bot }) => `${bot} answered everything but was given up`,
    },
  };
}

export function watchAlarms(): Watch {
  return {
    name: "no alarm",
    on: { logged: ({ text, detail }) => (ALARMS.has(text) ? `${text}: ${detail}` : null) },
  };
}
