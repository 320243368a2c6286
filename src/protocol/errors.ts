// The one catalogue of error codes. A test holds docs/errors.md against it.

type ErrorEntry = {
  /** HTTP status where the code can answer a request. */
  readonly status?: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 500 | 503;
  /** Close code where the code ends a bot socket. */
  readonly close?: number;
  readonly text: string;
};

export const ERRORS = {
  missing_authorization: {
    status: 401,
    close: 4001,
    text: "Send the bot token in the header 'Authorization: Bearer <token>'.",
  },
  invalid_token: {
    status: 401,
    close: 4002,
    text: "No bot has this token. It may have been replaced by a newer one.",
  },
  replaced: {
    close: 4003,
    text: "A newer connection with the same token took over. Do not reconnect.",
  },
  suspended: {
    status: 403,
    close: 4004,
    text: "This bot is suspended until an operator lifts it.",
  },
  banned: { status: 403, close: 4005, text: "This bot is banned." },
  retired: { status: 403, close: 4006, text: "This bot is retired. Retirement is permanent." },
  account_banned: { status: 403, close: 4007, text: "The account that owns this bot is banned." },
  account_required: {
    status: 403,
    close: 4008,
    text: "This bot belongs to no account. Claim it with an account to play here.",
  },
  rate_limited: {
    status: 429,
    close: 4009,
    text: "Too many messages. A bot may send 5 a tick in a match and 50 a second outside.",
  },
  schema: { text: "The message has the wrong shape." },
  malformed_json: { text: "The message is not JSON." },
  invalid_version: {
    status: 400,
    text: "A version label has 1-32 printable characters, none of / @ # %, no space at its ends.",
  },
  unknown_ladder: { text: "There is no such ladder. Leave ladder_id out to play on public." },
  version_retired: { text: "This version is retired. Queue with another label." },
  version_limit: { status: 429, text: "A bot may make 1000 new versions a day." },
  version_exists: { status: 409, text: "This bot already has a version with that label." },
  already_queued: { text: "The bot is in a match. Queue again after its end." },
  not_in_match: { text: "No match is attached to this connection." },
  quota_exceeded: { text: "The bot is held back by a limit and stays queued." },
  store_unavailable: {
    status: 503,
    text: "The server cannot reach its database just now. Try again.",
  },
  enrollment_required: { status: 409, text: "This ladder needs an active enrollment." },
  authentication_required: {
    status: 401,
    text: "Registering a bot needs an account's access token or an agent key.",
  },
  invalid_bot: {
    status: 400,
    text: "A bot name has 2-24 of the characters A-Z a-z 0-9 _ - and is not taken or reserved.",
  },
  invalid_handle: {
    status: 400,
    text: "A handle or owner has 2-39 of the characters A-Z a-z 0-9 . _ -, the first a letter or digit, and is not taken or reserved.",
  },
  bot_limit: { status: 409, text: "The owner has as many bots as allowed. Retire one first." },
  no_such_bot: { status: 404, text: "There is no such bot." },
  accounts_disabled: { status: 404, text: "This server runs without accounts." },
  invalid_owner_key: { status: 400, text: "A valid agent key of the owning account is needed." },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
/** Codes that close a bot socket. */
export type ClosingCode = {
  [K in ErrorCode]: (typeof ERRORS)[K] extends { close: number } ? K : never;
}[ErrorCode];
