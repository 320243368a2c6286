import type { ServerStatus } from "#core/api/ladder.ts";

type Session = ServerStatus["online"][number];

/** Describes a bot's current activity. A disconnected bot can still be in a match. */
export function describeActivity(session: Session | undefined): string {
  if (session === undefined) return "Not connected";
  const { online, state, version } = session;
  if (!online) return "Connection lost during a match";
  if (state === "playing") return version === null ? "Playing now" : `Playing now with ${version}`;
  if (state === "waiting") return version === null ? "In queue" : `In queue with ${version}`;
  return "Connected, not in queue";
}
