// Stores preferences. Storage can be unavailable in embeds and private windows.

export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(`bout-${name}`);
  } catch {
    return null;
  }
}

/** Stores a preference. A null value removes it. */
export function saveSetting(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`bout-${name}`);
    else localStorage.setItem(`bout-${name}`, value);
  } catch {
    // Without storage, the preference applies to this page only.
  }
}
