// Follows a running match until it is stored.
import { useEffect, useState } from "preact/hooks";

import type { ServerStatus } from "#core/api/ladder.ts";
import type { RunningMatchStatus, ViewData } from "#site/shell/data.ts";
import { fetchJson, refetchPageData, startPolling } from "#site/shell/poll.ts";

import { loadReplayModules } from "./replay.tsx";

/** Matches of fast bots last only seconds. */
const FOLLOW_POLL_MS = 1000;

type FollowedMatch = {
  tick: number;
  /** The server isn't responding. */
  isUnreachable: boolean;
};

/** Follows a running match. Once it is stored, `onData` gets its page data. */
export function useRunningMatch(
  { id, tick: initialTick }: RunningMatchStatus,
  onData: (data: never) => void,
): FollowedMatch {
  const [tick, setTick] = useState(initialTick);
  const [isUnreachable, setUnreachable] = useState(false);
  useEffect(() => {
    // Preloads the replay viewer.
    loadReplayModules().catch(() => {});
    return startPolling<number | ViewData | null>({
      load: () => loadRunningMatch(id),
      intervalMs: FOLLOW_POLL_MS,
      onData: (update) => {
        setUnreachable(false);
        if (typeof update === "number") setTick(update);
        else if (update !== null) onData(update as never);
      },
      onError: () => setUnreachable(true),
    });
  }, []);
  return { tick, isUnreachable };
}

/** The tick of a running match, or its page data; null between its end and its storage. */
async function loadRunningMatch(id: string): Promise<number | ViewData | null> {
  const { value: status } = await fetchJson<ServerStatus>("/api/status");
  const runningMatch = status.matches.find((match) => match.id === id);
  if (runningMatch !== undefined) return runningMatch.tick;
  const data = await refetchPageData<ViewData>();
  return data?.phase === "ended" ? data : null;
}
