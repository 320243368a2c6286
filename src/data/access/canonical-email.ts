// One spelling of each email address, so that limits and uniqueness hold per mailbox.

import { domainToASCII } from "node:url";

import { isEmail } from "#core/accounts/email.ts";

/** Full stops that IDNA reads as dots (UTS 46). */
const IDNA_DOTS = /[\u3002\uff0e\uff61]/gu;

/**
 * The address in lower case, with the domain in ASCII, which is the one that mail is sent to. Null
 * if the text is not an email address.
 */
export function canonicalEmail(text: string): string | null {
  const at = text.lastIndexOf("@");
  const typed = text.slice(at + 1).replaceAll(IDNA_DOTS, ".");
  const mailbox = text.slice(0, Math.max(at, 0)).normalize("NFC").toLowerCase();
  // Checked first: `domainToASCII` drops line breaks and cuts paths off.
  if (!isEmail(`${mailbox}@${typed}`)) return null;
  const email = `${mailbox}@${domainToASCII(typed)}`;
  return isEmail(email) ? email : null;
}
