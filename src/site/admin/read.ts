// What a part shows: a route's answer, read as the part opens, after each action, and from time to
// time where it changes by itself.

import { useEffect, useRef, useState } from "preact/hooks";

import { startPolling } from "#site/public/poll.ts";
import type { Desk } from "#site/sign-in/desk.ts";

export type Read<T> = {
  /** Null until the first answer; the last good one stays while the server does not answer. */
  value: T | null;
  /** Why the newest answer is not there; null if it is. */
  trouble: string | null;
  /** Reads again; resolves when that is shown. */
  again: () => Promise<void>;
};

/** `everyMs` reads again and again while the page is seen. */
export function useRead<T>(desk: Desk, path: string, everyMs: number | null = null): Read<T> {
  const [state, setState] = useState<Omit<Read<T>, "again">>({ value: null, trouble: null });
  /** Answers may come in another order than they were asked for. */
  const asked = useRef(0);
  const load = async () => {
    const turn = (asked.current += 1);
    const answer = await desk.ask<T>("GET", path);
    if (turn !== asked.current) return;
    if (!("refusal" in answer)) return setState({ value: answer.value, trouble: null });
    const { text } = answer.refusal;
    setState(({ value }) => ({ value, trouble: text }));
    throw new Error(text);
  };
  const again = () => load().catch(() => {});
  useEffect(() => {
    setState({ value: null, trouble: null });
    void again();
    if (everyMs === null) return undefined;
    return startPolling({ load, everyMs, onData: () => {}, onTrouble: () => {} });
  }, [path]);
  return { ...state, again };
}
