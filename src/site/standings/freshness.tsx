import { useEffect, useState } from "preact/hooks";

import { startPolling } from "#site/public/poll.ts";
import { clockWords } from "#site/viewer/words.ts";

export type Freshness = "static" | "live" | "trouble";

/** Data that a page was made with, and news of it every two seconds while `isLive`. */
export function useNews<T>(
  first: T,
  load: (last: T) => Promise<T>,
  isLive = true,
): [data: T, freshness: Freshness] {
  const [data, setData] = useState(first);
  const [freshness, setFreshness] = useState<Freshness>("static");
  useEffect(() => {
    if (!isLive) return undefined;
    setFreshness("live");
    let last = first;
    return startPolling({
      load: () => load(last),
      onData: (news) => {
        last = news;
        setData(news);
        setFreshness("live");
      },
      onTrouble: () => setFreshness("trouble"),
    });
  }, []);
  return [data, freshness];
}

type FreshProps = {
  freshness: Freshness;
  now: number;
  draining: boolean;
  /** It is over, and only its last bouts are still fought. */
  isOver?: boolean;
};

/** How old the page is. One line in every state, so that nothing below it moves. */
export function Fresh({ freshness, now, draining, isOver = false }: FreshProps) {
  const at = clockWords(now);
  const isTrouble = freshness === "trouble";
  const live = isOver ? `As of ${at}` : `Live, as of ${at}`;
  return (
    <div class="fresh-line">
      {/* Announced by screen readers when trouble starts, but not every two seconds. */}
      <p class="fresh trouble" role="status" hidden={!isTrouble}>
        {isTrouble && `The server does not answer. This is what stood at ${at}; trying again.`}
      </p>
      <p class={`fresh ${freshness}`} hidden={isTrouble}>
        {freshness === "live" ? live : `As of ${at}. Reload for news.`}
      </p>
      {draining && <p class="notice">The server is about to restart: no new bouts start.</p>}
    </div>
  );
}
