import { useEffect, useState } from "preact/hooks";

import { refetchPageData, startPolling } from "#site/shell/poll.ts";

/** Ladders open and close, and members change. */
const POLL_INTERVAL_MS = 5000;

/** Reloads the page's data while it is open. */
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
