import { useEffect, useState } from "preact/hooks";

import { refetchPageData, startPolling } from "#site/shell/poll.ts";

/** Ladders open and close, and memberships change, while the page is open. */
const POLL_INTERVAL_MS = 5000;

/** Polls the current page's data. Returns `initialData` until the first response. */
export function usePolledPageData<T>(initialData: T): T {
  const [data, setData] = useState(initialData);
  useEffect(
    () =>
      startPolling({
        load: () => refetchPageData<T>(),
        intervalMs: POLL_INTERVAL_MS,
        onData: (update) => update !== null && setData(update),
        onError: () => {},
      }),
    [],
  );
  return data;
}
