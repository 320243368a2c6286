// Loads a part's data when the part opens and after each action. Data that changes by itself is
// also polled.

import { useEffect, useRef, useState } from "preact/hooks";

import { startPolling } from "#site/shell/poll.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";

export type Resource<T> = {
  /** Null until loaded. Keeps the last value while the server doesn't respond. */
  value: T | null;
  /** Error from the latest request, or null if it succeeded. */
  error: string | null;
  /** Resolves once the new data is shown. */
  reload: () => Promise<void>;
};

/** Loads `path`. With `intervalMs`, also polls while the page is visible. */
export function useResource<T>(
  auth: AuthContext,
  path: string,
  intervalMs: number | null = null,
): Resource<T> {
  const [state, setState] = useState<Omit<Resource<T>, "reload">>({ value: null, error: null });
  /** Responses can arrive out of order, so only the latest request counts. */
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
