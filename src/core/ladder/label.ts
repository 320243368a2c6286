// Labels of bot versions, and texts of the same form. They appear in URLs and in `name@version`, so
// some characters are excluded.

import { FIXED } from "#core/words/limits.ts";

/**
 * Control characters, characters that show nothing, lone surrogates, private and unassigned ones,
 * line breaks and unusual spaces.
 */
const UNPRINTABLE = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/u;
/** It asks for the coloured form of an emoji, and shows nothing elsewhere. */
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})\ufe0f/gu;
/** Marks need a letter to stand on. A few on one letter occur in some languages. */
const PILED_MARKS = /^\p{M}|\p{M}{4}/u;
const AMBIGUOUS = /[/@#%]/;
/** A URL loses these two when its path is made absolute. */
const DOTS: ReadonlySet<string> = new Set([".", ".."]);

/** Whether this may be the label of a version. Length counts code points. */
export function isVersionLabel(text: string): boolean {
  return isLabel(text, FIXED.version_label_max);
}

/** Whether a text has the form of a label and at most `most` code points. */
export function isLabel(text: string, most: number): boolean {
  return isPrintable(text, most) && !AMBIGUOUS.test(text) && !DOTS.has(text);
}

/** Whether a text of 1 to `most` code points shows all that it has, without space at its ends. */
export function isPrintable(text: string, most: number): boolean {
  const length = Array.from(text).length;
  if (length < 1 || length > most || text.trim() !== text) return false;
  return !UNPRINTABLE.test(text.replace(EMOJI_STYLE, "")) && !PILED_MARKS.test(text);
}
