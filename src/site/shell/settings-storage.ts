// Stored preferences. Embeds and private windows may have no storage.

export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(`bout-${name}`);
  } catch {
    return null;
  }
}

/** Null removes it. */
export function saveSetting(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`bout-${name}`);
    else localStorage.setItem(`bout-${name}`, value);
  } catch {
    // The choice then applies to this page only.
  }
}
