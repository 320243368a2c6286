import { useEffect, useState } from "preact/hooks";

import type { ServerStatus } from "#core/api/ladder.ts";
import type { RunningMatchStatus } from "#site/shell/data.ts";
import { fetchJson } from "#site/shell/poll.ts";
import { LIVE_HASH, liveMatchPath } from "#site/ui/links.ts";

/**
 * Shown to visitors who open a live match after it ended. The early script has already hidden the
 * result, and the style sheet hides this notice from all other visitors.
 */
export function MissedLiveNotice({ onWatch }: { onWatch: () => void }) {
  const runningMatch = useOtherRunningMatch();
  return (
    <div class="late">
      <p>
        <strong>This match is over.</strong> It ended before you arrived.
      </p>
      <p class="actions">
        <button type="button" class="button" onClick={onWatch}>
          Watch from the start
        </button>
        {runningMatch !== null && (
          <a class="button quiet" href={liveMatchPath(runningMatch.id)}>
            Live now: <bdi>{runningMatch.display_names[0]}</bdi> vs{" "}
            <bdi>{runningMatch.display_names[1]}</bdi>
          </a>
        )}
      </p>
    </div>
  );
}

function useOtherRunningMatch(): RunningMatchStatus | null {
  const [runningMatch, setRunningMatch] = useState<RunningMatchStatus | null>(null);
  useEffect(() => {
    if (location.hash !== LIVE_HASH || document.documentElement.dataset.late === undefined) return;
    fetchJson<ServerStatus>("/api/status").then(
      ({ value }) => setRunningMatch(value.matches[0] ?? null),
      () => {},
    );
  }, []);
  return runningMatch;
}
