// What takes a letter out of the house: an SMTP server, or a file for the operator.

import type { Letter, WrittenLetter } from "#core/accounts/letter.ts";
import type { NoticeKind } from "#core/mail/notice.ts";

/** A letter that is ready to go. */
export type Mail = {
  /** A UUID. */
  id: string;
  to: string;
  letter: Letter | { type: NoticeKind };
  written: WrittenLetter;
  at: Date;
  /** Where its reader refuses letters like this one; absent where nobody can. */
  unsubscribe?: string;
};

/**
 * Returns the reply code of the mail server, null without one. Rejects if the email did not arrive,
 * or if nobody knows.
 */
export type Carrier = (mail: Mail, signal: AbortSignal) => Promise<number | null>;
