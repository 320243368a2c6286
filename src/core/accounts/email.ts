// Email addresses.

const UNSAFE = String.raw`\s\p{C}@<>"(),:;[\]\\`;
/** ASCII has only letters, digits and hyphens; IDNA decides about the rest. */
const LETTER = `[^${UNSAFE}!-,./:-@[-\`{-~]`;
const LABEL = `(?!-)${LETTER}{1,63}(?<!-)`;
const EMAIL = new RegExp(`^[^${UNSAFE}]{1,64}@(?:${LABEL}\\.)+(${LABEL})$`, "u");
/** A last label that makes a host an IPv4 address: `127.1` and `0x7f.0x1` too (WHATWG URL). */
const NUMBER = /^(?:\p{N}+|0x[0-9a-f]*)$/iu;
/** Characters, of the whole (RFC 5321, section 4.5.3). */
const EMAIL_CHARS = 254;

/**
 * Whether a text is one email address, and nothing that a mail server would read as more. Its
 * domain is a host name of at least two labels, not an IP address.
 */
export function isEmail(text: string): boolean {
  const top = text.length <= EMAIL_CHARS ? EMAIL.exec(text)?.[1] : undefined;
  return top !== undefined && !NUMBER.test(top);
}

/** Returns an address that its owner recognizes, without giving it away: `a…@example.org`. */
export function shortEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [first = ""] = email;
  return `${first}…${email.slice(at)}`;
}
