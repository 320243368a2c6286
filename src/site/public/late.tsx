import { useEffect, useState } from "preact/hooks";

import type { Status } from "#core/resources/ladder.ts";
import { LIVE_HASH, livePath } from "#site/look/links.ts";

import type { RunningBout } from "./data.ts";
import { getJson } from "./poll.ts";

type LateProps = { isHidden: boolean; onWatch: () => void };

/**
 * For readers who came to see a bout live that was over by then; the style shows it to them alone.
 * The early script has hidden the result.
 */
export function Late({ isHidden, onWatch }: LateProps) {
  const running = useRunning();
  return (
    <div class="late">
      <p>
        <strong>This bout is over.</strong> It ended before you came.
        {isHidden && " Its result is hidden until you have watched."}
      </p>
      <p class="actions">
        <button type="button" class="button" onClick={onWatch}>
          Watch from the start
        </button>
        {running !== null && (
          <a class="button quiet" href={livePath(running.id)}>
            In the ring now: <bdi>{running.display_names[0]}</bdi> vs{" "}
            <bdi>{running.display_names[1]}</bdi>
          </a>
        )}
      </p>
    </div>
  );
}

/** A bout that is being fought as the page opens, for those who are late for another one. */
function useRunning(): RunningBout | null {
  const [running, setRunning] = useState<RunningBout | null>(null);
  useEffect(() => {
    if (location.hash !== LIVE_HASH || document.documentElement.dataset.late === undefined) return;
    getJson<Status>("/api/status").then(
      ({ value }) => setRunning(value.matches[0] ?? null),
      () => {},
    );
  }, []);
  return running;
}
