// Watching without knowing: results stay hidden until a bout was watched, if its reader wants that.
import { useEffect, useState } from "preact/hooks";

import { recall, remember } from "./remember.ts";

// Known to early.ts too, and `data-results` and `data-late` to the style.
const CHOICE = "results";
const HIDDEN = "hidden";
const WATCHED = "watched";
/** Bouts remembered as watched, the newest last. */
const MOST_WATCHED = 100;

/** `isChosen`: the reader hides results. `isHidden`: this one is hidden right now. */
export type HiddenResults = {
  isChosen: boolean;
  isHidden: boolean;
  /** Hides results from now on, or no longer. */
  choose: (hidden: boolean) => void;
  /** The bout was watched to its end, or the reader wants to know. */
  reveal: () => void;
};

/**
 * What was chosen, as the early script found it. The server's page knows nothing of it. Who came to
 * see a bout live is late only if it was over by then.
 */
export function useResults(id: string, isRunning: boolean): HiddenResults {
  const [isChosen, setChosen] = useState(false);
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    const isWanted = recall(CHOICE) === HIDDEN;
    setChosen(isWanted);
    if (isRunning) {
      delete document.documentElement.dataset.late;
      if (!isWanted) delete document.documentElement.dataset.results;
    }
    setHidden(document.documentElement.dataset.results === HIDDEN);
  }, []);
  const hide = (hidden: boolean): void => {
    if (hidden) document.documentElement.dataset.results = HIDDEN;
    else delete document.documentElement.dataset.results;
    setHidden(hidden);
  };
  return {
    isChosen,
    isHidden,
    choose: (hidden) => {
      remember(CHOICE, hidden ? HIDDEN : null);
      setChosen(hidden);
      hide(hidden);
    },
    reveal: () => {
      const others = watched().filter((one) => one !== id);
      remember(WATCHED, [...others, id].slice(-MOST_WATCHED).join(" "));
      hide(false);
    },
  };
}

const watched = (): string[] => recall(WATCHED)?.split(" ") ?? [];
