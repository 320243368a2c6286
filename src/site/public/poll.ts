// Polls the API: one request at a time, none while the page is hidden.

const POLL_MS = 2000;
/** A server that takes longer than this counts as not answering. */
const LONGEST_WAIT_MS = 10_000;

export type Polling<T> = {
  load: () => Promise<T>;
  onData: (data: T) => void;
  /** Called on every failed attempt. The last data stays valid. */
  onTrouble: () => void;
};

/** Starts polling, with the first request after one interval. Returns a function that stops it. */
export function startPolling<T>(polling: Polling<T>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  const stopped = new AbortController();
  const schedule = (delay: number): void => {
    clearTimeout(timer);
    if (stopped.signal.aborted || document.hidden || isAsking) return;
    timer = setTimeout(() => void ask(), delay);
  };
  const ask = async (): Promise<void> => {
    isAsking = true;
    try {
      const data = await polling.load();
      if (!stopped.signal.aborted) polling.onData(data);
    } catch {
      if (!stopped.signal.aborted) polling.onTrouble();
    }
    isAsking = false;
    schedule(POLL_MS);
  };
  // A visitor who returns to the page sees news at once.
  document.addEventListener("visibilitychange", () => schedule(0), { signal: stopped.signal });
  schedule(POLL_MS);
  return () => {
    stopped.abort();
    clearTimeout(timer);
  };
}

export type Answer<T> = { value: T; now: number };

/**
 * Fetches JSON from the API. Throws unless the answer is a success. `now` is the server's clock in
 * ms.
 */
export async function getJson<T>(path: string): Promise<Answer<T>> {
  const response = await ask(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  const date = Date.parse(response.headers.get("date") ?? "");
  const value = (await response.json()) as T;
  return { value, now: Number.isNaN(date) ? Date.now() : date };
}

/** The same, but null for what does not exist. */
export async function getJsonOrNull<T>(path: string): Promise<T | null> {
  const response = await ask(path);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as T;
}

function ask(path: string): Promise<Response> {
  return fetch(path, { signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
}
