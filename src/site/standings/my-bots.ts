// The reader's bots: those of the signed-in account, and those marked in this browser.

import { useEffect, useState } from "preact/hooks";

import { useOwnAccount } from "#site/sign-in/own-account.ts";

const KEY = "bout:my-bots";
/** More than anybody has; the oldest ones are forgotten first. */
const MOST = 20;

export type MyBots = {
  /** Canonical names, owned ones first; empty until a script has looked. */
  names: readonly string[];
  /** The account's own bots, which cannot be unmarked. */
  owned: readonly string[];
  isReady: boolean;
  toggle: (name: string) => void;
};

export function useMyBots(): MyBots {
  const [marked, setMarked] = useState<readonly string[]>([]);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    setMarked(read());
    setReady(true);
    const onChange = ({ key }: StorageEvent) => key === KEY && setMarked(read());
    addEventListener("storage", onChange);
    return () => removeEventListener("storage", onChange);
  }, []);
  const toggle = (name: string) => {
    const last = read();
    const next = last.includes(name) ? last.filter((one) => one !== name) : [...last, name];
    write(next.slice(-MOST));
    setMarked(next.slice(-MOST));
  };
  const owned = (useOwnAccount()?.bots ?? [])
    .filter(({ status }) => status !== "retired")
    .map(({ name }) => name);
  const names = [...owned, ...marked.filter((name) => !owned.includes(name))];
  return { names, owned, isReady, toggle };
}

/** What is stored may come from another version or from the reader's own hand. */
function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** A browser that stores nothing remembers until the page is closed. */
function write(names: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // Nothing else can be done.
  }
}
