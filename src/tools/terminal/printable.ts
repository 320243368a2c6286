// Makes untrusted text, such as names in a replay or a server's errors, safe for a terminal.

/**
 * Characters that control a terminal (C0, DEL, C1), change the text direction, or are invisible and
 * could hide a difference.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

const HEX_RADIX = 16;
const ESCAPE_DIGITS = 4;

/** Escapes such characters the way JSON does, so the content of JSON is unchanged. */
export function escapeUnprintable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(HEX_RADIX).padStart(ESCAPE_DIGITS, "0")}`)
      .join(""),
  );
}

/** Like `escapeUnprintable`, for text that must stay on one line. */
export const printableLine = (text: string): string =>
  escapeUnprintable(text.replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, " "));
