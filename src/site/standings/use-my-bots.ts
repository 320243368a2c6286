// A visitor's bots are the signed-in account's bots and the bots starred in this browser.

import { useEffect, useState } from "preact/hooks";

import { useOwnAccount } from "#site/sign-in/own-account.ts";

const MY_BOTS_STORAGE_KEY = "bout:my-bots";
/** Maximum number of starred bots. The oldest stars are dropped. */
const MAX_MARKED_BOTS = 20;

export type MyBots = {
  /** Canonical names, owned bots first. Empty until loaded. */
  names: readonly string[];
  /** The account's own bots can't be unstarred. */
  ownedNames: readonly string[];
  isReady: boolean;
  toggleMark: (name: string) => void;
};

export function useMyBots(): MyBots {
  const [markedNames, setMarkedNames] = useState<readonly string[]>([]);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    setMarkedNames(loadMarkedBots());
    setReady(true);
    const onChange = ({ key }: StorageEvent) =>
      key === MY_BOTS_STORAGE_KEY && setMarkedNames(loadMarkedBots());
    addEventListener("storage", onChange);
    return () => removeEventListener("storage", onChange);
  }, []);
  const toggleMark = (name: string) => {
    const storedNames = loadMarkedBots();
    const nextNames = storedNames.includes(name)
      ? storedNames.filter((markedName) => markedName !== name)
      : [...storedNames, name];
    saveMarkedBots(nextNames.slice(-MAX_MARKED_BOTS));
    setMarkedNames(nextNames.slice(-MAX_MARKED_BOTS));
  };
  const ownedNames = (useOwnAccount()?.bots ?? [])
    .filter(({ status }) => status !== "retired")
    .map(({ name }) => name);
  const names = [...ownedNames, ...markedNames.filter((name) => !ownedNames.includes(name))];
  return { names, ownedNames, isReady, toggleMark };
}

/** Stored data may come from another version or have been edited by hand. */
function loadMarkedBots(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(MY_BOTS_STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** Without storage, stars last until the page is closed. */
function saveMarkedBots(names: readonly string[]): void {
  try {
    localStorage.setItem(MY_BOTS_STORAGE_KEY, JSON.stringify(names));
  } catch {
    // Storage is unavailable and there is no fallback.
  }
}
