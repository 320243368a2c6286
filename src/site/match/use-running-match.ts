import { useEffect, useRef, useState } from "preact/hooks";

import type { ServerStatus } from "#core/api/ladder.ts";
import type { RunningMatchStatus, ViewData } from "#site/shell/data.ts";
import { fetchJson, refetchPageData, startPolling } from "#site/shell/poll.ts";

import { loadReplayModules } from "./replay.tsx";

/** Fast bots finish a match in seconds. */
const FOLLOW_POLL_MS = 1000;
/** The live view is a few seconds late. If it stops, the replay doesn't wait for it. */
const MAX_LIVE_DELAY_MS = 15_000;

type FollowedMatch = {
  tick: number;
  isUnreachable: boolean;
  /** Call when the live view has shown the whole match, or can't show it. */
  endLiveView: () => void;
};

/**
 * Follows a running match. Calls `onData` with the page data once the match is stored and the live
 * view has ended.
 */
export function useRunningMatch(
  { id, tick: initialTick }: RunningMatchStatus,
  onData: (data: never) => void,
): FollowedMatch {
  const [tick, setTick] = useState(initialTick);
  const [isUnreachable, setUnreachable] = useState(false);
  const swap = useRef(createReplaySwap(onData)).current;
  useEffect(() => {
    loadReplayModules().catch(() => {});
    return startPolling<number | ViewData | null>({
      load: () => (swap.isReady() ? Promise.resolve(null) : loadRunningMatch(id)),
      intervalMs: FOLLOW_POLL_MS,
      onData: (update) => {
        setUnreachable(false);
        if (typeof update === "number") setTick(update);
        else if (update !== null) swap.setData(update);
      },
      onError: () => setUnreachable(true),
    });
  }, []);
  return { tick, isUnreachable, endLiveView: swap.endLiveView };
}

/** Passes the data on once it is known and the live view has ended, or has had enough time. */
function createReplaySwap(onData: (data: never) => void) {
  let data: ViewData | null = null;
  let hasLiveEnded = false;
  const trySwap = () => {
    if (data !== null && hasLiveEnded) onData(data as never);
  };
  const endLiveView = () => {
    hasLiveEnded = true;
    trySwap();
  };
  return {
    endLiveView,
    isReady: () => data !== null,
    setData: (update: ViewData) => {
      data = update;
      setTimeout(endLiveView, MAX_LIVE_DELAY_MS);
      trySwap();
    },
  };
}

/**
 * Returns the current tick of a running match, or the page data of a stored match. Returns null
 * between the end of the match and its storage.
 */
async function loadRunningMatch(id: string): Promise<number | ViewData | null> {
  const { value: status } = await fetchJson<ServerStatus>("/api/status");
  const runningMatch = status.matches.find((match) => match.id === id);
  if (runningMatch !== undefined) return runningMatch.tick;
  const data = await refetchPageData<ViewData>();
  return data?.phase === "ended" ? data : null;
}
