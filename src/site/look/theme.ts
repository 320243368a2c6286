// The color theme: the system's, or the one chosen in the footer. early.ts applies a stored choice
// before the first paint; this file handles changes after that.
import { recall, remember } from "#site/public/remember.ts";

// The same key and attribute as in early.ts.
const KEY = "theme";
const STORED_KEY = "bout-theme";
const CHANGED = "bout-theme-changed";
const DARK = "(prefers-color-scheme: dark)";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const parseTheme = (stored: string | null): Theme =>
  THEMES.find((theme) => theme === stored) ?? "system";

/**
 * Calls `listener` whenever the page's colors change: the system switched its theme, or the reader
 * chose another one. Drawings on a canvas need it; style sheets follow by themselves.
 */
export function onThemeChange(listener: () => void, signal: AbortSignal): void {
  matchMedia(DARK).addEventListener("change", listener, { signal });
  addEventListener(CHANGED, listener, { signal });
}

/** Connects the footer's list to the page, and other tabs to this one. */
export function connectThemeChoice(select: HTMLSelectElement): void {
  select.value = parseTheme(recall(KEY));
  select.addEventListener("change", () => {
    const theme = parseTheme(select.value);
    remember(KEY, theme === "system" ? null : theme);
    applyTheme(theme);
  });
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== STORED_KEY) return;
    select.value = parseTheme(newValue);
    applyTheme(parseTheme(newValue));
  });
}

function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[data-scheme]"))
    meta.media = mediaOf(theme, meta.dataset.scheme ?? "");
  dispatchEvent(new Event(CHANGED));
}

/** When the browser's own frame takes the color of a scheme. */
function mediaOf(theme: Theme, scheme: string): string {
  if (theme === "system") return `(prefers-color-scheme: ${scheme})`;
  return theme === scheme ? "all" : "not all";
}
