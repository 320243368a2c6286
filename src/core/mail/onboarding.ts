// Onboarding emails for new accounts.

import { msToInstant, instantToMs } from "#base/util/instant.ts";
import { DAY_MS } from "#base/util/time.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { DueEmail } from "./due-email.ts";

/**
 * Both are created with the first handle; the second is skipped for accounts that have played by
 * then.
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
