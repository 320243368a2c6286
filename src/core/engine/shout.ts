import { RULES } from "./rules.ts";

// Control, format and lone surrogate characters, and the two separators that break lines.
const UNSPEAKABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Cleans a shout: removes characters that do not print, and space at both ends. */
export function cleanShout(text: string): string {
  // Characters that `trim` and Unicode disagree about have been removed by now.
  return text.replace(UNSPEAKABLE, "").trim();
}

/** The first `length` code points of a text. */
export function cutText(text: string, length: number): string {
  let end = 0;
  for (let i = 0; i < length && end < text.length; i += 1) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** Whether a cleaned shout is allowed: neither empty nor too long, in code points. */
export function isSpeakable(text: string): boolean {
  return text !== "" && cutText(text, RULES.shout.max_length) === text;
}
