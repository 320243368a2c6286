// The only catalogue of error codes. A test compares docs/errors.md with it.

import { FIXED } from "#core/words/limits.ts";

import { LADDER_ERRORS } from "./ladder-errors.ts";
import { OPERATOR_ERRORS } from "./operator-errors.ts";

const BOT_NAME = `${FIXED.bot_name_min}-${FIXED.bot_name_max}`;
const HANDLE = `${FIXED.handle_min}-${FIXED.handle_max} of \`A-Z a-z 0-9 - _ .\`, beginning with a letter or digit`;
const OWNER = `1-${FIXED.owner_max} printable characters`;
/** The state is everybody's to see, the operator's reason the owner's alone. */
const WHERE_WHY =
  "Its page, /bot/<name>, shows that, and /account tells its owner the operator's reason.";
const MARKS = "combining marks only after another character and three in a row at most";
const SCRIPTS = "no word that mixes Latin letters with Cyrillic or Greek ones";

type HttpStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 500 | 503;

type ErrorEntry = {
  /** HTTP status, if the code can answer a request. */
  readonly status?: HttpStatus;
  /** Other statuses, each for routes that ask for it. */
  readonly otherStatuses?: readonly HttpStatus[];
  /** Close code, if the code ends a bot socket. */
  readonly close?: number;
  /** For a code that answers a `queue`: whether the bot keeps its place in the queue. */
  readonly place?: "kept" | "lost";
  /** The text of an answer. */
  readonly text: string;
  /** What the catalogue at /docs/errors adds: more about the cause, and what to do. */
  readonly help: string;
};

export const ERRORS = {
  missing_authorization: {
    status: 401,
    close: 4001,
    text: "Send the bot token in the header 'Authorization: Bearer <token>'.",
    help: "The header `Authorization: Bearer <token>` is missing. Send it; a reconnect without it cannot work.",
  },
  invalid_token: {
    status: 401,
    close: 4002,
    text: "No bot has this token. It may have been replaced by a newer one.",
    help: "No bot has this token: mistyped, replaced by a newer one, or its bot is deleted. Do not reconnect with it. At the MCP endpoint: neither an agent key nor a program's token for it, or not good any more.",
  },
  replaced: {
    close: 4003,
    text: "A newer connection with the same token took over. Do not reconnect.",
    help: "A newer connection with the same token took over. Do not reconnect, or the two will take turns.",
  },
  suspended: {
    status: 403,
    close: 4004,
    text: `This bot is suspended until an operator lifts it. ${WHERE_WHY}`,
    help: "An operator stopped this bot for now. `/bot/<name>` shows that, and `/account` tells the owner the reason. Once it is lifted, start the program again: by itself it does not come back.",
  },
  banned: {
    status: 403,
    close: 4005,
    text: `This bot is banned. ${WHERE_WHY}`,
    help: "An operator banned this bot. `/bot/<name>` shows that, and `/account` tells the owner the reason.",
  },
  retired: {
    status: 403,
    close: 4006,
    text: "This bot is retired. Retirement is permanent.",
    help: "The bot was retired by its owner, for good.",
  },
  account_banned: {
    status: 403,
    otherStatuses: [409],
    close: 4007,
    text: "The account is banned: it and its bots are refused.",
    help: "The account that asks, or the one that owns the bot, is banned. With 409 it is the account that was to be changed.",
  },
  account_required: {
    status: 403,
    close: 4008,
    text: "This bot belongs to no account. Claim it with an account to play here.",
    help: "Bots play here only for an account, and this bot has none.",
  },
  rate_limited: {
    status: 429,
    close: 4009,
    text: "Too many messages: messages_per_tick and messages_per_second in GET /api say how many.",
    help: "On the socket: more than `messages_per_tick` messages in one tick of a match, or more than `messages_per_second` in a second outside; or more than `play_starts_per_minute` people's fights from one address. Over HTTP: too many requests from one address, or of one bot or account; `limit` names the limit, and `Retry-After` the seconds to wait.",
  },
  unknown_opponent: {
    close: 4010,
    text: "No house bot of this name can be fought here. GET /api names those that can.",
    help: "`opponent` in the address of a person's fight is the short name of no house bot that can be fought here now. `play.opponents` in `GET /api` lists them.",
  },
  play_full: {
    close: 4011,
    text: "As many people are fighting as this server takes. Try again in a minute.",
    help: "As many people fight house bots as `play_concurrent` allows. Try again in a minute.",
  },
  already_fighting: {
    close: 4012,
    text: "Somebody at your address is in a fight already. One at a time.",
    help: "One person's fight at a time for each address. End the other one, which may be in another tab, or wait for its end.",
  },
  server_busy: {
    close: 4013,
    text: "The server has its hands full with the ladder's own matches. Try again in a minute.",
    help: "The server is late with its own work, or results wait for the database, so no person's fight begins: matches of bots come first. Try again in a minute.",
  },
  schema: {
    place: "kept",
    text: "The message has the wrong shape.",
    help: "A message is JSON but has the wrong shape. In a match the tick counts as idle.",
  },
  malformed_json: {
    place: "kept",
    text: "The message is not JSON.",
    help: "A message is not JSON. In a match the tick counts as idle.",
  },
  invalid_version: {
    status: 400,
    place: "lost",
    text: `A version label is neither . nor .. and has 1-${FIXED.version_label_max} printable characters, none of / @ # %, no space at its ends, ${MARKS}.`,
    help: `Not a version label: 1-${FIXED.version_label_max} printable characters, none of \`/ @ # %\`, no white space at the ends, ${MARKS}, not \`.\` or \`..\`.`,
  },
  unknown_ladder: {
    place: "lost",
    text: "There is no such ladder. Leave ladder_id out to play on public.",
    help: "`queue` names a ladder that does not exist.",
  },
  ladder_closed: {
    status: 409,
    place: "lost",
    text: "No matches start on this ladder now. GET /api/ladders says when it is open.",
    help: "`queue` names a ladder that is disabled, or whose window is not open; or it was closed while the bot waited. `GET /api/ladders` says when it opens and closes. Over HTTP: nobody enrolls on a ladder that is closed or disabled; on one that is to open they do.",
  },
  ladder_open: {
    status: 409,
    text: "The archive of a ladder is made when the ladder is over and its last match is stored.",
    help: "The ladder is not over yet, or its archive is being made: that takes a minute or more. A ladder without an end has none. `closes_at` in `GET /api/ladders` says when it ends.",
  },
  version_retired: {
    place: "lost",
    text: "This version is retired. Queue with another label.",
    help: "`queue` names a retired version. Use another label.",
  },
  version_limit: {
    status: 429,
    place: "lost",
    text: "The bot has made as many versions in 24 hours as versions_per_day allows.",
    help: "The bot made as many new versions in the last 24 hours as `versions_per_day` allows. Known labels still work.",
  },
  version_exists: {
    status: 409,
    text: "This bot already has a version with that label.",
    help: "The bot has a version of this label already. Labels do not change.",
  },
  already_queued: {
    place: "kept",
    text: "The bot is in a match. Queue again after its end.",
    help: "`queue` came while a match is attached. Nothing changed; queue again after `end`.",
  },
  not_in_match: {
    text: "No match is attached to this connection.",
    help: "A `turn` came without a match, usually just after its end. Harmless.",
  },
  quota_exceeded: {
    place: "kept",
    text: "The bot is held back by a limit and stays queued.",
    help: "A limit on matches holds the bot back. It stays queued and plays when the limit allows.",
  },
  store_unavailable: {
    status: 503,
    place: "kept",
    text: "The server cannot reach its database just now. Try again.",
    help: "The server cannot reach its database. Try again after `Retry-After` seconds.",
  },
  enrollment_required: {
    status: 409,
    place: "lost",
    text: "This ladder needs an active enrollment.",
    help: "This ladder is for enrolled accounts.",
  },
  ...LADDER_ERRORS,
  ...OPERATOR_ERRORS,
  authentication_required: {
    status: 401,
    text: "Registering a bot needs an account here: an agent key of it, or its access token.",
    help: "Registering a bot needs an account, and no usable credential of one came: neither an agent key nor an access token of a browser that is signed in. `account_url` is where accounts and keys are made. A server without accounts takes registrations in anonymous local mode alone, without any credential.",
  },
  invalid_registration_key: {
    status: 403,
    text: "Registering here needs the ladder's registration key in the header X-Registration-Key. Ask its operator.",
    help: "This ladder lets only those register who know its registration key. Ask its operator for it, and send it in the header `X-Registration-Key`.",
  },
  invalid_bot: {
    status: 400,
    text: `A bot name has ${BOT_NAME} of the characters A-Z a-z 0-9 _ - and is not taken or reserved.`,
    help: `Not a bot name (${BOT_NAME} of \`A-Z a-z 0-9 _ -\`), or reserved, or taken in some letter case.`,
  },
  invalid_handle: {
    status: 400,
    text: `An owner is neither . nor .., no reserved word and no UUID, and has ${OWNER}, none of / @ # %, no space at its ends, ${MARKS}, ${SCRIPTS}.`,
    help: `Not a name for an owner: ${OWNER}, none of \`/ @ # %\`, no white space at the ends, ${MARKS}, ${SCRIPTS}, not \`.\` or \`..\`, no reserved word and no UUID. The handle of an account: ${HANDLE}, no reserved word and no UUID. The name of an owner without an account is nobody's handle either.`,
  },
  handle_required: {
    status: 409,
    text: "Choose a handle first: PUT /api/account/handle.",
    help: "The account has no public handle yet, and its bots would have no owner to show. Choose one with `PUT /api/account/handle`.",
  },
  handle_taken: {
    status: 409,
    text: "Somebody else has this handle, or had it until lately.",
    help: "Another account has this handle in some letter case or had it in the last 30 days, or a bot without an account gives it as its owner.",
  },
  bot_limit: {
    status: 409,
    text: "The owner has as many bots as allowed. Retire one first.",
    help: "The owner has as many bots as allowed; retired ones do not count.",
  },
  no_such_bot: {
    status: 404,
    text: "There is no such bot.",
    help: "No bot has this name. On routes that change a bot: none of yours has it.",
  },
  bot_has_played: {
    status: 409,
    text: "This bot has played, so it cannot be deleted. Its account can retire it.",
    help: "A bot that has played a ranked match is not deleted, because its matches stay. `DELETE /api/account/bots/{name}` retires it.",
  },
  bot_moderated: {
    status: 409,
    text: "An operator has suspended or banned this bot; until that is lifted it stays as it is.",
    help: "The bot is suspended or banned by an operator, and stays as it is meanwhile.",
  },
  bot_in_match: {
    status: 409,
    text: "This bot is in a match. Try again after its end, or stop its program first.",
    help: "Not while the bot is in a match: a new name at any time, deletion in its very first one. Try again after its end; stop its program first if it queues again at once.",
  },
  practice_pending: {
    status: 409,
    text: "This bot's last practice game has not ended yet.",
    help: "The bot has asked for a practice game that has not ended. One at a time: wait for its end, or for it to expire.",
  },
  practice_unavailable: {
    status: 409,
    text: "There are no practice games here now: Starter does not play.",
    help: "Practice games are against the house bot Starter, which this server does not run, or which an operator has suspended; or the server is about to stop.",
  },
  bot_retired: {
    status: 409,
    text: "This bot is retired, for good.",
    help: "The bot is retired, so nothing about it can be changed but its picture.",
  },
  house_bot: {
    status: 409,
    text: "This is a house bot. It can be suspended, not banned.",
    help: "House bots belong to the server: they can be suspended, not banned.",
  },
  already_claimed: {
    status: 409,
    text: "This bot belongs to another account already.",
    help: "The token is that of a bot of another account, or of the house.",
  },
  unknown_avatar: {
    status: 400,
    text: "There is no such avatar. Send one of those in the docs, or null for the plain orb.",
    help: "`avatar` is none of the pictures that there are; `null` is the plain orb.",
  },
  key_limit: {
    status: 409,
    text: `An account has ${FIXED.agent_keys} agent keys at most. Revoke one first.`,
    help: "The account has as many agent keys as `agent_keys` allows. Revoke one first.",
  },
  star_limit: {
    status: 409,
    text: "You have starred as many matches as you can. Remove a star first.",
    help: "The account has as many starred matches as `starred_replays` allows. Remove one first.",
  },
  registration_closed: {
    status: 403,
    text: "Nobody can register a bot here at present.",
    help: "The operator has closed registration for now. Bots that are registered go on playing.",
  },
  invalid_session: {
    status: 401,
    text: "Sign in again.",
    help: "The access token is wrong, has run out, belongs to a session that has ended, or is not that of a browser: agent keys, bot tokens and tokens of programs do not work on routes of an account. Sign in again. On operators' routes an agent key works; there it is unknown or revoked.",
  },
  auth_unavailable: {
    status: 503,
    text: "The identity provider does not answer just now. Try again.",
    help: "The identity provider cannot be reached, so nobody's access token can be checked. Agent keys and bot tokens go on working. Try again after `Retry-After` seconds.",
  },
  recent_sign_in_required: {
    status: 403,
    text: "Sign in again first: this needs a sign-in of the last 15 minutes.",
    help: "Leaving for good needs a sign-in of the last minutes (`recent_sign_in_s`). Sign in again, then repeat the request.",
  },
  admin_required: {
    status: 401,
    text: "This needs the access token or an agent key of an admin.",
    help: "An operator's route, and no credential came.",
  },
  not_admin: {
    status: 403,
    text: "This account is not an admin.",
    help: "An operator's route, and the account that asks is not an admin.",
  },
  admin_account: {
    status: 409,
    text: "Not for an admin: take the role away first.",
    help: "An admin is neither banned nor deleted, and cannot leave. Take the role away first; one who is named in the configuration has it as long as they are named.",
  },
  own_role: {
    status: 409,
    text: "Nobody changes their own role. Ask another admin.",
    help: "Nobody changes their own role. Ask another admin.",
  },
  configured_admin: {
    status: 409,
    text: "This admin is named in the server's configuration, and only there can that change.",
    help: "The account is an admin because its address is in `--admin-email`, whatever its role.",
  },
  last_admin: {
    status: 409,
    text: "This is the last admin. Make another one first.",
    help: "The ladder would be left without an admin. Make another account one first.",
  },
  mcp_consent_required: {
    status: 403,
    text: "The account has not let this program in, or not any more. Ask its owner for consent again.",
    help: "The MCP endpoint alone: the token is good, but the account never let the program in, or took that back. `WWW-Authenticate` says where the program asks again.",
  },
  not_found: {
    text: "There is nothing of this name.",
    help: "A tool of the MCP endpoint alone: a ladder, season, match, topic or document that does not exist. Over HTTP this is a 404 without a code.",
  },
  invalid_arguments: {
    text: "The tool does not take these arguments.",
    help: "A tool of the MCP endpoint alone: an argument is missing, unknown, of the wrong type or out of bounds. `error` says which. Over HTTP this is a 400 without a code.",
  },
  accounts_disabled: {
    status: 404,
    text: "This server runs without accounts.",
    help: "This server runs without accounts.",
  },
  invalid_owner_key: {
    status: 400,
    text: "A valid agent key of the owning account is needed.",
    help: "`X-Owner-Key` is not a valid agent key. When a bot is deleted: no valid agent key came, neither there nor as a bearer token. A server without accounts knows no agent key.",
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
/** Codes that can answer a request. */
export type HttpCode = {
  [K in ErrorCode]: (typeof ERRORS)[K] extends { status: HttpStatus } ? K : never;
}[ErrorCode];
/** A code with a status other than its usual one. */
type CodeAt = {
  [K in HttpCode]: (typeof ERRORS)[K] extends { otherStatuses: readonly (infer Status)[] }
    ? readonly [code: K, status: Status]
    : never;
}[HttpCode];
/** How a request is refused with a code. */
export type HttpRefusal = HttpCode | CodeAt;
/** Statuses that an answer may have without saying more. */
export type BareStatus = Exclude<HttpStatus, 401 | 500>;
/** Codes that may answer a `queue` instead of `queued`. */
export type QueueCode = {
  [K in ErrorCode]: (typeof ERRORS)[K] extends { place: string } ? K : never;
}[ErrorCode];
/** Codes that close a bot socket. */
export type ClosingCode = {
  [K in ErrorCode]: (typeof ERRORS)[K] extends { close: number } ? K : never;
}[ErrorCode];

export function refusalParts(refusal: HttpRefusal): { code: HttpCode; status: HttpStatus } {
  if (typeof refusal === "string") return { code: refusal, status: ERRORS[refusal].status };
  const [code, status] = refusal;
  return { code, status };
}

/** A more precise text for `version_limit`, with the limit that was in force. */
export const versionLimitText = (most: number): string =>
  `A bot may make ${most} new versions in 24 hours.`;
