import { msToInstant, instantToMs } from "#base/util/instant.ts";
import { DAY_MS } from "#base/util/time.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { DueEmail } from "./due-email.ts";

/**
 * Returns both onboarding emails, created with the account's first handle. The second is skipped if
 * the account has played by the time it's due.
 */
export function onboardingEmails(
  { accountId, handle }: { accountId: AccountId; handle: string },
  at: string,
): DueEmail[] {
  const firstMatchDue = msToInstant(instantToMs(at) + FIXED_LIMITS.first_match_days * DAY_MS);
  return [
    { accountId, subject: "welcome", notice: { kind: "welcome", data: { handle } }, due: at },
    {
      accountId,
      subject: "first match",
      notice: { kind: "first_match", data: { handle } },
      due: firstMatchDue,
    },
  ];
}
