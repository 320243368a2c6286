// Labels of bot versions, and texts of the same kind. They stand in addresses and in
// `name@version`, so some marks are out.

import { FIXED } from "#core/words/limits.ts";

/** Controls, invisible format marks, lone surrogates, private use, and breaks or odd spaces. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]|(?! )\p{Z}/u;
const AMBIGUOUS = /[/@#%]/;
/** An address would lose these two when its path is made absolute. */
const DOTS: ReadonlySet<string> = new Set([".", ".."]);

/** Whether a version may be called so; length counts code points. */
export function isVersionLabel(text: string): boolean {
  return isLabel(text, FIXED.version_label_max);
}

/** Whether a text is one in all but its length, and has at most so many code points. */
export function isLabel(text: string, most: number): boolean {
  const length = Array.from(text).length;
  if (length < 1 || length > most) return false;
  return (
    text.trim() === text && !UNPRINTABLE.test(text) && !AMBIGUOUS.test(text) && !DOTS.has(text)
  );
}
