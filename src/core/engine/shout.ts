import { RULES } from "./rules.ts";

// Control, format and lone surrogate characters, and the two separators that break lines.
const UNSPEAKABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** A shout as it is kept: without characters that do not print and without space at its ends. */
export function cleanShout(text: string): string {
  // What is white space for trim but not for Unicode, or the other way round, is gone by now.
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

/** Whether a cleaned shout may be shouted: neither empty nor too long, in code points. */
export function isSpeakable(text: string): boolean {
  return text !== "" && cutText(text, RULES.shout.max_length) === text;
}
