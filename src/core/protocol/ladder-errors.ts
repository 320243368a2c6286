// Codes about ladders, their members and windows. Part of the one catalogue, in errors.ts.

export const LADDER_ERRORS = {
  wrong_password: {
    status: 403,
    text: "This is not the password of the ladder.",
    help: "The ladder's password is another one, or none came. Its organiser knows it.",
  },
  invalid_invitation: {
    status: 403,
    text: "This invitation does not let you in.",
    help: "No invitation came, or one that is unknown, used, taken back, run out after 14 days, for another ladder, or for somebody else. Ask the organiser for another one.",
  },
  enrollment_revoked: {
    status: 403,
    text: "An operator has ended this account's membership of the ladder.",
    help: "An operator has ended the account's membership of the ladder, and only an operator can approve it again.",
  },
  invalid_ladder: {
    status: 400,
    text: "Public stays visible, enabled, open to everybody and without a schedule.",
    help: "The ladder `public` has no schedule, members or invitations, and is never hidden, disabled, closed or deleted.",
  },
  ladder_exists: {
    status: 409,
    text: "There is a ladder of this id already.",
    help: "There is a ladder of this id already. Ids do not change; a ladder that was never used can be deleted.",
  },
  ladder_used: {
    status: 409,
    text: "Matches were played on this ladder, or an event is held on it, so it stays.",
    help: "A ladder with a match or an event is not deleted. Disable or hide it.",
  },
  invitation_used: {
    status: 409,
    text: "This invitation has been used.",
    help: "The invitation has let somebody in, and cannot be taken back. Revoke the member.",
  },
  event_exists: {
    status: 409,
    text: "There is an event of this id already.",
    help: "There is an event of this id already. Ids do not change; an event in which nothing was earned can be deleted.",
  },
  event_not_ready: {
    status: 409,
    text: "The event cannot be enabled yet.",
    help: "The event lacks something that it needs: accounts, a flag for each achievement, or its four house bots, approved, on its ladder and running as approved. `error` names all that is missing.",
  },
  event_has_awards: {
    status: 409,
    text: "Something was earned in this event, so it stays. It can be disabled.",
    help: "An event in which something was earned is not deleted, also if it was revoked. Disable it instead.",
  },
  event_closed: {
    status: 409,
    text: "Nothing can be earned in this event now. GET /api/events says when it is open.",
    help: "The event is disabled, or its window or its ladder is not open.",
  },
  request_exists: {
    status: 409,
    text: "The account waits for an opponent in this event already.",
    help: "One request for each account and event: it is pending, or its game is on. Cancel it, or wait for the end of the game.",
  },
  bot_offline: {
    status: 409,
    text: "The bot neither waits nor plays on the event's ladder. Let it queue there first.",
    help: "An opponent is asked for while the bot waits or plays on the event's ladder. `queue` with that `ladder_id` first.",
  },
  opponent_unavailable: {
    status: 503,
    text: "This house bot cannot be asked for now. unavailable_opponents of the event lists those that cannot.",
    help: "The house bot does not play on the event's ladder, does not run, or runs as another version than the operator approved. Try again later, or another one.",
  },
  achievement_locked: {
    status: 403,
    text: "This achievement is not earned.",
    help: "A flag is shown to an account that has earned its achievement.",
  },
  achievement_revoked: {
    status: 403,
    text: "An operator has revoked this achievement.",
    help: "The achievement was earned and then revoked by an operator. Its card says why.",
  },
  flag_unavailable: {
    status: 503,
    text: "The flag of this achievement cannot be shown now. It stays earned; ask the operator.",
    help: "The operator has given no flag for this achievement. It stays earned, and its flag can be shown once there is one.",
  },
  not_earned: {
    status: 409,
    text: "The account has not earned this achievement.",
    help: "Only what was earned can be revoked or restored.",
  },
  window_closed: {
    status: 409,
    text: "This window has closed; it stays as it is.",
    help: "The window of the ladder or event is over, and does not change any more.",
  },
  window_started: {
    status: 409,
    text: "This window is open, so opens_at can't change: send it as it is, null for none (none in bout admin).",
    help: "The window of the ladder or event is open: what was fixed when it opened stays.",
  },
  invalid_window: {
    status: 400,
    text: "A window closes after it opens, and the windows of a ladder's events lie within its own.",
    help: "A window closes after it opens. That of an event lies within that of its ladder.",
  },
  window_past: {
    status: 409,
    text: "A changed instant must be in the future.",
    help: "A changed `opens_at` or `closes_at` must be in the future. A ladder that is to open at once has `opens_at` null.",
  },
} as const;
