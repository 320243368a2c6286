// Where in the console its reader is: follows the address and the links, and asks before anything that
// was typed is lost.

import { useEffect, useRef, useState } from "preact/hooks";

import { consolePath, placeIn, placeOfClick } from "./place.ts";
import type { ConsolePlace } from "./place.ts";

type Question = { loss: string; leave: () => void };

export function useConsolePlace() {
  const root = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState(() => placeIn(location.search));
  const [question, setQuestion] = useState<Question | null>(null);
  /** What leaving would lose. */
  const loss = useRef<string | null>(null);
  const address = useRef(addressNow());
  const move = (to: ConsolePlace) => {
    const path = consolePath(to.part, to.of);
    if (path !== addressNow()) history.pushState(null, "", path);
    address.current = path;
    setPlace(to);
    scrollTo({ top: 0 });
  };
  const unless = (leave: () => void) => {
    if (loss.current === null) return leave();
    const free = () => {
      loss.current = null;
      setQuestion(null);
      leave();
    };
    return setQuestion({ loss: loss.current, leave: free });
  };
  const go = (to: ConsolePlace) => unless(() => move(to));
  /** The browser has gone on already, so it is sent back until the question is answered. */
  const follow = () => {
    if (addressNow() === address.current) return;
    const isFree = loss.current === null;
    if (!isFree) history.pushState(null, "", address.current);
    unless(() => {
      if (!isFree) return history.back();
      address.current = addressNow();
      return setPlace(placeIn(location.search));
    });
  };
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("popstate", follow, { signal });
    addEventListener("beforeunload", (event) => loss.current !== null && event.preventDefault(), {
      signal,
    });
    const press = (event: MouseEvent) => {
      const to = placeOfClick(event);
      if (to === null) return;
      event.preventDefault();
      go(to);
    };
    root.current?.addEventListener("click", press, { signal });
    return () => listening.abort();
  }, []);
  const keep = (text: string | null) => void (loss.current = text);
  return { place, go, root, keep, question, stay: () => setQuestion(null) };
}

const addressNow = (): string => location.pathname + location.search;
