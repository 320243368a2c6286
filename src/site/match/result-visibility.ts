// A result is hidden until the visitor has watched the match or asks for the result.
import { useEffect, useState } from "preact/hooks";

import { readSetting, saveSetting } from "#site/shell/settings-storage.ts";
import { RESULT_HASH } from "#site/ui/links.ts";

// Keep in sync with early-script.ts. The style sheet uses `data-results` and `data-late`.
const RESULTS_STORAGE_KEY = "results";
const SHOWN_VALUE = "shown";
const HIDDEN_VALUE = "hidden";
/** Matches whose result the visitor has seen. */
const WATCHED_STORAGE_KEY = "watched";
/** Maximum number of watched matches to store. The oldest are dropped. */
const MAX_WATCHED_IDS = 100;

export type ResultVisibility = {
  /** The visitor's preference for matches opened later. */
  showsResults: boolean;
  /** Whether this result is currently hidden. */
  isHidden: boolean;
  setShowsResults: (shows: boolean) => void;
  /** Called when the visitor has watched the match or asks for the result. */
  reveal: () => void;
};

/**
 * Reads the state that the early script set, which the server doesn't know. A visitor who followed
 * a live link is late if the match has already ended.
 */
export function useResultVisibility(id: string, isRunning: boolean): ResultVisibility {
  const [showsResults, setChoice] = useState(false);
  const [isHidden, setHidden] = useState(false);
  const reveal = (): void => {
    saveWatchedId(id);
    delete document.documentElement.dataset.results;
    setHidden(false);
  };
  useEffect(() => {
    setChoice(readSetting(RESULTS_STORAGE_KEY) === SHOWN_VALUE);
    if (isRunning) delete document.documentElement.dataset.late;
    setHidden(document.documentElement.dataset.results === HIDDEN_VALUE);
    if (location.hash === RESULT_HASH) keepShown(id);
  }, []);
  return {
    showsResults,
    isHidden,
    setShowsResults: (shows) => {
      saveSetting(RESULTS_STORAGE_KEY, shows ? SHOWN_VALUE : null);
      setChoice(shows);
      if (shows) reveal();
    },
    reveal,
  };
}

/**
 * Remembers a result that a link from a list has shown, and removes the fragment from the URL, so
 * that a copied URL hides the result from others. Without storage, the fragment stays.
 */
function keepShown(id: string): void {
  saveWatchedId(id);
  if (loadWatchedIds().includes(id))
    history.replaceState(history.state, "", location.pathname + location.search);
}

function saveWatchedId(id: string): void {
  const otherIds = loadWatchedIds().filter((watchedId) => watchedId !== id);
  saveSetting(WATCHED_STORAGE_KEY, [...otherIds, id].slice(-MAX_WATCHED_IDS).join(" "));
}

const loadWatchedIds = (): string[] => readSetting(WATCHED_STORAGE_KEY)?.split(" ") ?? [];
