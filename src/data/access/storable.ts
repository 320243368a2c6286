// Texts that every database can store.

/** A pattern for them: PostgreSQL cannot store NUL, nor UTF-8 a lone surrogate. */
export const STORABLE = "^[^\\u0000\\ud800-\\udfff]*$";

const storable = new RegExp(STORABLE, "u");

/** Whether a text could be in the database at all. */
export function isStorable(text: string): boolean {
  return storable.test(text);
}
