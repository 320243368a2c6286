// The limits of what makes a ladder, and of getting in. Part of the one table, in limits.ts.

import { fixed } from "./limit-row.ts";

export const LADDER_LIMITS = {
  ladder_name_max: fixed("ladder", 60, "characters of a ladder's name"),
  ladder_description_max: fixed("ladder", 1000, "characters of a ladder's description"),
  ladder_password_min: fixed("ladder", 8, "bytes of a ladder's password, at least"),
  ladder_password_max: fixed("ladder", 72, "bytes of a ladder's password, at most"),
  closing_grace_s: fixed(
    "ladder",
    10,
    "seconds for which a match may run on after its ladder has closed",
  ),
  invitation_days: fixed("ladder", 14, "days after which an invitation ends"),
  invitation_label_max: fixed("ladder", 60, "characters of an invitation's label"),
  enrollments_per_day: fixed(
    "ladder",
    20,
    "times in 24 hours that an account enters a ladder, or asks to",
  ),
  enrollment_guesses: fixed(
    "ladder",
    10,
    "passwords and invitations that an account tries on a ladder in an hour",
  ),
} as const;
