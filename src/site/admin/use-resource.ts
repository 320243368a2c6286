// Loads the data of a part: when it opens, after each action, and periodically if it changes by
// itself.

import { useEffect, useRef, useState } from "preact/hooks";

import { startPolling } from "#site/shell/poll.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";

export type Resource<T> = {
  /** Null until loaded. Keeps the last value while the server doesn't respond. */
  value: T | null;
  /** Error of the latest request; null on success. */
  error: string | null;
  /** Reloads; resolves once the new data is shown. */
  reload: () => Promise<void>;
};

/** `intervalMs` polls while the page is visible. */
export function useResource<T>(
  auth: AuthContext,
  path: string,
  intervalMs: number | null = null,
): Resource<T> {
  const [state, setState] = useState<Omit<Resource<T>, "reload">>({ value: null, error: null });
  /** Responses can arrive out of order. */
  const latestRequest = useRef(0);
  const load = async () => {
    const requestNumber = (latestRequest.current += 1);
    const response = await auth.sendRequest<T>("GET", path);
    if (requestNumber !== latestRequest.current) return;
    if (!("refusal" in response)) return setState({ value: response.value, error: null });
    const { text } = response.refusal;
    setState(({ value }) => ({ value, error: text }));
    throw new Error(text);
  };
  const reload = () => load().catch(() => {});
  useEffect(() => {
    setState({ value: null, error: null });
    void reload();
    if (intervalMs === null) return undefined;
    return startPolling({ load, intervalMs, onData: () => {}, onError: () => {} });
  }, [path]);
  return { ...state, reload };
}
