import { useEffect, useState } from "preact/hooks";

import type { ErrorBody } from "#core/api/common-schemas.ts";
import type { Practice } from "#core/api/practice.ts";

import { runPractice } from "./practice.ts";
import type { PracticeResponse, PracticeState } from "./practice.ts";

const PRACTICE_ROUTE = "/api/me/practice";
const REQUEST_TIMEOUT_MS = 10_000;
/** Number of requests per hour that automatic retries leave for the button. */
const RESERVED_REQUESTS = 5;

type UsePracticeResult = {
  /** Null until a bot is registered. */
  practice: PracticeState | null;
  retry: () => void;
};

/**
 * Requests a practice match for a new bot and follows the match. `perHour` is the request limit.
 * Continues while the page is hidden, because people start their bot in a terminal. If
 * `isOnOtherLadder`, requests a match only when `retry` is called.
 */
export function usePractice(
  token: string | null,
  { perHour, isOnOtherLadder }: { perHour: number; isOnOtherLadder: boolean },
): UsePracticeResult {
  const [practice, setPractice] = useState<PracticeState | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (token === null) return undefined;
    if (isOnOtherLadder && attempt === 0) return setPractice({ at: "elsewhere" });
    const controller = new AbortController();
    const { signal } = controller;
    const client = {
      request: (id: string | null) => request(token, id, signal),
      wait: (ms: number) => wait(ms, signal),
      setPractice: (update: PracticeState) => signal.aborted || setPractice(update),
    };
    setPractice({ at: "asking" });
    runPractice(client, attempt === 0 ? Math.max(perHour - RESERVED_REQUESTS, 1) : 1).catch(
      () => {},
    );
    return () => controller.abort();
  }, [token, attempt]);
  return { practice, retry: () => setAttempt(attempt + 1) };
}

async function request(
  token: string,
  id: string | null,
  abortSignal: AbortSignal,
): Promise<PracticeResponse> {
  try {
    const response = await fetch(
      id === null ? PRACTICE_ROUTE : `${PRACTICE_ROUTE}/${encodeURIComponent(id)}`,
      {
        method: id === null ? "POST" : "GET",
        headers: { authorization: `Bearer ${token}` },
        cache: "no-store",
        signal: AbortSignal.any([abortSignal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      },
    );
    return { status: response.status, body: (await response.json()) as Practice | ErrorBody };
  } catch {
    return null;
  }
}

function wait(ms: number, abortSignal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    abortSignal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new Error("the page was closed"));
    });
  });
}
