// Asks for the practice game of a bot that was just registered, and follows it.

import { useEffect, useState } from "preact/hooks";

import type { ErrorBody } from "#core/resources/common.ts";
import type { Practice } from "#core/resources/practice.ts";

import { practise } from "./practice.ts";
import type { PracticeAnswer, Practising } from "./practice.ts";

const PATH = "/api/me/practice";
const LONGEST_WAIT_MS = 10_000;
/** Of the requests that a bot has in an hour, how many are left to the button. */
const KEPT_BACK = 5;

type UsedPractice = {
  /** Null until a bot is registered. */
  practising: Practising | null;
  /** Asks for another game. */
  again: () => void;
};

/**
 * `perHour` is how many games a bot may ask for. It goes on while the page is hidden: people who start
 * a bot are at a terminal. For a bot that queues `elsewhere` than on Public none is asked for unless
 * somebody wants it.
 */
export function usePractice(
  token: string | null,
  { perHour, elsewhere }: { perHour: number; elsewhere: boolean },
): UsedPractice {
  const [practising, show] = useState<Practising | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (token === null) return undefined;
    if (elsewhere && round === 0) return show({ at: "elsewhere" });
    const stopped = new AbortController();
    const { signal } = stopped;
    const tools = {
      ask: (id: string | null) => ask(token, id, signal),
      pause: (ms: number) => pause(ms, signal),
      show: (news: Practising) => signal.aborted || show(news),
    };
    show({ at: "asking" });
    practise(tools, round === 0 ? Math.max(perHour - KEPT_BACK, 1) : 1).catch(() => {});
    return () => stopped.abort();
  }, [token, round]);
  return { practising, again: () => setRound(round + 1) };
}

async function ask(
  token: string,
  id: string | null,
  stopped: AbortSignal,
): Promise<PracticeAnswer> {
  try {
    const response = await fetch(id === null ? PATH : `${PATH}/${encodeURIComponent(id)}`, {
      method: id === null ? "POST" : "GET",
      headers: { authorization: `Bearer ${token}` },
      cache: "no-store",
      signal: AbortSignal.any([stopped, AbortSignal.timeout(LONGEST_WAIT_MS)]),
    });
    return { status: response.status, body: (await response.json()) as Practice | ErrorBody };
  } catch {
    return null;
  }
}

function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    stopped.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new Error("nobody wants to know any more"));
    });
  });
}
