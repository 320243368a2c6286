import { RULES } from "./rules.ts";

// Control characters, format characters, lone surrogates, and the line and paragraph separators.
const UNPRINTABLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Returns the shout without unprintable characters and surrounding white space. */
export function cleanShout(text: string): string {
  // `trim` and Unicode disagree only about characters that have already been removed.
  return text.replace(UNPRINTABLE_CHARACTERS, "").trim();
}

export function truncateText(text: string, length: number): string {
  let end = 0;
  for (let i = 0; i < length && end < text.length; i += 1) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

export function isValidShout(text: string): boolean {
  return text !== "" && truncateText(text, RULES.shout.max_length) === text;
}
