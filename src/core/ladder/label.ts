// Labels of bot versions, and texts of the same form. They appear in URLs and in `name@version`, so
// some characters are excluded.

import { FIXED } from "#core/words/limits.ts";

/**
 * Control and invisible format characters, lone surrogates, private use, line breaks and unusual
 * spaces.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]|(?! )\p{Z}/u;
const AMBIGUOUS = /[/@#%]/;
/** A URL loses these two when its path is made absolute. */
const DOTS: ReadonlySet<string> = new Set([".", ".."]);

/** Whether this may be the label of a version. Length counts code points. */
export function isVersionLabel(text: string): boolean {
  return isLabel(text, FIXED.version_label_max);
}

/** Whether a text has the form of a label and at most `most` code points. */
export function isLabel(text: string, most: number): boolean {
  const length = Array.from(text).length;
  if (length < 1 || length > most) return false;
  return (
    text.trim() === text && !UNPRINTABLE.test(text) && !AMBIGUOUS.test(text) && !DOTS.has(text)
  );
}
