// Polls the API: one request at a time, none while the page is hidden, few while it fails.

const POLL_MS = 2000;
/** A server that takes longer than this counts as not answering. */
const LONGEST_WAIT_MS = 10_000;
const LONGEST_BACKOFF_MS = 60_000;

export type Polling<T> = {
  load: () => Promise<T>;
  onData: (data: T) => void;
  /** Called on every failed attempt. The last data stays valid. */
  onTrouble: () => void;
  /** Milliseconds between an answer and the next request. */
  everyMs?: number;
};

/**
 * Milliseconds until the next request. The time doubles with each failure in a row; up to half of
 * it is left out at `random`, from 0 to 1, so that pages do not all come back at once.
 */
export function waitMs(everyMs: number, failures: number, random: number): number {
  if (failures === 0) return everyMs;
  const longest = Math.min(POLL_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
  return longest * (1 - random / 2);
}

function randomShare(): number {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
  return drawn / 2 ** 32;
}

/** Starts polling, with the first request after one interval. Returns a function that stops it. */
export function startPolling<T>(polling: Polling<T>): () => void {
  const { everyMs = POLL_MS } = polling;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let failures = 0;
  const stopped = new AbortController();
  const { signal } = stopped;
  const schedule = (delay: number): void => {
    clearTimeout(timer);
    if (signal.aborted || document.hidden || isAsking) return;
    timer = setTimeout(() => void ask(), delay);
  };
  const ask = async (): Promise<void> => {
    isAsking = true;
    try {
      const data = await polling.load();
      failures = 0;
      if (!signal.aborted) polling.onData(data);
    } catch {
      failures += 1;
      if (!signal.aborted) polling.onTrouble();
    }
    isAsking = false;
    schedule(waitMs(everyMs, failures, randomShare()));
  };
  // A visitor who returns to the page, or to the network, sees news at once.
  document.addEventListener("visibilitychange", () => schedule(0), { signal });
  addEventListener("online", () => schedule(0), { signal });
  schedule(everyMs);
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

/**
 * What the page of this address is made of now. Null if it is a page without data, such as that of
 * an error.
 */
export async function pageAgain<T>(): Promise<T | null> {
  const response = await fetch(location.pathname + location.search, { cache: "no-cache" });
  if (response.status >= 500) throw new Error(`the page answered ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const json = page.getElementById("data")?.textContent;
  return json === undefined ? null : (JSON.parse(json) as T);
}

function ask(path: string): Promise<Response> {
  return fetch(path, { signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
}
