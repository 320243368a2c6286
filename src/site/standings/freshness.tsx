import { useEffect, useState } from "preact/hooks";

import { startPolling } from "#site/shell/poll.ts";
import { formatUtcClock } from "#site/viewer/match-texts.ts";

export type Freshness = "static" | "live" | "trouble";

/** Returns page data, polled every two seconds while `isPolling`. */
export function usePolledData<T>(
  initialData: T,
  load: (latestData: T) => Promise<T>,
  isPolling = true,
): [data: T, freshness: Freshness] {
  const [data, setData] = useState(initialData);
  const [freshness, setFreshness] = useState<Freshness>("static");
  useEffect(() => {
    if (!isPolling) return undefined;
    setFreshness("live");
    let latestData = initialData;
    return startPolling({
      load: () => load(latestData),
      onData: (update) => {
        latestData = update;
        setData(update);
        setFreshness("live");
      },
      onError: () => setFreshness("trouble"),
    });
  }, []);
  return [data, freshness];
}

type FreshnessNoticeProps = {
  freshness: Freshness;
  now: number;
  draining: boolean;
  /** The ladder has closed, but its last matches are still running. */
  hasEnded?: boolean;
};

/** Shows the age of the data. Takes one line in every state, so the layout doesn't shift. */
export function FreshnessNotice({
  freshness,
  now,
  draining,
  hasEnded = false,
}: FreshnessNoticeProps) {
  const timeText = formatUtcClock(now);
  const hasError = freshness === "trouble";
  const liveText = hasEnded ? `As of ${timeText}` : `Live, as of ${timeText}`;
  return (
    <div class="fresh-line">
      {/* Screen readers announce when an error starts, but not after every poll. */}
      <p class="fresh trouble" role="status" hidden={!hasError}>
        {hasError && `The server isn't responding. Showing data from ${timeText}; retrying.`}
      </p>
      <p class={`fresh ${freshness}`} hidden={hasError}>
        {freshness === "live" ? liveText : `As of ${timeText}. Reload to update.`}
      </p>
      {draining && <p class="notice">The server is about to restart, so no new matches start.</p>}
    </div>
  );
}
