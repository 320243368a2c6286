const UNSAFE_CHARACTERS = String.raw`\s\p{C}@<>"(),:;[\]\\`;
/** ASCII has only letters, digits and hyphens; IDNA decides about the rest. */
const LETTER = `[^${UNSAFE_CHARACTERS}!-,./:-@[-\`{-~]`;
const LABEL = `(?!-)${LETTER}{1,63}(?<!-)`;
const EMAIL_REGEX = new RegExp(`^[^${UNSAFE_CHARACTERS}]{1,64}@(?:${LABEL}\\.)+(${LABEL})$`, "u");
/** A last label that makes a host an IPv4 address: `127.1` and `0x7f.0x1` too (WHATWG URL). */
const NUMBER = /^(?:\p{N}+|0x[0-9a-f]*)$/iu;
/** Maximum length of an address in characters (RFC 5321, section 4.5.3). */
const EMAIL_MAX_CHARS = 254;

/**
 * Whether a text is one email address, and nothing that a mail server would read as more. Its
 * domain is a host name of at least two labels, not an IP address.
 */
export function isEmail(text: string): boolean {
  const top = text.length <= EMAIL_MAX_CHARS ? EMAIL_REGEX.exec(text)?.[1] : undefined;
  return top !== undefined && !NUMBER.test(top);
}

/** Returns a masked address that its owner recognizes: `a…@example.org`. */
export function maskEmail(email: string): string {
  const atSignIndex = email.lastIndexOf("@");
  const [firstCharacter = ""] = email;
  return `${firstCharacter}…${email.slice(atSignIndex)}`;
}
