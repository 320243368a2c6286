// What a reader has chosen, kept in the browser. A framed or private page may keep nothing.

export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`bout-${name}`);
  } catch {
    return null;
  }
}

/** Null forgets it. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`bout-${name}`);
    else localStorage.setItem(`bout-${name}`, value);
  } catch {
    // The choice then holds for this page alone.
  }
}
