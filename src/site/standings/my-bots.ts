// The bots that a reader calls their own: remembered in the browser, known to nobody else.

import { useEffect, useState } from "preact/hooks";

const KEY = "bout:my-bots";
/** More than anybody has; the oldest ones are forgotten first. */
const MOST = 20;

export type MyBots = {
  /** Canonical names; empty until a script has looked. */
  names: readonly string[];
  isReady: boolean;
  toggle: (name: string) => void;
};

export function useMyBots(): MyBots {
  const [names, setNames] = useState<readonly string[]>([]);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    setNames(read());
    setReady(true);
    const onChange = ({ key }: StorageEvent) => key === KEY && setNames(read());
    addEventListener("storage", onChange);
    return () => removeEventListener("storage", onChange);
  }, []);
  const toggle = (name: string) => {
    const last = read();
    const next = last.includes(name) ? last.filter((one) => one !== name) : [...last, name];
    write(next.slice(-MOST));
    setNames(next.slice(-MOST));
  };
  return { names, isReady, toggle };
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
