import { fixedLimit } from "./limit-row.ts";

export const LADDER_LIMITS = {
  ladder_name_max: fixedLimit("ladder", 60, "characters in a ladder's name"),
  ladder_description_max: fixedLimit("ladder", 1000, "characters in a ladder's description"),
  ladder_password_min: fixedLimit("ladder", 8, "minimum bytes in a ladder's password"),
  ladder_password_max: fixedLimit("ladder", 72, "maximum bytes in a ladder's password"),
  closing_grace_s: fixedLimit(
    "ladder",
    10,
    "seconds for a running match to end after its ladder has closed",
  ),
  invitation_days: fixedLimit("ladder", 14, "days until an invitation expires"),
  invitation_label_max: fixedLimit("ladder", 60, "characters in an invitation's label"),
  enrollments_per_day: fixedLimit(
    "ladder",
    20,
    "enrollments and membership requests by an account in 24 hours",
  ),
  enrollment_guesses: fixedLimit(
    "ladder",
    10,
    "password and invitation attempts by an account on a ladder in an hour",
  ),
} as const;
