import { RULES } from "./rules.ts";

// Control, format and lone surrogate characters, and the two separators that break lines.
const UNPRINTABLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Cleans a shout: removes unprintable characters and surrounding space. */
export function cleanShout(text: string): string {
  // `trim` and Unicode disagree about some characters, but those have already been removed.
  return text.replace(UNPRINTABLE_CHARACTERS, "").trim();
}

/** Returns the first `length` code points of a text. */
export function truncateText(text: string, length: number): string {
  let end = 0;
  for (let i = 0; i < length && end < text.length; i += 1) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** Returns whether a cleaned shout is allowed: neither empty nor too long, in code points. */
export function isValidShout(text: string): boolean {
  return text !== "" && truncateText(text, RULES.shout.max_length) === text;
}
