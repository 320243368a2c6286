// Email addresses.

const UNSAFE = String.raw`\s\p{C}@<>"(),:;[\]\\`;
const EMAIL = new RegExp(`^[^${UNSAFE}]{1,64}@(?:[^${UNSAFE}./?#%]{1,63}(?:\\.|$)){2,}$`, "u");
/** Characters, of the whole (RFC 5321, section 4.5.3). */
const EMAIL_CHARS = 254;

/**
 * Whether a text is one email address, and nothing that a mail server would read as more. Its
 * domain has at least two labels, none of them empty.
 */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_CHARS && EMAIL.test(text) && !text.endsWith(".");
}

/** Returns an address that its owner recognizes, without giving it away: `a…@example.org`. */
export function shortEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [first = ""] = email;
  return `${first}…${email.slice(at)}`;
}
