// Addresses of mailboxes.

const EMAIL = /^[^\s\p{C}@<>"(),:;[\]\\]{1,64}@[^\s\p{C}@<>"(),:;[\]\\]{1,255}$/u;
/** Characters, of the whole (RFC 5321, section 4.5.3). */
const EMAIL_CHARS = 254;

/** Whether a text is one address, and nothing that a mail program would take for more. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_CHARS && EMAIL.test(text);
}
