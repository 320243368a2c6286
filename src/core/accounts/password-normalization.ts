// Normalizes passwords before they're measured or hashed, because keyboards may send the same
// characters as different bytes.

/** Unicode NFKC. */
export const normalizePassword = (text: string): string => text.normalize("NFKC");

/**
 * Returns the forms that a stored hash may be based on: releases before 0.53 hashed the raw text.
 */
export const passwordVariants = (text: string): readonly string[] => [
  ...new Set([normalizePassword(text), text]),
];
