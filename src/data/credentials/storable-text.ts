/**
 * Matches text that every supported database can store. PostgreSQL rejects NUL, and UTF-8 can't
 * encode lone surrogates.
 */
export const STORABLE_PATTERN = "^[^\\u0000\\ud800-\\udfff]*$";

const storableRegExp = new RegExp(STORABLE_PATTERN, "u");

export function isStorable(text: string): boolean {
  return storableRegExp.test(text);
}
