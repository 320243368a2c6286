// Makes texts of others, such as names in a replay or a server's words, safe for a terminal.

/**
 * Characters that a terminal may obey (C0, DEL, C1), that change the direction of the text, or that
 * show nothing and so hide a difference.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

const HEX = 16;
const DIGITS = 4;

/** Escapes such characters as in JSON, so JSON stays the same document. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(HEX).padStart(DIGITS, "0")}`)
      .join(""),
  );
}

/** The same for a text that must stay on its line. */
export const oneLine = (text: string): string =>
  printable(text.replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, " "));
