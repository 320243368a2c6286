// What somebody gets who is new.

import { instantAt, msOf } from "#base/units/instant.ts";
import { DAY_MS } from "#base/units/time.ts";
import type { AccountId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";

import type { DueLetter } from "./due-letter.ts";

/** Both are made when the first handle is chosen; the second is skipped for who has played by then. */
export function onboardingLetters(
  { accountId, handle }: { accountId: AccountId; handle: string },
  at: string,
): DueLetter[] {
  const later = instantAt(msOf(at) + FIXED.first_match_days * DAY_MS);
  return [
    { accountId, subject: "welcome", notice: { kind: "welcome", data: { handle } }, due: at },
    {
      accountId,
      subject: "first match",
      notice: { kind: "first_match", data: { handle } },
      due: later,
    },
  ];
}
