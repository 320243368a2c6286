// Polls the API with one request at a time. Pauses while the page is hidden and backs off after
// failures.

const DEFAULT_POLL_MS = 2000;
const REQUEST_TIMEOUT_MS = 10_000;
const MAX_BACKOFF_MS = 60_000;

export type PollingOptions<T> = {
  load: () => Promise<T>;
  onData: (data: T) => void;
  /** Called after every failed attempt. The last data stays valid. */
  onError: () => void;
  /** Milliseconds between a response and the next request. Defaults to two seconds. */
  intervalMs?: number;
};

/**
 * Returns the milliseconds until the next request. The delay doubles with each consecutive failure.
 * `randomFraction` (0 to 1) shortens it by up to half, so that clients don't retry at the same
 * time.
 */
export function pollDelayMs(intervalMs: number, failures: number, randomFraction: number): number {
  if (failures === 0) return intervalMs;
  const maxDelay = Math.min(DEFAULT_POLL_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
  return maxDelay * (1 - randomFraction / 2);
}

function randomFractionNow(): number {
  const [randomValue = 0] = crypto.getRandomValues(new Uint32Array(1));
  return randomValue / 2 ** 32;
}

/**
 * Starts polling. Sends the first request after one interval. Returns a function that stops
 * polling.
 */
export function startPolling<T>(options: PollingOptions<T>): () => void {
  const { intervalMs = DEFAULT_POLL_MS } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;
  let failures = 0;
  const controller = new AbortController();
  const { signal } = controller;
  const schedule = (delay: number): void => {
    clearTimeout(timer);
    if (signal.aborted || document.hidden || isLoading) return;
    timer = setTimeout(() => void poll(), delay);
  };
  const poll = async (): Promise<void> => {
    isLoading = true;
    try {
      const data = await options.load();
      failures = 0;
      if (!signal.aborted) options.onData(data);
    } catch {
      failures += 1;
      if (!signal.aborted) options.onError();
    }
    isLoading = false;
    schedule(pollDelayMs(intervalMs, failures, randomFractionNow()));
  };
  // Polls immediately when the visitor returns to the page or goes back online.
  document.addEventListener("visibilitychange", () => schedule(0), { signal });
  addEventListener("online", () => schedule(0), { signal });
  schedule(intervalMs);
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}

export type TimedResponse<T> = { value: T; now: number };

/** Fetches JSON from the API. `now` is the server time, in Unix ms. Throws on an error status. */
export async function fetchJson<T>(path: string): Promise<TimedResponse<T>> {
  const response = await fetchWithTimeout(path);
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  const date = Date.parse(response.headers.get("date") ?? "");
  const value = (await response.json()) as T;
  return { value, now: Number.isNaN(date) ? Date.now() : date };
}

/** Reloads the current page's data. Returns null for pages without data, such as error pages. */
export async function refetchPageData<T>(): Promise<T | null> {
  const response = await fetch(location.pathname + location.search, { cache: "no-cache" });
  if (response.status >= 500) throw new Error(`the page returned ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const json = page.getElementById("data")?.textContent;
  return json === undefined ? null : (JSON.parse(json) as T);
}

function fetchWithTimeout(path: string): Promise<Response> {
  return fetch(path, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
}
