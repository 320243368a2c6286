// Texts of others, such as names in a replay or a server's words, on their way to a terminal.

/** What a terminal may obey (C0, DEL, C1), and what turns the order of the letters around. */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const HEX = 16;
const DIGITS = 4;

/** The text with such characters written out, as in JSON: JSON stays the same document. */
export function printable(text: string): string {
  return text.replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(HEX).padStart(DIGITS, "0")}`,
  );
}
