import { useEffect, useState } from "preact/hooks";

import { pageAgain, startPolling } from "#site/public/poll.ts";

/** Ladders open and close, and people come and go. */
const LOOK_EVERY_MS = 5000;

/** What the page was made of, asked for again while it is open. */
export function useAgain<T>(first: T): T {
  const [data, setData] = useState(first);
  useEffect(
    () =>
      startPolling({
        load: () => pageAgain<T>(),
        everyMs: LOOK_EVERY_MS,
        onData: (news) => news !== null && setData(news),
        onTrouble: () => {},
      }),
    [],
  );
  return data;
}
