const UNSAFE_CHARACTERS = String.raw`\s\p{C}@<>"(),:;[\]\\`;
/** In ASCII, only letters, digits and hyphens. IDNA decides which other characters are valid. */
const LETTER = `[^${UNSAFE_CHARACTERS}!-,./:-@[-\`{-~]`;
const LABEL = `(?!-)${LETTER}{1,63}(?<!-)`;
const EMAIL_REGEX = new RegExp(`^[^${UNSAFE_CHARACTERS}]{1,64}@(?:${LABEL}\\.)+(${LABEL})$`, "u");
/** A last label that makes the host an IPv4 address, as in `127.1` or `0x7f.0x1` (WHATWG URL). */
const NUMBER = /^(?:\p{N}+|0x[0-9a-f]*)$/iu;
/** RFC 5321, section 4.5.3. */
const EMAIL_MAX_CHARS = 254;

/**
 * Returns whether the text is a single email address that no mail server would read as anything
 * else. The domain must be a host name of at least two labels, not an IP address.
 */
export function isEmail(text: string): boolean {
  const top = text.length <= EMAIL_MAX_CHARS ? EMAIL_REGEX.exec(text)?.[1] : undefined;
  return top !== undefined && !NUMBER.test(top);
}

/** Returns a masked address that its owner recognizes, such as `a…@example.org`. */
export function maskEmail(email: string): string {
  const atSignIndex = email.lastIndexOf("@");
  const [firstCharacter = ""] = email;
  return `${firstCharacter}…${email.slice(atSignIndex)}`;
}
