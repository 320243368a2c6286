// Normalizes passwords before their length is checked or they are hashed, because keyboards may
// encode the same characters as different bytes.

export const normalizePassword = (text: string): string => text.normalize("NFKC");

/**
 * Returns the forms of a password that a stored hash may be based on. Releases before 0.53 hashed
 * the raw text.
 */
export const passwordVariants = (text: string): readonly string[] => [
  ...new Set([normalizePassword(text), text]),
];
