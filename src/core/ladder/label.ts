// Labels of bot versions, and texts with the same syntax. They appear in URLs and in
// `name@version`, so some characters are excluded.

import { FIXED_LIMITS } from "#core/limits/limits.ts";

/**
 * Control characters, invisible characters, lone surrogates, private and unassigned ones, line
 * breaks and unusual spaces.
 */
const UNPRINTABLE_CHARACTERS = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/u;
/** Variation selector-16 selects the coloured form of an emoji and is invisible elsewhere. */
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})\ufe0f/gu;
/** Marks need a base letter. A few marks on one letter occur in some languages. */
const STACKED_MARKS = /^\p{M}|\p{M}{4}/u;
const RESERVED_CHARACTERS = /[/@#%]/;
/** URL parsers remove these two from paths. */
const DOT_LABELS: ReadonlySet<string> = new Set([".", ".."]);

/** Returns whether a text is a valid version label. Length counts code points. */
export function isVersionLabel(text: string): boolean {
  return isLabel(text, FIXED_LIMITS.version_label_max);
}

/** Returns whether a text has the syntax of a label and no more than `maxLength` code points. */
export function isLabel(text: string, maxLength: number): boolean {
  return isPrintable(text, maxLength) && !RESERVED_CHARACTERS.test(text) && !DOT_LABELS.has(text);
}

/**
 * Returns whether a text of 1 to `maxLength` code points has only visible characters and no
 * surrounding space.
 */
export function isPrintable(text: string, maxLength: number): boolean {
  const length = Array.from(text).length;
  if (length < 1 || length > maxLength || text.trim() !== text) return false;
  return !UNPRINTABLE_CHARACTERS.test(text.replace(EMOJI_STYLE, "")) && !STACKED_MARKS.test(text);
}
