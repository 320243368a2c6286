// Validates version labels and other text with the same syntax. Labels appear in URLs and in
// `name@version`, so some characters aren't allowed.

import { FIXED_LIMITS } from "#core/limits/limits.ts";

/**
 * Control, invisible, private-use and unassigned characters, lone surrogates, line breaks and
 * unusual spaces.
 */
const UNPRINTABLE_CHARACTERS = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/u;
/** Variation selector-16 selects the coloured form of an emoji. Elsewhere it is invisible. */
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})\ufe0f/gu;
/** Combining marks need a base letter. Some languages use up to three on one letter. */
const STACKED_MARKS = /^\p{M}|\p{M}{4}/u;
const RESERVED_CHARACTERS = /[/@#%]/;
/** URL parsers remove these from paths. */
const DOT_LABELS: ReadonlySet<string> = new Set([".", ".."]);

/** Returns whether a string is a valid version label. Its length counts code points. */
export function isVersionLabel(text: string): boolean {
  return isLabel(text, FIXED_LIMITS.version_label_max);
}

/** Returns whether a string has the syntax of a label and at most `maxLength` code points. */
export function isLabel(text: string, maxLength: number): boolean {
  return isPrintable(text, maxLength) && !RESERVED_CHARACTERS.test(text) && !DOT_LABELS.has(text);
}

/**
 * Returns whether a string has 1 to `maxLength` code points, all of them visible, and no leading or
 * trailing space.
 */
export function isPrintable(text: string, maxLength: number): boolean {
  const length = Array.from(text).length;
  if (length < 1 || length > maxLength || text.trim() !== text) return false;
  return !UNPRINTABLE_CHARACTERS.test(text.replace(EMOJI_STYLE, "")) && !STACKED_MARKS.test(text);
}
