// Hides results until the match was watched, if the visitor chose so.
import { useEffect, useState } from "preact/hooks";

import { readSetting, saveSetting } from "#site/shell/settings-storage.ts";

// Also in early-script.ts. The style sheet uses `data-results` and `data-late`.
const RESULTS_STORAGE_KEY = "results";
const HIDDEN_VALUE = "hidden";
const WATCHED_STORAGE_KEY = "watched";
/** Max number of watched matches stored, newest last. */
const MAX_WATCHED_IDS = 100;

/**
 * `hidesResults`: results are hidden by preference. `isHidden`: this result is currently hidden.
 */
export type ResultVisibility = {
  hidesResults: boolean;
  isHidden: boolean;
  /** Sets whether results are hidden. */
  setHidesResults: (hidden: boolean) => void;
  /** Reveals the result, because the match was watched or on request. */
  reveal: () => void;
};

/**
 * Reads the state set by the early script; the server doesn't know it. A live visitor is late only
 * if the match had already ended.
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
