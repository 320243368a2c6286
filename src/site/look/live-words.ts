// What a bot does at this moment, in plain words.

import type { Status } from "#core/resources/ladder.ts";

type Session = Status["online"][number];

/** What it does at this moment. A bot that is away may still be in a match. */
export function liveWords(session: Session | undefined): string {
  if (session === undefined) return "Not connected";
  const { online, state, version } = session;
  if (!online) return "Connection lost in a match";
  if (state === "playing")
    return version === null ? "Fighting now" : `Fighting now with ${version}`;
  if (state === "waiting")
    return version === null ? "In the queue" : `In the queue with ${version}`;
  return "Connected, not in the queue";
}
