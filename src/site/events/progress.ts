// How far the person who is signed in is in an event.

import { useEffect, useState } from "preact/hooks";

import type { EventProgress } from "#core/resources/event.ts";
import { startPolling } from "#site/public/poll.ts";
import type { Desk } from "#site/sign-in/desk.ts";

/** Bouts of quick bots last for seconds, and an award follows soon. */
const LOOK_EVERY_MS = 3000;

export const progressPath = (event: string): string => `/api/account/events/${event}/achievements`;

/** `desk` is null while nobody is signed in. */
export function useProgress(
  desk: Desk | null,
  event: string,
): { progress: EventProgress | null; take: (progress: EventProgress) => void } {
  const [progress, take] = useState<EventProgress | null>(null);
  const ask = desk?.ask ?? null;
  useEffect(() => {
    if (ask === null) return take(null);
    const load = async () => {
      const answer = await ask<EventProgress>("GET", progressPath(event));
      if ("refusal" in answer) throw new Error(answer.refusal.text);
      return answer.value;
    };
    load().then(take, () => {});
    // What does not answer now leaves on the page what was true a moment ago.
    return startPolling({ load, everyMs: LOOK_EVERY_MS, onData: take, onTrouble: () => {} });
  }, [ask, event]);
  return { progress, take };
}
