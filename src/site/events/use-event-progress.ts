import { useEffect, useState } from "preact/hooks";

import type { EventProgress } from "#core/api/event.ts";
import { startPolling } from "#site/shell/poll.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";

/** Fast bots finish a match in seconds, and awards follow soon after. */
const POLL_INTERVAL_MS = 3000;

export const eventProgressPath = (event: string): string =>
  `/api/account/events/${event}/achievements`;

/** Polls the signed-in person's progress in an event. `auth` is null while signed out. */
export function useEventProgress(
  auth: AuthContext | null,
  event: string,
): { progress: EventProgress | null; setProgress: (progress: EventProgress) => void } {
  const [progress, setProgress] = useState<EventProgress | null>(null);
  const sendRequest = auth?.sendRequest ?? null;
  useEffect(() => {
    if (sendRequest === null) return setProgress(null);
    const load = async () => {
      const response = await sendRequest<EventProgress>("GET", eventProgressPath(event));
      if ("refusal" in response) throw new Error(response.refusal.text);
      return response.value;
    };
    load().then(setProgress, () => {});
    // Keeps the last known state while the server doesn't respond.
    return startPolling({
      load,
      intervalMs: POLL_INTERVAL_MS,
      onData: setProgress,
      onError: () => {},
    });
  }, [sendRequest, event]);
  return { progress, setProgress };
}
