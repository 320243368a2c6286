// What takes a letter out of the house: an SMTP server, or a file for the operator.

import type { Letter, WrittenLetter } from "#core/accounts/letter.ts";

/** A letter that is ready to go. */
export type Mail = {
  /** A UUID. */
  id: string;
  to: string;
  letter: Letter;
  written: WrittenLetter;
  at: Date;
};

/** Rejects if the letter did not arrive, or if nobody knows. */
export type Carrier = (mail: Mail, signal: AbortSignal) => Promise<void>;
