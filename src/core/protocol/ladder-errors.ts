export const LADDER_ERRORS = {
  wrong_password: {
    status: 403,
    text: "Wrong ladder password.",
    help: "The ladder's password is wrong or missing. Ask the ladder's organiser for it.",
  },
  invalid_invitation: {
    status: 403,
    text: "This invitation is not valid.",
    help: "The invitation is missing, unknown, used, revoked or expired (after 14 days), or it is for another ladder or account. Ask the organiser for a new one.",
  },
  enrollment_revoked: {
    status: 403,
    text: "An operator has ended this account's membership of the ladder.",
    help: "An operator has ended the account's membership of the ladder. Only an operator can approve it again.",
  },
  invalid_ladder: {
    status: 400,
    text: "The public ladder is always visible, enabled, open to all and without a schedule.",
    help: "The ladder `public` has no schedule, members or invitations, and cannot be hidden, disabled, closed or deleted.",
  },
  ladder_exists: {
    status: 409,
    text: "A ladder with this id already exists.",
    help: "A ladder with this id already exists. Ids cannot be changed; a ladder that was never used can be deleted.",
  },
  ladder_used: {
    status: 409,
    text: "The ladder has matches or an event, so it cannot be deleted.",
    help: "A ladder with a match or an event cannot be deleted. Disable or hide it instead.",
  },
  invitation_used: {
    status: 409,
    text: "This invitation has been used.",
    help: "The invitation has been used and cannot be revoked. Revoke the member instead.",
  },
  event_exists: {
    status: 409,
    text: "An event with this id already exists.",
    help: "An event with this id already exists. Ids cannot be changed; an event without awards can be deleted.",
  },
  event_not_ready: {
    status: 409,
    text: "The event cannot be enabled yet.",
    help: "The event lacks a requirement: accounts, a flag for each achievement, or its four house bots on its ladder, running the approved versions. `error` lists everything that is missing.",
  },
  event_has_awards: {
    status: 409,
    text: "This event has awards, so it cannot be deleted. Disable it instead.",
    help: "An event with awards cannot be deleted, even if they were revoked. Disable it instead.",
  },
  event_closed: {
    status: 409,
    text: "Nothing can be earned in this event now. See its opening times in GET /api/events.",
    help: "The event is disabled, or the event or its ladder is outside its window.",
  },
  request_exists: {
    status: 409,
    text: "The account already has an open opponent request in this event.",
    help: "Only one request per account and event is allowed, pending or playing. Cancel it, or wait until the game ends.",
  },
  bot_offline: {
    status: 409,
    text: "The bot is neither in the queue nor in a match on the event's ladder. Queue it there first.",
    help: "Opponents can only be requested while the bot is in the queue or in a match on the event's ladder. Send `queue` with that `ladder_id` first.",
  },
  opponent_unavailable: {
    status: 503,
    text: "This house bot cannot be requested now. See unavailable_opponents of the event.",
    help: "The house bot is not on the event's ladder, is not running, or runs another version than the operator approved. Try again later, or request another one.",
  },
  achievement_locked: {
    status: 403,
    text: "This achievement is not earned.",
    help: "A flag is shown only to accounts that have earned its achievement.",
  },
  achievement_revoked: {
    status: 403,
    text: "An operator has revoked this achievement.",
    help: "The achievement was earned and then revoked by an operator. The achievement shows the reason.",
  },
  flag_unavailable: {
    status: 503,
    text: "The flag of this achievement is not available. The achievement stays earned; ask the operator for the flag.",
    help: "The operator has not set a flag for this achievement. The achievement stays earned, and the flag will be available once it is set.",
  },
  not_earned: {
    status: 409,
    text: "The account has not earned this achievement.",
    help: "Only earned achievements can be revoked or restored.",
  },
  window_closed: {
    status: 409,
    text: "This window has closed and cannot be changed.",
    help: "The window of the ladder or event is over and cannot be changed.",
  },
  window_started: {
    status: 409,
    text: "This window is open, so opens_at can't change. Send its current value, or null if it has none (none in bout admin).",
    help: "The window of the ladder or event is open. Values fixed at its opening cannot be changed.",
  },
  invalid_window: {
    status: 400,
    text: "A window must close after it opens, and an event's window must be within its ladder's.",
    help: "A window must close after it opens. An event's window must be within its ladder's.",
  },
  window_past: {
    status: 409,
    text: "A changed instant must be in the future.",
    help: "A changed `opens_at` or `closes_at` must be in the future. To open a ladder immediately, set `opens_at` to null.",
  },
} as const;
