import { useEffect, useState } from "preact/hooks";

import type { ServerStatus } from "#core/api/ladder.ts";
import type { RunningMatchStatus, ViewData } from "#site/shell/data.ts";
import { fetchJson, refetchPageData, startPolling } from "#site/shell/poll.ts";

import { loadReplayModules } from "./replay.tsx";

/** Fast bots finish a match in seconds. */
const FOLLOW_POLL_MS = 1000;

type FollowedMatch = {
  tick: number;
  isUnreachable: boolean;
};

/** Follows a running match. Calls `onData` with the page data once the match is stored. */
export function useRunningMatch(
  { id, tick: initialTick }: RunningMatchStatus,
  onData: (data: never) => void,
): FollowedMatch {
  const [tick, setTick] = useState(initialTick);
  const [isUnreachable, setUnreachable] = useState(false);
  useEffect(() => {
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

/**
 * Returns a running match's current tick, or a stored match's page data. Returns null between the
 * end of the match and its storage.
 */
async function loadRunningMatch(id: string): Promise<number | ViewData | null> {
  const { value: status } = await fetchJson<ServerStatus>("/api/status");
  const runningMatch = status.matches.find((match) => match.id === id);
  if (runningMatch !== undefined) return runningMatch.tick;
  const data = await refetchPageData<ViewData>();
  return data?.phase === "ended" ? data : null;
}
