// Texts that every supported database can store.

/**
 * Pattern for storable text: PostgreSQL can't store NUL, and UTF-8 can't encode a lone surrogate.
 */
export const STORABLE_PATTERN = "^[^\\u0000\\ud800-\\udfff]*$";

const storableRegExp = new RegExp(STORABLE_PATTERN, "u");

/** Whether the database can store a text. */
export function isStorable(text: string): boolean {
  return storableRegExp.test(text);
}
