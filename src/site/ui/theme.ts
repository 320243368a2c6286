// Theme: the system's, or the one chosen in the footer. early-script.ts applies a stored choice
// before the first paint. This file handles later changes.
import { readSetting, saveSetting } from "#site/shell/settings-storage.ts";

// Keep the key and the attribute in sync with early-script.ts.
const THEME_KEY = "theme";
const THEME_STORAGE_KEY = "bout-theme";
const THEME_CHANGED_EVENT = "bout-theme-changed";
const DARK_QUERY = "(prefers-color-scheme: dark)";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const parseTheme = (storedTheme: string | null): Theme =>
  THEMES.find((theme) => theme === storedTheme) ?? "system";

/**
 * Calls `listener` when the system or the visitor changes the theme. Canvas drawings must then be
 * redrawn.
 */
export function onThemeChange(listener: () => void, signal: AbortSignal): void {
  matchMedia(DARK_QUERY).addEventListener("change", listener, { signal });
  addEventListener(THEME_CHANGED_EVENT, listener, { signal });
}

/** Connects the theme select in the footer, and applies changes made in other tabs. */
export function connectThemeChoice(select: HTMLSelectElement): void {
  select.value = parseTheme(readSetting(THEME_KEY));
  select.addEventListener("change", () => {
    const theme = parseTheme(select.value);
    saveSetting(THEME_KEY, theme === "system" ? null : theme);
    applyTheme(theme);
  });
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== THEME_STORAGE_KEY) return;
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
  dispatchEvent(new Event(THEME_CHANGED_EVENT));
}

function mediaOf(theme: Theme, scheme: string): string {
  if (theme === "system") return `(prefers-color-scheme: ${scheme})`;
  return theme === scheme ? "all" : "not all";
}
