// Canonicalizes email addresses, so that limits and uniqueness apply per mailbox.

import { domainToASCII } from "node:url";

import { isEmail } from "#core/accounts/email-address.ts";

/** Characters that IDNA treats as dots (UTS 46). */
const IDNA_DOTS = /[\u3002\uff0e\uff61]/gu;

/**
 * Returns the address in lower case with the domain in ASCII, as used for sending. Returns null if
 * the text isn't an email address.
 */
export function canonicalEmail(text: string): string | null {
  const atIndex = text.lastIndexOf("@");
  const domain = text.slice(atIndex + 1).replaceAll(IDNA_DOTS, ".");
  const mailbox = text.slice(0, Math.max(atIndex, 0)).normalize("NFC").toLowerCase();
  // Validate first: `domainToASCII` removes line breaks and truncates at paths.
  if (!isEmail(`${mailbox}@${domain}`)) return null;
  const email = `${mailbox}@${domainToASCII(domain)}`;
  return isEmail(email) ? email : null;
}
