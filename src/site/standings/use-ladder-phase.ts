import { useEffect, useState } from "preact/hooks";

import type { Ladder } from "#core/api/ladder-results.ts";
import { fetchJson, refetchPageData, startPolling } from "#site/shell/poll.ts";

import type { LadderData } from "./data.ts";

/** Short, because ladders open and close with one-second precision. */
const POLL_INTERVAL_MS = 4000;

/** Reloads the page data when the ladder's next phase starts. */
export function useLadderPhase(initialData: LadderData): LadderData {
  const [data, setData] = useState(initialData);
  const { id, phase, opens_at, closes_at } = data.ladder;
  const canChange = phase !== "closed" && (opens_at ?? closes_at) !== null;
  useEffect(() => {
    if (!canChange) return undefined;
    const load = async () => {
      const { value } = await fetchJson<Ladder[]>(`/api/ladders?ladder=${id}`);
      const currentLadder = value.find((ladder) => ladder.id === id);
      return currentLadder === undefined || currentLadder.phase === phase
        ? null
        : refetchPageData<LadderData>();
    };
    return startPolling({
      load,
      intervalMs: POLL_INTERVAL_MS,
      onData: (update) => update !== null && setData(update),
      onError: () => {},
    });
  }, [id, phase]);
  return data;
}
