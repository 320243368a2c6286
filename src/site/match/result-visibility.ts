// Visitors can choose to hide results until they have watched the match.
import { useEffect, useState } from "preact/hooks";

import { readSetting, saveSetting } from "#site/shell/settings-storage.ts";

// Keep in sync with early-script.ts. The style sheet uses `data-results` and `data-late`.
const RESULTS_STORAGE_KEY = "results";
const HIDDEN_VALUE = "hidden";
const WATCHED_STORAGE_KEY = "watched";
/** Maximum number of watched matches to store. The oldest are dropped. */
const MAX_WATCHED_IDS = 100;

/**
 * `hidesResults` is the visitor's preference. `isHidden` says whether this result is currently
 * hidden.
 */
export type ResultVisibility = {
  hidesResults: boolean;
  isHidden: boolean;
  setHidesResults: (hidden: boolean) => void;
  /** Called when the visitor has watched the match or asks for the result. */
  reveal: () => void;
};

/**
 * Reads the state that the early script set, which the server doesn't know. A visitor who followed
 * a live link is late if the match has already ended.
 */
export function useResultVisibility(id: string, isRunning: boolean): ResultVisibility {
  const [hidesResults, setChoice] = useState(false);
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    const isStoredHidden = readSetting(RESULTS_STORAGE_KEY) === HIDDEN_VALUE;
    setChoice(isStoredHidden);
    if (isRunning) {
      delete document.documentElement.dataset.late;
      if (!isStoredHidden) delete document.documentElement.dataset.results;
    }
    setHidden(document.documentElement.dataset.results === HIDDEN_VALUE);
  }, []);
  const setResultHidden = (hidden: boolean): void => {
    if (hidden) document.documentElement.dataset.results = HIDDEN_VALUE;
    else delete document.documentElement.dataset.results;
    setHidden(hidden);
  };
  return {
    hidesResults,
    isHidden,
    setHidesResults: (hidden) => {
      saveSetting(RESULTS_STORAGE_KEY, hidden ? HIDDEN_VALUE : null);
      setChoice(hidden);
      setResultHidden(hidden);
    },
    reveal: () => {
      const otherIds = loadWatchedIds().filter((watchedId) => watchedId !== id);
      saveSetting(WATCHED_STORAGE_KEY, [...otherIds, id].slice(-MAX_WATCHED_IDS).join(" "));
      setResultHidden(false);
    },
  };
}

const loadWatchedIds = (): string[] => readSetting(WATCHED_STORAGE_KEY)?.split(" ") ?? [];
