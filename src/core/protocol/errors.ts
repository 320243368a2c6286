// Catalogue of all error codes. A test compares it with docs/errors.md.

import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { LADDER_ERRORS } from "./ladder-errors.ts";
import { OPERATOR_ERRORS } from "./operator-errors.ts";

const BOT_NAME = `${FIXED_LIMITS.bot_name_min}-${FIXED_LIMITS.bot_name_max}`;
const HANDLE = `${FIXED_LIMITS.handle_min}-${FIXED_LIMITS.handle_max} letters, digits, hyphens, underscores or dots, beginning with a letter or digit`;
const OWNER = `1-${FIXED_LIMITS.owner_max} printable characters`;
/** Anyone can see the moderation state. Only the owner can see the operator's reason. */
const MODERATION_HINT =
  "The page /bot/<name> shows the state; /account shows its owner the operator's reason.";
const MARKS_RULE =
  "with combining marks only after another character and no more than three in a row";
const SCRIPTS_RULE = "with no word that mixes Latin letters with Cyrillic or Greek ones";

type HttpStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 500 | 503;

type ErrorEntry = {
  readonly status?: HttpStatus;
  /** Statuses that some routes return instead. */
  readonly otherStatuses?: readonly HttpStatus[];
  readonly close?: number;
  /**
   * Whether the bot keeps its place in the queue. Only for codes sent in response to a `queue`
   * message.
   */
  readonly place?: "kept" | "lost";
  readonly text: string;
  /** Cause and fix, shown in the catalogue at /docs/errors. */
  readonly help: string;
};

export const ERROR_CATALOGUE = {
  missing_authorization: {
    status: 401,
    close: 4001,
    text: "Send the bot token in the header 'Authorization: Bearer <token>'.",
    help: "The header `Authorization: Bearer <token>` is missing. Reconnecting without it can't succeed.",
  },
  invalid_token: {
    status: 401,
    close: 4002,
    text: "No bot has this token. It may have been replaced by a newer one.",
    help: "No bot has this token: it was mistyped or replaced by a newer one, or its bot was deleted. Do not reconnect with it. At the MCP endpoint: the credential is not an agent key or an app's access token for the endpoint, or it has expired or been revoked.",
  },
  replaced: {
    close: 4003,
    text: "A newer connection with the same token took over. Do not reconnect.",
    help: "A newer connection with the same token took over. Do not reconnect, or the two connections will keep replacing each other.",
  },
  suspended: {
    status: 403,
    close: 4004,
    text: `This bot is suspended until an operator lifts the suspension. ${MODERATION_HINT}`,
    help: "An operator suspended this bot. `/bot/<name>` shows the suspension, and `/account` shows the owner the reason. Once it is lifted, start the program again; it does not reconnect by itself.",
  },
  banned: {
    status: 403,
    close: 4005,
    text: `This bot is banned. ${MODERATION_HINT}`,
    help: "An operator banned this bot. `/bot/<name>` shows the ban, and `/account` shows the owner the reason.",
  },
  retired: {
    status: 403,
    close: 4006,
    text: "This bot is retired. Retirement is permanent.",
    help: "The bot was permanently retired by its owner.",
  },
  account_banned: {
    status: 403,
    otherStatuses: [409],
    close: 4007,
    text: "The account is banned. It and its bots are refused.",
    help: "The account that sent the request, or the one that owns the bot, is banned. With 409 it is the account to be changed.",
  },
  account_required: {
    status: 403,
    close: 4008,
    text: "This bot belongs to no account. Claim it with an account to play here.",
    help: "Only bots with an account can play here, and this bot has none.",
  },
  rate_limited: {
    status: 429,
    close: 4009,
    text: "Too many messages. For the limits, see messages_per_tick and messages_per_second in GET /api.",
    help: "On the socket: more than `messages_per_tick` messages in one tick of a match, more than `messages_per_second` outside a match, or more than `play_starts_per_minute` human matches from one address. Over HTTP: too many requests from one address, bot or account. `limit` names the limit, and `Retry-After` the seconds to wait.",
  },
  unknown_opponent: {
    close: 4010,
    text: "No house bot of this name is available. GET /api lists the available ones.",
    help: "`opponent` in the URL of a human match is not the short name of an available house bot. `play.opponents` in `GET /api` lists them.",
  },
  play_full: {
    close: 4011,
    text: "The server is running the maximum number of human matches. Try again in a minute.",
    help: "`play_concurrent` people are already playing against house bots. Try again in a minute.",
  },
  already_fighting: {
    close: 4012,
    text: "Another match from your address is still running. Only one at a time.",
    help: "Only one human match at a time is allowed for each address. End the other match, which may be in another tab, or wait until it ends.",
  },
  server_busy: {
    close: 4013,
    text: "The server is busy with ladder matches. Try again in a minute.",
    help: "The server is overloaded, or results are waiting for the database, so no human match can start: bot matches take precedence. Try again in a minute.",
  },
  unknown_match: {
    close: 4014,
    text: "This match isn't running. It has ended, or there is no such match.",
    help: "`match` in the URL of the watch socket is not the ID of a running match. If the match has ended, its page shows the replay.",
  },
  watch_full: {
    close: 4015,
    text: "Too many people are watching live matches. Try again in a minute.",
    help: "`watchers_total` connections on the server, or `watchers_per_address` from one address, already watch live matches.",
  },
  schema: {
    place: "kept",
    text: "The message does not match its schema.",
    help: "The message is JSON but does not match its schema. In a match, the tick counts as idle.",
  },
  malformed_json: {
    place: "kept",
    text: "The message is not JSON.",
    help: "The message is not JSON. In a match, the tick counts as idle.",
  },
  invalid_version: {
    status: 400,
    place: "lost",
    text: `A version label must have 1-${FIXED_LIMITS.version_label_max} printable characters other than / @ # %, without spaces at the ends, ${MARKS_RULE}. It can't be . or ..`,
    help: `The version label is not valid. It must have 1-${FIXED_LIMITS.version_label_max} printable characters other than \`/ @ # %\`, without spaces at the ends, ${MARKS_RULE}. It can't be \`.\` or \`..\`.`,
  },
  unknown_ladder: {
    place: "lost",
    text: "There is no such ladder. Omit ladder_id to play on public.",
    help: "`queue` names a ladder that does not exist.",
  },
  ladder_closed: {
    status: 409,
    place: "lost",
    text: "No matches start on this ladder now. See its opening times in GET /api/ladders.",
    help: "`queue` names a ladder that is disabled or outside its window, or the ladder was closed while the bot waited. `GET /api/ladders` shows when it opens and closes. Over HTTP: enrollment is refused on a ladder that is closed or disabled; it is possible before a ladder opens.",
  },
  ladder_open: {
    status: 409,
    text: "The archive of a ladder is created when the ladder is over and its last match is stored.",
    help: "The ladder is not over yet, or its archive is still being created, which can take a minute or more. A ladder without a closing time has no archive. `closes_at` in `GET /api/ladders` shows when it closes.",
  },
  version_retired: {
    place: "lost",
    text: "This version is retired. Queue with another label.",
    help: "`queue` names a retired version. Use another label.",
  },
  version_limit: {
    status: 429,
    place: "lost",
    text: "The bot has reached its maximum of new versions in 24 hours (versions_per_day).",
    help: "The bot created `versions_per_day` new versions in the last 24 hours. Known labels still work.",
  },
  version_exists: {
    status: 409,
    text: "This bot already has a version with that label.",
    help: "The bot already has a version with this label. Labels cannot be changed.",
  },
  already_queued: {
    place: "kept",
    text: "The bot is in a match. Queue again when it ends.",
    help: "`queue` was sent while a match is attached. Nothing changed; queue again after `end`.",
  },
  not_in_match: {
    text: "No match is attached to this connection.",
    help: "A `turn` was sent outside a match, usually just after its end. Harmless.",
  },
  quota_exceeded: {
    place: "kept",
    text: "The bot has reached a limit and stays in the queue.",
    help: "The bot has reached a limit on matches. It stays in the queue and plays when the limit allows.",
  },
  store_unavailable: {
    status: 503,
    place: "kept",
    text: "The server cannot reach its database. Try again.",
    help: "The server cannot reach its database. Try again after `Retry-After` seconds.",
  },
  enrollment_required: {
    status: 409,
    place: "lost",
    text: "This ladder needs an active enrollment.",
    help: "Only enrolled accounts can play on this ladder.",
  },
  ...LADDER_ERRORS,
  ...OPERATOR_ERRORS,
  authentication_required: {
    status: 401,
    text: "Registering a bot needs an agent key or access token of an account on this server.",
    help: "Registering a bot requires an account, and the request has no valid credential: neither an agent key nor an access token of a signed-in browser. Create accounts and keys at `account_url`. Only a server without accounts, in anonymous local mode, accepts registrations without a credential.",
  },
  invalid_registration_key: {
    status: 403,
    text: "Send the ladder's registration key in the header X-Registration-Key. Its operator can provide it.",
    help: "Registration on this ladder requires its registration key. Get the key from its operator, and send it in the header `X-Registration-Key`.",
  },
  invalid_bot: {
    status: 400,
    text: `A bot name has ${BOT_NAME} letters (A-Z, a-z), digits, underscores or hyphens, and is not taken or reserved.`,
    help: `The bot name is not valid (${BOT_NAME} of \`A-Z a-z 0-9 _ -\`), or it is reserved or already taken. Names are case-insensitive.`,
  },
  invalid_handle: {
    status: 400,
    text: `An owner must have ${OWNER} other than / @ # %, without spaces at the ends, ${MARKS_RULE}, ${SCRIPTS_RULE}. It can't be . or .., a reserved word or a UUID.`,
    help: `The owner name is not valid. It must have ${OWNER} other than \`/ @ # %\`, without spaces at the ends, ${MARKS_RULE}, ${SCRIPTS_RULE}. It can't be \`.\` or \`..\`, a reserved word or a UUID. The handle of an account: ${HANDLE}, no reserved word and no UUID. The name of an owner without an account must not be the handle of an account.`,
  },
  handle_required: {
    status: 409,
    text: "Choose a handle first: PUT /api/account/handle.",
    help: "The account has no public handle yet, so its bots would have no owner name. Choose one with `PUT /api/account/handle`.",
  },
  handle_taken: {
    status: 409,
    text: "Another account uses this handle or used it recently.",
    help: "Another account uses this handle or used it in the last 30 days, or a bot without an account has it as its owner. Handles are case-insensitive.",
  },
  bot_limit: {
    status: 409,
    text: "The owner has reached the maximum number of bots. Retire one first.",
    help: "The owner has reached the maximum number of bots. Retired bots do not count.",
  },
  no_such_bot: {
    status: 404,
    text: "There is no such bot.",
    help: "No bot has this name. On routes that change a bot: none of your bots has it.",
  },
  bot_has_played: {
    status: 409,
    text: "A bot that has played cannot be deleted. Its account can retire it.",
    help: "A bot that has played a ranked match cannot be deleted because its matches remain. Retire it with `DELETE /api/account/bots/{name}`.",
  },
  bot_moderated: {
    status: 409,
    text: "An operator has suspended or banned this bot. It can't be changed until that is lifted.",
    help: "The bot is suspended or banned by an operator and can't be changed meanwhile.",
  },
  bot_in_match: {
    status: 409,
    text: "This bot is in a match. Try again when it ends, or stop its program first.",
    help: "Not possible during a match: renaming a bot at any time, deleting it during its first one. Try again when the match ends; stop the program first if it queues again immediately.",
  },
  practice_pending: {
    status: 409,
    text: "This bot's last practice game has not ended yet.",
    help: "The bot has requested a practice game that has not ended. Only one at a time is allowed: wait until it ends or expires.",
  },
  practice_unavailable: {
    status: 409,
    text: "Practice games are not available: Starter is not running.",
    help: "Practice games are played against the house bot Starter. This server does not run it, an operator has suspended it, or the server is shutting down.",
  },
  bot_retired: {
    status: 409,
    text: "This bot is permanently retired.",
    help: "The bot is retired. Only its avatar can still be changed.",
  },
  house_bot: {
    status: 409,
    text: "House bots can be suspended but not banned.",
    help: "House bots belong to the server. They can be suspended but not banned.",
  },
  already_claimed: {
    status: 409,
    text: "This bot already belongs to another account.",
    help: "The token belongs to a bot of another account or of the house.",
  },
  unknown_avatar: {
    status: 400,
    text: "There is no such avatar. Send one of the avatars listed in the docs, or null for a generated avatar.",
    help: "`avatar` is not one of the available avatars; `null` is an avatar generated from the bot's name.",
  },
  key_limit: {
    status: 409,
    text: `An account can have up to ${FIXED_LIMITS.agent_keys} agent keys. Revoke one first.`,
    help: "The account has reached the maximum number of agent keys (`agent_keys`). Revoke one first.",
  },
  star_limit: {
    status: 409,
    text: "You have reached the maximum number of starred matches. Remove a star first.",
    help: "The account has reached the maximum number of starred matches (`starred_replays`). Remove a star first.",
  },
  registration_closed: {
    status: 403,
    text: "Registration is closed.",
    help: "The operator has closed registration. Registered bots can keep playing.",
  },
  invalid_session: {
    status: 401,
    text: "Sign in again.",
    help: "The access token is invalid or has expired, its session has ended, or it does not belong to a browser session: agent keys, bot tokens and app tokens do not work on account routes. Sign in again. Operator routes accept agent keys; there, the key is unknown or revoked.",
  },
  auth_unavailable: {
    status: 503,
    text: "The identity provider is not responding. Try again.",
    help: "The identity provider cannot be reached, so access tokens cannot be verified. Agent keys and bot tokens still work. Try again after `Retry-After` seconds.",
  },
  recent_sign_in_required: {
    status: 403,
    text: "Sign in again first: this requires a sign-in within the last 15 minutes.",
    help: "Deleting an account requires a recent sign-in (`recent_sign_in_s`). Sign in again, then repeat the request.",
  },
  admin_required: {
    status: 401,
    text: "This needs an access token or agent key of an admin.",
    help: "An operator route was called without a credential.",
  },
  not_admin: {
    status: 403,
    text: "This account is not an admin.",
    help: "An operator route was called by an account that is not an admin.",
  },
  admin_account: {
    status: 409,
    text: "Admins can't be banned or deleted. Remove the admin role first.",
    help: "Admins can't be banned or deleted, and can't delete their own account. Remove the role first. An admin named in the configuration keeps the role until removed there.",
  },
  own_role: {
    status: 409,
    text: "You can't change your own role. Ask another admin.",
    help: "You can't change your own role. Ask another admin.",
  },
  configured_admin: {
    status: 409,
    text: "This admin is named in the server's configuration. Change it there.",
    help: "The account is an admin because its address is listed in `--admin-email`, whatever its role.",
  },
  last_admin: {
    status: 409,
    text: "This is the last admin. Make another one first.",
    help: "The ladder would be left without an admin. Make another account an admin first.",
  },
  mcp_consent_required: {
    status: 403,
    text: "This account hasn't authorized the app, or has revoked access. Ask its owner to authorize it again.",
    help: "Only at the MCP endpoint: the token is valid, but the account has not authorized the app or has revoked its access. `WWW-Authenticate` contains the URL for requesting authorization again.",
  },
  not_found: {
    text: "Not found.",
    help: "Only from tools of the MCP endpoint: a ladder, season, match, topic or document does not exist. Over HTTP this is a 404 without a code.",
  },
  invalid_arguments: {
    text: "Invalid arguments.",
    help: "Only from tools of the MCP endpoint: an argument is missing, unknown, of the wrong type or out of bounds. `error` names it. Over HTTP this is a 400 without a code.",
  },
  accounts_disabled: {
    status: 404,
    text: "This server runs without accounts.",
    help: "This server runs without accounts.",
  },
  invalid_owner_key: {
    status: 400,
    text: "This requires a valid agent key of the owning account.",
    help: "`X-Owner-Key` is not a valid agent key. When deleting a bot: the request has no valid agent key, neither in that header nor as a bearer token. A server without accounts has no agent keys.",
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
export const ERROR_CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
export type HttpCode = {
  [K in ErrorCode]: (typeof ERROR_CATALOGUE)[K] extends { status: HttpStatus } ? K : never;
}[ErrorCode];
/** A code with one of its other statuses. */
type CodeWithStatus = {
  [K in HttpCode]: (typeof ERROR_CATALOGUE)[K] extends { otherStatuses: readonly (infer Status)[] }
    ? readonly [code: K, status: Status]
    : never;
}[HttpCode];
export type HttpRefusal = HttpCode | CodeWithStatus;
/** Statuses that a response may have without a code. */
export type StatusWithoutCode = Exclude<HttpStatus, 401 | 500>;
/** Codes that can be sent in response to a `queue` message instead of `queued`. */
export type QueueCode = {
  [K in ErrorCode]: (typeof ERROR_CATALOGUE)[K] extends { place: string } ? K : never;
}[ErrorCode];
export type CloseCode = {
  [K in ErrorCode]: (typeof ERROR_CATALOGUE)[K] extends { close: number } ? K : never;
}[ErrorCode];

export function splitRefusal(refusal: HttpRefusal): { code: HttpCode; status: HttpStatus } {
  if (typeof refusal === "string")
    return { code: refusal, status: ERROR_CATALOGUE[refusal].status };
  const [code, status] = refusal;
  return { code, status };
}

export const versionLimitText = (versionLimit: number): string =>
  `A bot can create up to ${versionLimit} new versions in 24 hours.`;
