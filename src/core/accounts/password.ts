// Passwords as they are measured and kept. The same letters may come as other bytes from another
// keyboard, so they are told apart by what they mean.

/** Unicode NFKC. */
export const passwordForm = (text: string): string => text.normalize("NFKC");

/** What a hash may have been made of: until release 0.53 it was the text as it came. */
export const passwordForms = (text: string): readonly string[] => [
  ...new Set([passwordForm(text), text]),
];
